import { type ExpressionBuilder, sql } from 'kysely'
import * as z from 'zod/mini'
import { readAttachments } from '../../../attachments/store.server.ts'
import type { Database, MessageRow, Tables } from '../../../database/tables.ts'
import { toAttachments } from '../attachments/api.server.ts'
import { conversationKinds, type Entry, type FirstReply } from '../conversation/contract.ts'
import { bytesOfMail, readMails } from '../mail-in/stored-mail.server.ts'
import type { MessageEvent } from './entry-words.ts'

/**
 * A conversation is read in pages, the newest first. A page has so many bytes of JSON at most, but always one step; so what an
 * opening costs does not depend on what has been written there: decision 053.
 */
export const PAGE_BYTES = 256 * 1024
/** Steps of a page: many short ones take longer to read than few long ones. */
export const PAGE_STEPS = 1000
/** Bytes of a step beside its text: ids, names and times. With ten addresses that get a copy there are more. */
export const BESIDE_TEXT = 400
export const MOST_BESIDE_TEXT = 8000
/** JSON makes a text at most so many times as long: it has no control characters but line breaks and tabs. */
export const MAX_ESCAPED = 2
/** A number that no entry has. */
export const AFTER_ALL = 999_999_999

/** Events whose detail is the id of a user. */
const ABOUT_USERS: readonly MessageEvent[] = ['assigned', 'released', 'forwarded']

/** Events that the message into which something is merged has as well. */
const SHOWN_BY_TARGET: readonly MessageEvent[] = ['merged-into', 'unmerged', 'address-corrected']

const Addresses = z.array(z.string())

/** A message that is merged into the one that is shown. */
export type Merged = Pick<MessageRow, 'id' | 'reference' | 'message' | 'created_at'>

/** What a page of the history is chosen by: its text stays in the database until it is known how many fit. */
export interface Size {
  readonly id: string
  readonly seq: number
  readonly bytes: number
}

/** From this one on, and before that one. */
export interface Range<Key> {
  readonly from: Key
  readonly before: Key
}

/** Neither database reads a text for its length; SQLite would for a column after it. */
const bytesOfEntry = sql<number>`octet_length(entries.body) + ${bytesOfMail}`

function selectSizes(db: Database) {
  const sizes = db
    .selectFrom('entries')
    .leftJoin('inbound_mails', 'inbound_mails.entry_id', 'entries.id')
    .select(['entries.id', 'seq', bytesOfEntry.as('bytes')])
  return sizes.limit(PAGE_STEPS + 1)
}

/** The sizes of the newest entries of a message before a number, the newest first: one more than a page can have. */
export async function listSizes(db: Database, messageId: string, before: number): Promise<Size[]> {
  const own = selectSizes(db).where('entries.message_id', '=', messageId)
  return await own.where('seq', '<', before).orderBy('seq', 'desc').execute()
}

/** The same for messages that are merged into one, by the ids of their entries. */
export async function listMergedSizes(db: Database, ids: readonly string[], before: string): Promise<Size[]> {
  if (ids.length === 0) return []
  const merged = selectSizes(db).where('entries.message_id', 'in', ids).where(isShownByTarget)
  return await merged.where('entries.id', '<', before).orderBy('entries.id', 'desc').execute()
}

const isShownByTarget = (eb: ExpressionBuilder<Tables, 'entries'>) =>
  eb.or([eb('entries.kind', '!=', 'event'), eb('entries.action', 'not in', SHOWN_BY_TARGET)])

/**
 * What belongs to messages that are merged into one, for its history, beside each enquiry. It moves no `lastSeq`: nobody works
 * on them there.
 */
export async function readMerged(
  db: Database,
  merged: readonly Merged[],
  { from, before }: Range<string>,
): Promise<Entry[]> {
  if (merged.length === 0 || from === before) return []
  const origins = new Map(merged.map(({ id, reference }) => [id, { id, reference }]))
  const rows = await selectEntries(db)
    .where('entries.message_id', 'in', [...origins.keys()])
    .where(isShownByTarget)
    .where('entries.id', '>=', from)
    .where('entries.id', '<', before)
    .execute()
  return await addMails(
    db,
    rows.map(row => ({ ...toEntry(row), origin: origins.get(row.message_id) })),
  )
}

/** The enquiry of a merged message, as what the visitor said. */
export function toEnquiry({ id, reference, message, created_at }: Merged): Entry {
  return {
    ...{
      id,
      seq: 0,
      kind: 'inbound',
      author: null,
      body: message,
      detail: null,
      cc: [],
      createdAt: created_at,
    },
    ...{ delivery: null, deliveryError: null, sendsAt: null, origin: { id, reference } },
  }
}

/** Entries of a message, oldest first. */
export async function readOwn(db: Database, messageId: string, { from, before }: Range<number>) {
  const rows = await selectEntries(db)
    .where('entries.message_id', '=', messageId)
    .where('seq', '>=', from)
    .where('seq', '<', before)
    .orderBy('seq')
    .execute()
  return await addMails(db, rows.map(toEntry))
}

/** With what came beside the text of a mail, and the files of replies. */
export async function addMails(db: Database, entries: readonly Entry[]): Promise<Entry[]> {
  const idsOf = (wanted: Entry['kind']) => entries.flatMap(({ id, kind }) => (kind === wanted ? id : []))
  const mails = await readMails(db, idsOf('inbound'))
  const sent = await readAttachments(db, idsOf('reply'))
  return entries.map(entry => {
    const files = sent.get(entry.id)
    return { ...entry, ...mails.get(entry.id), ...(files && { attachments: toAttachments(files) }) }
  })
}

/** The number of the last entry before this one that is no event; 0 without any. */
export async function lastSaidBefore(db: Database, messageId: string, seq: number): Promise<number> {
  const said = await db
    .selectFrom('entries')
    .select('seq')
    .where('message_id', '=', messageId)
    .where('seq', '<', seq)
    .where('kind', 'in', conversationKinds)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return said?.seq ?? 0
}

export async function readFirstReply(db: Database, ids: readonly string[]): Promise<FirstReply | null> {
  const first = db
    .selectFrom('entries')
    .select('id')
    .where('message_id', 'in', ids)
    .where('kind', '=', 'reply')
    // PostgreSQL would read all entries in the order of their ids: it counts on a reply soon where there are many.
    .orderBy(sql`${sql.ref('id')} || ''`)
    .limit(1)
  const entry = await selectEntries(db).where('entries.id', '=', first).executeTakeFirst()
  if (!entry) return null
  const { author, createdAt } = toEntry(entry)
  return { author, createdAt }
}

/** What was said after the entry with this number; of very much, the newest. */
export async function readNewer(db: Database, messageId: string, seq: number): Promise<Entry[]> {
  if ((await lastSaidBefore(db, messageId, AFTER_ALL)) <= seq) return []
  const sizes = (await listSizes(db, messageId, AFTER_ALL)).slice(0, PAGE_STEPS)
  const newer = sizes.filter(size => size.seq > seq)
  const shown = within(newer, ({ bytes }) => MAX_ESCAPED * bytes + BESIDE_TEXT)
  const entries = await readOwn(db, messageId, { from: shown.at(-1)?.seq ?? AFTER_ALL, before: AFTER_ALL })
  return entries.filter(({ kind }) => kind !== 'event')
}

/** As many of the steps as fit into a page, and at least one. */
export function within<T>(steps: readonly T[], bytesOf: (step: T) => number): T[] {
  let bytes = 0
  const end = steps.findIndex((step, at) => {
    bytes += bytesOf(step)
    return bytes > PAGE_BYTES && at > 0
  })
  return steps.slice(0, end < 0 ? undefined : end)
}

export async function readEntry(db: Database, id: string): Promise<Entry | undefined> {
  const row = await selectEntries(db).where('entries.id', '=', id).executeTakeFirst()
  return row && toEntry(row)
}

function selectEntries(db: Database) {
  return db
    .selectFrom('entries')
    .leftJoin('users as author', 'author.id', 'entries.author_id')
    .leftJoin('users as colleague', join =>
      join.onRef('colleague.id', '=', 'entries.detail').on('entries.action', 'in', ABOUT_USERS),
    )
    .leftJoin('former_users as former', 'former.id', 'entries.author_id')
    .leftJoin('former_users as former_colleague', join =>
      join.onRef('former_colleague.id', '=', 'entries.detail').on('entries.action', 'in', ABOUT_USERS),
    )
    .leftJoin('outbox', 'outbox.id', 'entries.id')
    .select(eb => [
      eb.fn.coalesce('author.name', 'former.name').as('author_name'),
      eb.fn.coalesce('colleague.name', 'former_colleague.name').as('colleague_name'),
    ])
    .select([
      'entries.id',
      'entries.message_id',
      'entries.seq',
      'entries.kind',
      'entries.body',
      'entries.action',
      'entries.status_before',
      'entries.status_after',
      'entries.detail',
      'entries.cc',
      'entries.call_direction',
      'entries.call_outcome',
      'entries.call_minutes',
      'entries.created_at',
      // Null once the user is deleted.
      'author.id as author_user',
      'outbox.state',
      'outbox.last_error',
      'outbox.due_at',
      'outbox.attempts',
      'outbox.sent_at',
      // Of one that is sent it is empty.
      'outbox.email as unsent',
    ])
}

type Row = Awaited<ReturnType<ReturnType<typeof selectEntries>['execute']>>[number]

function toEntry(row: Row): Entry {
  const { id, seq, kind, author_user, author_name, body, cc } = row
  return {
    id,
    seq,
    kind,
    author: author_name === null ? null : { id: author_user, name: author_name },
    body: row.action ?? body,
    detail: detailOf(row),
    cc: cc === null ? [] : Addresses.parse(JSON.parse(cc)),
    createdAt: row.created_at,
    delivery: row.state,
    deliveryError: row.state === 'sent' ? null : row.last_error,
    sendsAt: kind === 'reply' && row.state === 'waiting' && row.attempts === 0 ? row.due_at : null,
    ...(kind === 'event' && {
      action: row.action,
      statusBefore: row.status_before,
      statusAfter: row.status_after,
    }),
    ...(kind === 'call' && describeCall(row)),
    ...(kind === 'reply' && describeDelivery(row)),
  }
}

const Unsent = z.object({ to: z.optional(z.string()), lacking: z.optional(Addresses) })

/** What is not out still names its recipients. */
function describeDelivery({ state, sent_at, unsent, cc }: Row) {
  if (state === 'sent' && sent_at) return { deliveredAt: sent_at }
  if (!unsent) return {}
  const { to, lacking } = Unsent.parse(JSON.parse(unsent))
  if (to === undefined) return {}
  const all = [to, ...(cc === null ? [] : Addresses.parse(JSON.parse(cc)))]
  return { to, ...(state === 'failed' && { lacking: lacking ?? all }) }
}

/** A call from before says only that somebody was reached. */
function describeCall({ call_direction, call_outcome, call_minutes }: Row) {
  return {
    outcome: call_outcome ?? 'reached',
    ...(call_direction && { direction: call_direction }),
    ...(call_minutes !== null && { minutes: call_minutes }),
  }
}

function detailOf({ action, status_after, detail, colleague_name }: Row): string | null {
  if (action === 'status') return status_after
  return ABOUT_USERS.some(event => event === action) ? colleague_name : detail
}
