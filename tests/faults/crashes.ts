import { sql } from 'kysely'
import type { Database } from '../../src/database/tables.ts'
import { type MailSink, openMailSink } from '../support/smtp-sink.ts'
import { type Fault, type FaultRun, type Outcome, pause, waitForZero, waitUntil } from './fault.ts'
import { countWaiting, type DatabaseLocation, openUnmigratedDatabase } from './inspect-database.ts'
import { compareWithDatabase, type LoadRecorder, openLoadRecorder, startLoad } from './load-recorder.ts'
import { installProduct, type Product } from './product.ts'

const CLIENTS = 16

export const processKilled: Fault = {
  name: 'F1',
  title: 'kill -9 of the product under load',
  engines: ['SQLite', 'PostgreSQL'],
  execute: run =>
    underLoad(run, run.cycles(10, run.engine === 'SQLite' ? 1000 : 200, 3), async product => {
      await product.kill()
      await product.start()
    }),
}

export const databaseKilled: Fault = {
  name: 'F2',
  title: 'crash of the database under load',
  engines: ['PostgreSQL'],
  execute: run => underLoad(run, run.cycles(6, 200, 2), async () => crashDatabase(run)),
}

export const unsafeDatabase: Fault = {
  name: 'F2-',
  title: 'the same with synchronous_commit off, which must lose enquiries',
  engines: ['PostgreSQL'],
  async execute(run) {
    const outcome = await underLoad(run, run.cycles(3, 20), async () => crashDatabase(run), disableDurability)
    const failures = outcome.lost > 0 ? [] : ['nothing was lost, so these tests cannot detect a loss']
    return { ...outcome, lost: 0, failures, remark: `${outcome.lost} lost, as expected` }
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
      if (!(await waitUntil(() => recorder.acknowledged.size > before)))
        throw new Error(`No more enquiries are accepted: ${product.console().slice(-500)}`)
      await pause(60 + run.random() * 120)
      await crash(product)
      run.showProgress(`${done + 1} of ${cycles}, ${recorder.acknowledged.size} acknowledged`)
    }
  } finally {
    await load.end()
  }
  const { lost, duplicated } = await compareWithDatabase(recorder, product)
  // Without durability, emails about lost enquiries were sent too; the quick form has no time to wait for leases to expire.
  const failures = prepare || run.form === 'quick' ? [] : await awaitEmails(recorder, mail, product, run)
  await product.close()
  await mail.close()
  return { cycles: done, acknowledged: recorder.acknowledged.size, lost, duplicated, failures }
}

/** Waits until every email is sent; those that were in flight at a crash are sent when their lease expires. */
async function awaitEmails(
  recorder: LoadRecorder,
  mail: MailSink,
  where: DatabaseLocation,
  { showProgress, signal }: FaultRun,
): Promise<string[]> {
  const db = await openUnmigratedDatabase(where)
  await waitForZero(async () => {
    const waiting = await countWaiting(db)
    showProgress(`${waiting} emails are still to be sent`)
    return waiting
  }, signal)
  const digested = await readDigested(db)
  await db.destroy()
  // An email is marked as sent only after the relay has accepted it. After sixty notices an hour, a digest covers the others.
  const isNotified = (reference: string) => mail.references.has(reference) || digested.has(reference)
  const missing = [...recorder.acknowledged.values()].filter(it => !isNotified(it)).length
  return missing === 0 ? [] : [`${missing} acknowledged enquiries were not announced by email`]
}

async function readDigested(db: Database): Promise<Set<string>> {
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

/** Called after the start, because the product refuses to start on such a server. */
const disableDurability: Crash = async product => {
  const db = await openUnmigratedDatabase(product)
  await sql`alter system set synchronous_commit = off`.execute(db)
  await sql`alter system set wal_writer_delay = '10s'`.execute(db)
  await sql`select pg_reload_conf()`.execute(db)
  await db.destroy()
}
