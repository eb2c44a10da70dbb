import { type MailSink, openMailSink } from '../src/testing/mail-sink.ts'
import { type Fault, happens, type Outcome, type Trial } from './fault.ts'
import { compareWithDatabase, type Ledger, openLedger } from './ledger.ts'
import { installProduct, type Product } from './product.ts'

/** Posts that are sent while the database is away. */
const POSTS = 30
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
  for (let cycle = 0; cycle < cycles && !trial.signal.aborted; cycle++) {
    for (let count = 0; count < 20; count++) await ledger.send(product.url)
    const memory = await product.memory()
    absence.leave()
    try {
      slowest = Math.max(slowest, await postInVain(product, ledger, absence, complaints))
      const page = await fetch(`${product.url}/`)
      if (page.status !== 200) complaints.push(`the home page answered ${page.status}`)
      if ((await product.memory()) - memory > MOST_GROWTH) complaints.push('memory grew with every refusal')
    } finally {
      absence.comeBack()
    }
    if (!(await happens(async () => (await ledger.send(product.url)) === 201, 5000)))
      complaints.push('no enquiry was accepted within 5 s after the database came back')
    trial.tell(`${cycle + 1} of ${cycles}`)
  }
  return await conclude(product, mail, ledger, { cycles, complaints, slowest })
}

/** @returns the milliseconds of the slowest refusal. */
async function postInVain(
  product: Product,
  ledger: Ledger,
  { longestRefusal }: Absence,
  complaints: string[],
): Promise<number> {
  const times = await Promise.all(
    Array.from({ length: POSTS }, async () => {
      const begin = performance.now()
      const status = await ledger.send(product.url)
      if (status !== 503) complaints.push(`a post was answered ${status} instead of 503`)
      return performance.now() - begin
    }),
  )
  const slowest = Math.max(...times)
  if (slowest > longestRefusal) complaints.push(`a refusal took ${Math.round(slowest)} ms`)
  const refused = await fetch(`${product.url}/readyz`)
  if (refused.status !== 503 || !refused.headers.has('retry-after'))
    complaints.push(`/readyz answered ${refused.status}`)
  return slowest
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
