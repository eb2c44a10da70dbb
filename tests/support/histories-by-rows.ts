import type { Insertable } from 'kysely'
import { newId } from '../../src/database/id.ts'
import type { Tables } from '../../src/database/tables.ts'
import { inTransaction, type Transaction } from '../../src/database/transaction.ts'
import { updateFirstReply } from '../../src/features/inbox/reply-clock/update-due.server.ts'
import type { Services } from '../../src/services.ts'
import { newMessages } from './messages.ts'
import { type Doer, type History, type Reply, SPAN } from './reply-histories.ts'
import type { TestApp } from './test-app.ts'

/** Histories of one transaction. */
const AT_ONCE = 1000
/** Transactions at a time: PostgreSQL has most of its time to wait for us. */
const WORKERS = 6
/** Rows of one statement, few enough for either engine. */
const ROWS = 500

/** Does nothing: what is written down becomes rows afterwards, by `storeHistories`. */
export function doOnPaper(
  { services: { clock } }: TestApp,
  people: readonly { readonly id: string }[],
): Doer {
  let now = clock().getTime() - SPAN
  const nothing = async () => {}
  const nextId = async () => newId(new Date(now))
  return {
    timeOf: async () => now,
    wait: milliseconds => {
      now += Math.round(milliseconds)
    },
    idOf: person => people[person]?.id ?? '',
    ...{ receive: nextId, reply: nextId, call: nextId },
    ...{ undo: nothing, deliver: nothing, giveUp: nothing, retry: nothing },
    ...{ changeStatus: nothing, delete: nothing },
  }
}

/** Writes what the API would have left, and has the product work out the first reply of each. */
export async function storeHistories({ services }: TestApp, histories: readonly History[]): Promise<void> {
  const kept = histories.filter(({ status }) => status !== 'deleted')
  const starts = Array.from({ length: Math.ceil(kept.length / AT_ONCE) }, (_, at) => at * AT_ONCE)
  async function work() {
    for (let start = starts.shift(); start !== undefined; start = starts.shift())
      await storeSome(services, kept.slice(start, start + AT_ONCE))
  }
  await Promise.all(Array.from({ length: WORKERS }, work))
}

async function storeSome({ db, content }: Services, histories: readonly History[]) {
  await inTransaction(db, async transaction => {
    const messages = histories.map(toMessage)
    await insert(transaction, 'messages', messages)
    const replies = histories.flatMap(({ id, replies }) =>
      replies.filter(({ state }) => state !== 'undone').map(reply => ({ id, reply })),
    )
    await insert(transaction, 'entries', replies.map(toEntry))
    await insert(transaction, 'outbox', replies.filter(({ reply }) => reply.kind === 'reply').map(toEmail))
    const answered = new Set(replies.map(({ id }) => id))
    for (const message of messages)
      if (answered.has(message.id)) await updateFirstReply({ content, transaction }, message)
  })
}

async function insert<Table extends 'messages' | 'entries' | 'outbox'>(
  transaction: Transaction,
  table: Table,
  rows: readonly Insertable<Tables[Table]>[],
) {
  for (let start = 0; start < rows.length; start += ROWS)
    await transaction
      .insertInto(table)
      .values(rows.slice(start, start + ROWS))
      .execute()
}

function toMessage({ id, received, status }: History) {
  const created_at = iso(received)
  const [message] = newMessages(new Date(received), [{ id, reference: `LF-${id}`, created_at }])
  if (!message || status === 'deleted') throw new Error('Nothing is left of it')
  return { ...message, status }
}

interface OfMessage {
  readonly id: string
  readonly reply: Reply
}

function toEntry({ id: message_id, reply }: OfMessage, at: number): Insertable<Tables['entries']> {
  const { id, kind, author: author_id, written } = reply
  // Of one message they count on, which is all that their numbers have to do.
  return { id, message_id, seq: at + 1, kind, author_id, body: 'Yes.', created_at: iso(written) }
}

function toEmail({ id: message_id, reply: { id, state, queued } }: OfMessage): Insertable<Tables['outbox']> {
  if (state === 'undone') throw new Error('It was taken back')
  const created_at = iso(queued)
  return { id, kind: 'reply', message_id, email: '{}', state, attempts: 1, due_at: created_at, created_at }
}

const iso = (time: number) => new Date(time).toISOString()
