import type { Database } from '../../src/database/tables.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { addEditor } from '../support/editor-token.ts'
import { newMessages } from '../support/messages.ts'
import { openMailSink } from '../support/smtp-sink.ts'
import { FAULT_TIMEOUT, type Fault, type Outcome, pause, waitUntil } from './fault.ts'
import { openUnmigratedDatabase } from './inspect-database.ts'
import { installProduct, type Product } from './product.ts'

export const changedTogether: Fault = {
  name: 'F22',
  title: 'kill -9 of the product while thousands of messages are changed in one call',
  engines: ['SQLite', 'PostgreSQL'],
  async execute(run) {
    const mail = await openMailSink(run.random)
    const product = await installProduct({ databaseUrl: await run.createDatabase(), smtpUrl: mail.url })
    await product.start()
    const db = await openUnmigratedDatabase(product)
    const ids = await storeMessages(db, run.cycles(2000, 5000, 1000))
    const wanted = run.cycles(5, 40, 3)
    const call = callRepeatedly(product, await addEditor(product, 'answer'), ids)
    const failures: string[] = []
    let cycles = 0
    for (; cycles < wanted && !call.isAnswered() && !run.signal.aborted; cycles++) {
      const before = await countClosed(db)
      await waitUntil(async () => call.isAnswered() || (await countClosed(db)) > before + run.random() * 200)
      await product.kill()
      failures.push(...(await findHalfChanged(db)))
      await product.start()
      run.showProgress(`${await countClosed(db)} of ${ids.length} messages, killed ${cycles + 1} times`)
    }
    const changed = await call.answered
    if (cycles < Math.min(2, wanted)) failures.push(`It was killed ${cycles} times only`)
    failures.push(...(await findHalfChanged(db)))
    const outcome = await conclude(db, ids, changed)
    await db.destroy()
    await product.close()
    await mail.close()
    return { ...outcome, failures, cycles, acknowledged: changed.length }
  },
}

async function storeMessages(db: Database, count: number): Promise<string[]> {
  const rows = newMessages(systemClock(), Array(count).fill({}))
  for (let start = 0; start < count; start += 500)
    await db
      .insertInto('messages')
      .values(rows.slice(start, start + 500))
      .execute()
  return rows.map(({ id }) => id)
}

/** Asks again until there is an answer, as the portal does after a lost connection. */
function callRepeatedly(product: Product, token: string, ids: readonly string[]) {
  let isAnswered = false

  async function askUntilAnswered(): Promise<string[]> {
    for (;;) {
      const reply = await fetch(`${product.url}/api/messages/bulk`, {
        method: 'POST',
        signal: AbortSignal.timeout(FAULT_TIMEOUT / 2),
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ ids, change: { status: 'closed' } }),
      }).catch(() => null)
      const body = await reply?.json().catch(() => null)
      if (body?.changed) {
        isAnswered = true
        return body.changed
      }
      await pause(30)
    }
  }

  return { answered: askUntilAnswered(), isAnswered: () => isAnswered }
}

async function countClosed(db: Database): Promise<number> {
  const row = await db
    .selectFrom('messages')
    .select(eb => eb.fn.countAll().as('count'))
    .where('status', '=', 'closed')
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** A message is closed and its history says so, or neither. */
async function findHalfChanged(db: Database): Promise<string[]> {
  const closed = await db
    .selectFrom('messages')
    .select(['id', 'version'])
    .where('status', '=', 'closed')
    .execute()
  const entries = await db.selectFrom('entries').select('message_id').execute()
  const events = new Set(entries.map(entry => entry.message_id))
  const half = closed.filter(({ id, version }) => version !== 2 || !events.has(id)).length
  const unfinished = events.size - closed.length
  return half > 0 || unfinished !== 0 ? [`${half + Math.abs(unfinished)} messages are changed in part`] : []
}

async function conclude(
  db: Database,
  ids: readonly string[],
  changed: readonly string[],
): Promise<Pick<Outcome, 'lost' | 'duplicated'>> {
  const entries = await db.selectFrom('entries').select('message_id').execute()
  const named = new Set(changed)
  const closed = await db.selectFrom('messages').select('id').where('status', '=', 'closed').execute()
  const isClosed = new Set(closed.map(({ id }) => id))
  return {
    lost: ids.filter(id => !named.has(id) || !isClosed.has(id)).length,
    duplicated: entries.length - new Set(entries.map(entry => entry.message_id)).size,
  }
}
