import { median } from '../../bench/table.ts'
import { hours, minutes, seconds } from '../../src/clock.ts'
import { type Behaviour, openMailSink } from '../support/smtp-sink.ts'
import { allow, FAULT_TIMEOUT, type Fault, type FaultRun, happens, pause } from './fault.ts'
import { compareWithDatabase, type LoadRecorder, openLoadRecorder } from './load-recorder.ts'
import { type Node, openNode, sendEnquiry } from './node.ts'

const ENQUIRIES = 12
/** Milliseconds; less than any wait for a relay. */
const MAX_WAIT = 250
/** Longer than the longest pause between two tries, so that each step is another try. */
const STEP = minutes(31)

export const mailDown: Fault = {
  name: 'F6',
  title: 'the relay is down for six hours, and for four days',
  engines: ['SQLite', 'PostgreSQL'],
  async prove(run) {
    const mail = await openMailSink()
    const node = await openNode({ databaseUrl: await run.createDatabase(), smtpUrl: mail.url })
    const recorder = openLoadRecorder()
    const complaints: string[] = []
    const behaviours: Behaviour[] = ['vanish', 'later', 'never', 'hang']
    let sent = 0
    for (const behaviour of behaviours) {
      if (run.signal.aborted || complaints.length > 0) break
      run.tell(`the relay answers: ${behaviour}`)
      const usual = await acceptWith(node, recorder, () => sent++)
      mail.behaviour = behaviour
      const without = await acceptWith(node, recorder, () => sent++)
      if (without > allow(MAX_WAIT, usual))
        complaints.push(
          `enquiries took ${Math.round(without)} instead of ${Math.round(usual)} ms (${behaviour})`,
        )
      // A relay that hangs is waited for in real time.
      await passTime(
        node,
        behaviour === 'hang' ? 1 : hours(6) / STEP,
        behaviour === 'hang' ? seconds(9) : 200,
      )
      mail.behaviour = 'accept'
      const arrived = () => [...recorder.acknowledged.values()].every(it => mail.references.has(it))
      // A try that still hangs is waited for before its letter is tried again.
      if (!(await passTimeUntil(arrived, run, node))) complaints.push(`letters stay away after ${behaviour}`)
    }
    if (complaints.length === 0) complaints.push(...(await giveUp(run, node, recorder, () => sent++, mail)))
    const again = [...mail.taken.values()].filter(count => count > 1).length
    if (again > 0) complaints.push(`${again} letters came more than once`)
    await node.services.outbox.stop()
    const { lost, duplicated } = await compareWithDatabase(recorder, node)
    await node.close()
    await mail.close()
    const { size } = recorder.acknowledged
    return { cycles: behaviours.length + 1, acknowledged: size, lost, duplicated, complaints }
  },
}

/** @returns the milliseconds that one takes, in the middle. */
async function acceptWith(node: Node, recorder: LoadRecorder, next: () => number): Promise<number> {
  const times: number[] = []
  for (let count = 0; count < ENQUIRIES; count++) {
    const [begin, number] = [performance.now(), next()]
    recorder.acknowledged.set(String(number), await sendEnquiry(node, number))
    times.push(performance.now() - begin)
  }
  return median(times)
}

async function passTime(node: Node, steps: number, timeout: number) {
  for (let step = 0; step < steps; step++) {
    node.time.skew += STEP
    node.services.outbox.wake()
    await pause(timeout)
  }
}

async function passTimeUntil(isSo: () => boolean | Promise<boolean>, { signal }: FaultRun, node: Node) {
  const step = async () => {
    await passTime(node, 1, 500)
    return await isSo()
  }
  return await happens(step, FAULT_TIMEOUT, signal)
}

/** After three days a letter counts as failed, where people see it, and is not tried any more. */
async function giveUp(
  run: FaultRun,
  node: Node,
  recorder: LoadRecorder,
  next: () => number,
  mail: { behaviour: Behaviour },
) {
  mail.behaviour = 'later'
  await acceptWith(node, recorder, next)
  node.time.skew += hours(80)
  const failed = async () => {
    const rows = await node.services.db
      .selectFrom('outbox')
      .select('id')
      .where('state', '=', 'failed')
      .execute()
    return rows.length === ENQUIRIES
  }
  // While a relay does not answer, one letter at a time tries whether it does again.
  return (await passTimeUntil(failed, run, node)) ? [] : ['letters of four days ago are not told as failed']
}
