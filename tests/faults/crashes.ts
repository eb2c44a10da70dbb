import { sql } from 'kysely'
import type { Database } from '../../src/database/tables.ts'
import { type MailSink, openMailSink } from '../support/smtp-sink.ts'
import { type Fault, type FaultRun, goesOn, happens, type Outcome, pause } from './fault.ts'
import { countWaiting, openDatabaseBeside, type Where } from './inspect-database.ts'
import { compareWithDatabase, type LoadRecorder, openLoadRecorder, startLoad } from './load-recorder.ts'
import { installProduct, type Product } from './product.ts'

const CLIENTS = 16

export const processKilled: Fault = {
  name: 'F1',
  title: 'kill -9 of the product under load',
  engines: ['SQLite', 'PostgreSQL'],
  prove: run =>
    underLoad(run, run.cycles(10, run.engine === 'SQLite' ? 1000 : 200, 3), async product => {
      await product.kill()
      await product.start()
    }),
}

export const databaseKilled: Fault = {
  name: 'F2',
  title: 'crash of the database under load',
  engines: ['PostgreSQL'],
  prove: run => underLoad(run, run.cycles(6, 200, 2), async () => crashDatabase(run)),
}

export const unsafeDatabase: Fault = {
  name: 'F2-',
  title: 'the same with synchronous_commit off, which must lose',
  engines: ['PostgreSQL'],
  async prove(run) {
    const outcome = await underLoad(run, run.cycles(3, 20), async () => crashDatabase(run), forget)
    const complaints = outcome.lost > 0 ? [] : ['nothing was lost, so this harness cannot see a loss']
    return { ...outcome, lost: 0, complaints, remark: `${outcome.lost} lost, as it must be` }
  },
}

type Crash = (product: Product) => Promise<void>

async function underLoad(run: FaultRun, cycles: number, crash: Crash, prepare?: Crash): Promise<Outcome> {
  const mail = await openMailSink()
  const product = await installProduct({ databaseUrl: await run.createDatabase(), smtpUrl: mail.url })
  const recorder = openLoadRecorder()
  await product.start()
  await prepare?.(product)
  let done = 0
  const load = startLoad(recorder, () => product.url, CLIENTS)
  try {
    for (; done < cycles && !run.signal.aborted; done++) {
      const before = recorder.acknowledged.size
      if (!(await happens(() => recorder.acknowledged.size > before)))
        throw new Error(`No enquiry is accepted any more: ${product.console().slice(-500)}`)
      await pause(60 + run.random() * 120)
      await crash(product)
      run.tell(`${done + 1} of ${cycles}, ${recorder.acknowledged.size} acknowledged`)
    }
  } finally {
    await load.end()
  }
  const { lost, duplicated } = await compareWithDatabase(recorder, product)
  // With a forgetful database there are letters of what was lost; a test run has no time to wait for leases to end.
  const complaints = prepare || run.form === 'quick' ? [] : await awaitEmails(recorder, mail, product, run)
  await product.close()
  await mail.close()
  return { cycles: done, acknowledged: recorder.acknowledged.size, lost, duplicated, complaints }
}

/** Every letter goes out in the end; those in hand at a crash go once their lease is over. */
async function awaitEmails(
  recorder: LoadRecorder,
  mail: MailSink,
  where: Where,
  { tell, signal }: FaultRun,
): Promise<string[]> {
  const db = await openDatabaseBeside(where)
  await goesOn(async () => {
    const waiting = await countWaiting(db)
    tell(`${waiting} letters are still to be sent`)
    return waiting
  }, signal)
  const gathered = await readGathered(db)
  await db.destroy()
  // What was accepted last is marked as sent only once it is here. Past sixty an hour, one email later tells of many.
  const isTold = (reference: string) => mail.references.has(reference) || gathered.has(reference)
  const missing = [...recorder.acknowledged.values()].filter(it => !isTold(it)).length
  return missing === 0 ? [] : [`${missing} letters of acknowledged enquiries did not go out`]
}

async function readGathered(db: Database): Promise<Set<string>> {
  const rows = await db
    .selectFrom('digest_items')
    .innerJoin('messages', 'messages.id', 'digest_items.message_id')
    .select('reference')
    .execute()
  return new Set(rows.map(({ reference }) => reference))
}

async function crashDatabase({ postgres }: FaultRun) {
  postgres?.crash()
  postgres?.start()
}

/** Only once the product runs, since it refuses to start on such a server. */
const forget: Crash = async product => {
  const db = await openDatabaseBeside(product)
  await sql`alter system set synchronous_commit = off`.execute(db)
  await sql`alter system set wal_writer_delay = '10s'`.execute(db)
  await sql`select pg_reload_conf()`.execute(db)
  await db.destroy()
}
