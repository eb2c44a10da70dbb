import { sql } from 'kysely'
import type { Database } from '../src/database/tables.ts'
import { type MailSink, openMailSink } from '../src/testing/mail-sink.ts'
import { countWaiting, openBeside, type Where } from './beside.ts'
import { type Fault, goesOn, happens, type Outcome, pause, type Trial } from './fault.ts'
import { beginLoad, compareWithDatabase, type Ledger, openLedger } from './ledger.ts'
import { installProduct, type Product } from './product.ts'

const CLIENTS = 16

export const processKilled: Fault = {
  name: 'F1',
  title: 'kill -9 of the product under load',
  engines: ['SQLite', 'PostgreSQL'],
  prove: trial =>
    underLoad(trial, trial.cycles(10, trial.engine === 'SQLite' ? 1000 : 200, 3), async product => {
      await product.kill()
      await product.start()
    }),
}

export const databaseKilled: Fault = {
  name: 'F2',
  title: 'crash of the database under load',
  engines: ['PostgreSQL'],
  prove: trial => underLoad(trial, trial.cycles(6, 200, 2), async () => crashDatabase(trial)),
}

export const forgetfulDatabase: Fault = {
  name: 'F2-',
  title: 'the same with synchronous_commit off, which must lose',
  engines: ['PostgreSQL'],
  async prove(trial) {
    const outcome = await underLoad(trial, trial.cycles(3, 20), async () => crashDatabase(trial), forget)
    const complaints = outcome.lost > 0 ? [] : ['nothing was lost, so this harness cannot see a loss']
    return { ...outcome, lost: 0, complaints, remark: `${outcome.lost} lost, as it must be` }
  },
}

type Crash = (product: Product) => Promise<void>

async function underLoad(trial: Trial, cycles: number, crash: Crash, prepare?: Crash): Promise<Outcome> {
  const mail = await openMailSink()
  const product = await installProduct({ databaseUrl: await trial.createDatabase(), smtpUrl: mail.url })
  const ledger = openLedger()
  await product.start()
  await prepare?.(product)
  let done = 0
  const load = beginLoad(ledger, () => product.url, CLIENTS)
  try {
    for (; done < cycles && !trial.signal.aborted; done++) {
      const before = ledger.acknowledged.size
      if (!(await happens(() => ledger.acknowledged.size > before)))
        throw new Error(`No enquiry is accepted any more: ${product.console().slice(-500)}`)
      await pause(60 + trial.random() * 120)
      await crash(product)
      trial.tell(`${done + 1} of ${cycles}, ${ledger.acknowledged.size} acknowledged`)
    }
  } finally {
    await load.end()
  }
  const { lost, duplicated } = await compareWithDatabase(ledger, product)
  // With a forgetful database there are letters of what was lost; a test run has no time to wait for leases to end.
  const complaints = prepare || trial.form === 'quick' ? [] : await awaitLetters(ledger, mail, product, trial)
  await product.close()
  await mail.close()
  return { cycles: done, acknowledged: ledger.acknowledged.size, lost, duplicated, complaints }
}

/** Every letter goes out in the end; those in hand at a crash go once their lease is over. */
async function awaitLetters(
  ledger: Ledger,
  mail: MailSink,
  where: Where,
  { tell, signal }: Trial,
): Promise<string[]> {
  const db = await openBeside(where)
  await goesOn(async () => {
    const waiting = await countWaiting(db)
    tell(`${waiting} letters are still to be sent`)
    return waiting
  }, signal)
  const gathered = await readGathered(db)
  await db.destroy()
  // What was accepted last is marked as sent only once it is here. Past sixty an hour, one email later tells of many.
  const isTold = (reference: string) => mail.references.has(reference) || gathered.has(reference)
  const missing = [...ledger.acknowledged.values()].filter(it => !isTold(it)).length
  return missing === 0 ? [] : [`${missing} letters of acknowledged enquiries did not go out`]
}

async function readGathered(db: Database): Promise<Set<string>> {
  const rows = await db
    .selectFrom('gathered_notices')
    .innerJoin('messages', 'messages.id', 'gathered_notices.message_id')
    .select('reference')
    .execute()
  return new Set(rows.map(({ reference }) => reference))
}

async function crashDatabase({ postgres }: Trial) {
  postgres?.crash()
  postgres?.start()
}

/** Only once the product runs, since it refuses to start on such a server. */
const forget: Crash = async product => {
  const db = await openBeside(product)
  await sql`alter system set synchronous_commit = off`.execute(db)
  await sql`alter system set wal_writer_delay = '10s'`.execute(db)
  await sql`select pg_reload_conf()`.execute(db)
  await db.destroy()
}
