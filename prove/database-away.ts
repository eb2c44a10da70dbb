import { type MailSink, openMailSink } from '../src/testing/mail-sink.ts'
import { allow, type Fault, happens, type Outcome, type Trial } from './fault.ts'
import { compareWithDatabase, type Ledger, openLedger } from './ledger.ts'
import { installProduct, type Product } from './product.ts'

/** Posts that are sent at once, before and while the database is away. */
const POSTS = 30
/** Milliseconds. */
const LONGEST_RETURN = 5000
/** Bytes; more would be a leak with every request that waits. */
const MOST_GROWTH = 100 * 2 ** 20

export const databaseDown: Fault = {
  name: 'F4',
  title: 'the database is down',
  engines: ['PostgreSQL'],
  prove: trial =>
    withoutDatabase(trial, {
      longestRefusal: 3000,
      leave: () => trial.postgres?.shutDown(),
      comeBack: () => trial.postgres?.start(),
    }),
}

export const databaseHangs: Fault = {
  name: 'F5',
  title: 'the database hangs',
  engines: ['PostgreSQL'],
  prove: trial =>
    withoutDatabase(trial, {
      longestRefusal: 6000,
      leave: () => trial.postgres?.hang(),
      comeBack: () => trial.postgres?.wakeUp(),
    }),
}

interface Absence {
  /** Milliseconds. */
  readonly longestRefusal: number
  readonly leave: () => void
  readonly comeBack: () => void
}

async function withoutDatabase(trial: Trial, absence: Absence): Promise<Outcome> {
  const mail = await openMailSink()
  const product = await installProduct({ databaseUrl: await trial.createDatabase(), smtpUrl: mail.url })
  const ledger = openLedger()
  await product.start()
  // A page that was made once stays.
  await fetch(`${product.url}/`)
  const cycles = trial.cycles(1, 5)
  const complaints: string[] = []
  let slowest = 0
  let cycle = 0
  for (; cycle < cycles && !trial.signal.aborted; cycle++) {
    for (let count = 0; count < 20; count++) await ledger.send(product.url)
    const usual = await postAtOnce(product, ledger, 201, complaints)
    const memory = await product.memory()
    absence.leave()
    try {
      const refusal = await postAtOnce(product, ledger, 503, complaints)
      slowest = Math.max(slowest, refusal)
      if (refusal > allow(absence.longestRefusal, usual))
        complaints.push(`a refusal took ${Math.round(refusal)} ms`)
      if (!(await isUnready(product))) complaints.push('/readyz does not say 503')
      const page = await fetch(`${product.url}/`)
      if (page.status !== 200) complaints.push(`the home page answered ${page.status}`)
      if ((await product.memory()) - memory > MOST_GROWTH) complaints.push('memory grew with every refusal')
    } finally {
      absence.comeBack()
    }
    const patience = allow(LONGEST_RETURN, usual)
    if (!(await happens(async () => (await ledger.send(product.url)) === 201, patience)))
      complaints.push(`no enquiry was accepted within ${patience} ms after the database came back`)
    trial.tell(`${cycle + 1} of ${cycles}`)
  }
  return await conclude(product, mail, ledger, { cycles: cycle, complaints, slowest })
}

/** @returns the milliseconds of the slowest of many posts, each of which must be answered so. */
async function postAtOnce(
  product: Product,
  ledger: Ledger,
  expected: number,
  complaints: string[],
): Promise<number> {
  const times = await Promise.all(
    Array.from({ length: POSTS }, async () => {
      const begin = performance.now()
      const status = await ledger.send(product.url)
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
  ledger: Ledger,
  { cycles, complaints, slowest }: { cycles: number; complaints: string[]; slowest: number },
): Promise<Outcome> {
  const { lost, duplicated } = await compareWithDatabase(ledger, product)
  await product.close()
  await mail.close()
  const remark = `slowest refusal ${(slowest / 1000).toFixed(1)} s`
  return { cycles, acknowledged: ledger.acknowledged.size, lost, duplicated, complaints, remark }
}
