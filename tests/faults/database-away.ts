import { type MailSink, openMailSink } from '../support/smtp-sink.ts'
import { allow, type Fault, type FaultRun, happens, type Outcome } from './fault.ts'
import { compareWithDatabase, type LoadRecorder, openLoadRecorder } from './load-recorder.ts'
import { installProduct, type Product } from './product.ts'

/** Posts that are sent at once, before and while the database is away. */
const POSTS = 30
/** Milliseconds. */
const MAX_RETURN = 5000
/** Bytes; more would be a leak with every request that waits. */
const MAX_GROWTH = 100 * 2 ** 20

export const databaseDown: Fault = {
  name: 'F4',
  title: 'the database is down',
  engines: ['PostgreSQL'],
  prove: run =>
    withoutDatabase(run, {
      longestRefusal: 3000,
      leave: () => run.postgres?.shutDown(),
      comeBack: () => run.postgres?.start(),
    }),
}

export const databaseHangs: Fault = {
  name: 'F5',
  title: 'the database hangs',
  engines: ['PostgreSQL'],
  prove: run =>
    withoutDatabase(run, {
      longestRefusal: 6000,
      leave: () => run.postgres?.hang(),
      comeBack: () => run.postgres?.wakeUp(),
    }),
}

interface Absence {
  /** Milliseconds. */
  readonly longestRefusal: number
  readonly leave: () => void
  readonly comeBack: () => void
}

async function withoutDatabase(run: FaultRun, absence: Absence): Promise<Outcome> {
  const mail = await openMailSink()
  const product = await installProduct({ databaseUrl: await run.createDatabase(), smtpUrl: mail.url })
  const recorder = openLoadRecorder()
  await product.start()
  // A page that was made once stays.
  await fetch(`${product.url}/`)
  const cycles = run.cycles(1, 5)
  const complaints: string[] = []
  let slowest = 0
  let cycle = 0
  for (; cycle < cycles && !run.signal.aborted; cycle++) {
    for (let count = 0; count < 20; count++) await recorder.send(product.url)
    const usual = await postAtOnce(product, recorder, 201, complaints)
    const memory = await product.memory()
    absence.leave()
    try {
      const error = await postAtOnce(product, recorder, 503, complaints)
      slowest = Math.max(slowest, error)
      if (error > allow(absence.longestRefusal, usual))
        complaints.push(`a refusal took ${Math.round(error)} ms`)
      if (!(await isUnready(product))) complaints.push('/readyz does not say 503')
      const page = await fetch(`${product.url}/`)
      if (page.status !== 200) complaints.push(`the home page answered ${page.status}`)
      if ((await product.memory()) - memory > MAX_GROWTH) complaints.push('memory grew with every refusal')
    } finally {
      absence.comeBack()
    }
    const timeout = allow(MAX_RETURN, usual)
    if (!(await happens(async () => (await recorder.send(product.url)) === 201, timeout)))
      complaints.push(`no enquiry was accepted within ${timeout} ms after the database came back`)
    run.tell(`${cycle + 1} of ${cycles}`)
  }
  return await conclude(product, mail, recorder, { cycles: cycle, complaints, slowest })
}

/** @returns the milliseconds of the slowest of many posts, each of which must be answered so. */
async function postAtOnce(
  product: Product,
  recorder: LoadRecorder,
  expected: number,
  complaints: string[],
): Promise<number> {
  const times = await Promise.all(
    Array.from({ length: POSTS }, async () => {
      const begin = performance.now()
      const status = await recorder.send(product.url)
      if (status !== expected) complaints.push(`a post was answered ${status} instead of ${expected}`)
      return performance.now() - begin
    }),
  )
  return Math.max(...times)
}

async function isUnready(product: Product): Promise<boolean> {
  const { status, headers } = await fetch(`${product.url}/readyz`)
  return status === 503 && headers.has('retry-after')
}

async function conclude(
  product: Product,
  mail: MailSink,
  recorder: LoadRecorder,
  { cycles, complaints, slowest }: { cycles: number; complaints: string[]; slowest: number },
): Promise<Outcome> {
  const { lost, duplicated } = await compareWithDatabase(recorder, product)
  await product.close()
  await mail.close()
  const remark = `slowest refusal ${(slowest / 1000).toFixed(1)} s`
  return { cycles, acknowledged: recorder.acknowledged.size, lost, duplicated, complaints, remark }
}
