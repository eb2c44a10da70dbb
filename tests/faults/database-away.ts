import { type MailSink, openMailSink } from '../support/smtp-sink.ts'
import { allowedTime, type Fault, type FaultRun, type Outcome, waitUntil } from './fault.ts'
import { compareWithDatabase, type LoadRecorder, openLoadRecorder } from './load-recorder.ts'
import { installProduct, type Product } from './product.ts'

/** Requests that are sent concurrently, before and during the outage. */
const POSTS = 30
/** Milliseconds. */
const MAX_RETURN = 5000
/** Bytes; more would mean that each waiting request leaks memory. */
const MAX_GROWTH = 100 * 2 ** 20

export const databaseDown: Fault = {
  name: 'F4',
  title: 'the database is down',
  engines: ['PostgreSQL'],
  execute: run =>
    withoutDatabase(run, {
      maxErrorTime: 3000,
      start: () => run.postgres?.shutDown(),
      end: () => run.postgres?.start(),
    }),
}

export const databaseHangs: Fault = {
  name: 'F5',
  title: 'the database hangs',
  engines: ['PostgreSQL'],
  execute: run =>
    withoutDatabase(run, {
      maxErrorTime: 6000,
      start: () => run.postgres?.hang(),
      end: () => run.postgres?.resume(),
    }),
}

interface Outage {
  /** Milliseconds. */
  readonly maxErrorTime: number
  readonly start: () => void
  readonly end: () => void
}

async function withoutDatabase(run: FaultRun, outage: Outage): Promise<Outcome> {
  const mail = await openMailSink()
  const product = await installProduct({ databaseUrl: await run.createDatabase(), smtpUrl: mail.url })
  const recorder = openLoadRecorder()
  await product.start()
  // A page that was rendered once stays cached.
  await fetch(`${product.url}/`)
  const cycles = run.cycles(1, 5)
  const failures: string[] = []
  let slowest = 0
  let cycle = 0
  for (; cycle < cycles && !run.signal.aborted; cycle++) {
    for (let count = 0; count < 20; count++) await recorder.send(product.url)
    const usual = await postConcurrently(product, recorder, 201, failures)
    const memory = await product.memory()
    outage.start()
    try {
      const error = await postConcurrently(product, recorder, 503, failures)
      slowest = Math.max(slowest, error)
      if (error > allowedTime(outage.maxErrorTime, usual)) failures.push(`a 503 took ${Math.round(error)} ms`)
      if (!(await isUnready(product))) failures.push('/readyz does not say 503')
      const page = await fetch(`${product.url}/`)
      if (page.status !== 200) failures.push(`the home page responded with ${page.status}`)
      if ((await product.memory()) - memory > MAX_GROWTH) failures.push('memory grew with every 503')
    } finally {
      outage.end()
    }
    const timeout = allowedTime(MAX_RETURN, usual)
    if (!(await waitUntil(async () => (await recorder.send(product.url)) === 201, timeout)))
      failures.push(`no enquiry was accepted within ${timeout} ms after the database came back`)
    run.showProgress(`${cycle + 1} of ${cycles}`)
  }
  return await conclude(product, mail, recorder, { cycles: cycle, failures, slowest })
}

/** @returns the milliseconds of the slowest of many posts, each of which must be answered so. */
async function postConcurrently(
  product: Product,
  recorder: LoadRecorder,
  expected: number,
  failures: string[],
): Promise<number> {
  const times = await Promise.all(
    Array.from({ length: POSTS }, async () => {
      const begin = performance.now()
      const status = await recorder.send(product.url)
      if (status !== expected) failures.push(`a request got ${status} instead of ${expected}`)
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
  { cycles, failures, slowest }: { cycles: number; failures: string[]; slowest: number },
): Promise<Outcome> {
  const { lost, duplicated } = await compareWithDatabase(recorder, product)
  await product.close()
  await mail.close()
  const remark = `slowest 503: ${(slowest / 1000).toFixed(1)} s`
  return { cycles, acknowledged: recorder.acknowledged.size, lost, duplicated, failures, remark }
}
