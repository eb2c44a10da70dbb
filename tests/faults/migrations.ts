import { dropTestDatabase } from '../support/database.ts'
import { openMailSink } from '../support/smtp-sink.ts'
import { type Fault, type FaultRun, type Outcome, pause } from './fault.ts'
import { compareWithDatabase, openLoadRecorder } from './load-recorder.ts'
import { installProduct } from './product.ts'

export const firstStartKilled: Fault = {
  name: 'F14',
  title: 'first starts killed half-way, two concurrent nodes on PostgreSQL',
  engines: ['SQLite', 'PostgreSQL'],
  async execute(run) {
    const mail = await openMailSink()
    const recorder = openLoadRecorder()
    const cycles = run.cycles(4, 100)
    const outcome = { lost: 0, duplicated: 0, failures: [] as string[] }
    const whole = await timeFirstStart(run, mail.url)
    let done = 0
    for (; done < cycles && !run.signal.aborted && outcome.failures.length === 0; done++) {
      await startAfterKill(run, mail.url, whole, recorder.acknowledged, outcome)
      run.showProgress(`${done + 1} of ${cycles}`)
    }
    await mail.close()
    return { cycles: done, acknowledged: recorder.acknowledged.size, ...outcome }
  },
}

/** @returns the milliseconds of an undisturbed first start. */
async function timeFirstStart(run: FaultRun, smtpUrl: string): Promise<number> {
  const product = await installProduct({ databaseUrl: await run.createDatabase(), smtpUrl })
  const begin = performance.now()
  await product.start()
  await product.close()
  return performance.now() - begin
}

/** Kills the first start on an empty database, then starts all nodes concurrently: each of them must serve. */
async function startAfterKill(
  run: FaultRun,
  smtpUrl: string,
  whole: number,
  acknowledged: Map<string, string>,
  outcome: { lost: number; duplicated: number; failures: string[] },
): Promise<void> {
  const databaseUrl = await run.createDatabase()
  const first = await installProduct({ databaseUrl, smtpUrl })
  await first.start({ mayFail: true })
  // Mostly during the migrations, which come after the program is loaded.
  await pause(whole * (0.3 + run.random() * 0.7))
  await first.kill()
  const others = run.engine === 'SQLite' ? [] : [await installProduct({ databaseUrl, smtpUrl })]
  const nodes = [first, ...others]
  const own = openLoadRecorder()
  try {
    await Promise.all(nodes.map(node => node.start()))
    for (const node of nodes) await own.send(node.url)
    if (own.acknowledged.size < nodes.length) outcome.failures.push('a node started but accepts no enquiries')
    const { lost, duplicated }: Pick<Outcome, 'lost' | 'duplicated'> = await compareWithDatabase(own, first)
    outcome.lost += lost
    outcome.duplicated += duplicated
  } catch (error) {
    outcome.failures.push(String(error))
  }
  for (const [key, reference] of own.acknowledged) acknowledged.set(key, reference)
  for (const node of nodes) await node.close()
  // Removing a hundred databases at the end would take minutes.
  if (databaseUrl) await dropTestDatabase(databaseUrl)
}
