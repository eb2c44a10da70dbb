import { type SqlBool, sql } from 'kysely'
import * as z from 'zod/mini'
import { openAttachment, readAttachments, type ScannedAttachment } from '../../attachments/store.server.ts'
import { canonicalEmail } from '../../auth/staff-email.ts'
import type { Database, MessageRow } from '../../database/tables.ts'
import { statusOfMerged, withMerged } from '../../erasure/with-merged.ts'
import { throwHttpError } from '../../http/http-error.ts'
import type { Services } from '../../services.ts'
import { reached } from '../inbox/history/entries.server.ts'
import type { Said, Status } from './contract.ts'

/** Steps of a conversation that its visitor reads, the newest of them. */
const MOST_SHOWN = 200

const isSame = (one: string, other: string) => one !== '' && canonicalEmail(one) === canonicalEmail(other)

/**
 * The conversation of an enquiry as its visitor may see it. One that is merged into another of the same address goes on there; one
 * that staff have merged across addresses shows only itself, because the rest is somebody else's.
 */
export interface Conversation {
  /** In which staff work on it. */
  readonly kept: MessageRow
  /** The messages whose history is the visitor's. */
  readonly ids: readonly string[]
}

export async function findConversation(db: Database, message: MessageRow): Promise<Conversation> {
  if (message.merged_into === null) return { kept: message, ids: await withMerged(db, [message.id]) }
  const target = db.selectFrom('messages').selectAll().where('id', '=', message.merged_into)
  const kept = await target.executeTakeFirst()
  if (!kept || !isSame(kept.email, message.email)) return { kept: message, ids: [message.id] }
  return { kept, ids: await withMerged(db, [kept.id]) }
}

/** What anybody with the link sees. */
export async function readStatus(
  { db, content }: Pick<Services, 'db' | 'content'>,
  message: MessageRow,
): Promise<Status> {
  const { kept, ids } = await findConversation(db, message)
  const { answered, wrote, withdrew, isAnswering, wasRead } = await readLast(db, message, ids)
  // Merging across addresses closes it, and says nothing of the visitor's enquiry.
  const status = kept.merged_into === null ? kept.status : await statusOfMerged(db, kept.id)
  const hasWrittenSince = answered !== undefined && wrote !== undefined && wrote.id > answered.id
  const isWithdrawn = withdrew !== undefined && withdrew.id > later(answered, wrote)
  const isAwaited = kept.status === 'open' && (!answered || hasWrittenSince) && !isAnswering && !isWithdrawn
  const { hidden } = content.read()
  return {
    reference: message.reference,
    receivedAt: message.created_at,
    // Its visitor has not seen why it is closed, while the answer has not gone out.
    state: stateOf({
      isClosed: status === 'closed' && !isAnswering,
      isAnswered: Boolean(answered),
      wasRead: wasRead || kept.is_read === 1,
    }),
    answeredAt: answered?.at ?? null,
    hasWrittenSince,
    withdrawnAt: isWithdrawn ? withdrew.at : null,
    // The hours of the sample promise nothing to visitors.
    answerBy: isAwaited && !hidden.has('officeHours') ? kept.due_at : null,
  }
}

interface Reached {
  readonly isClosed: boolean
  readonly isAnswered: boolean
  /** By a person, also if something has come since. */
  readonly wasRead: boolean
}

function stateOf({ isClosed, isAnswered, wasRead }: Reached): Status['state'] {
  if (isClosed) return 'closed'
  if (isAnswered) return 'answered'
  return wasRead ? 'read' : 'received'
}

interface Step {
  readonly id: string
  readonly at: string
}

const later = (one: Step | undefined, other: Step | undefined) =>
  [one?.id ?? '', other?.id ?? ''].toSorted().at(-1) ?? ''

/**
 * The last answer that has gone out or call that has reached the visitor, the last that the visitor wrote, and the last time they said
 * that they need no answer; whether a reply is on its way, and whether a person has read it. In a conversation with others, what
 * others wrote and withdrew is theirs.
 */
async function readLast(db: Database, message: MessageRow, ids: readonly string[]) {
  const rows = await selectEntries(db, [...ids, ...(message.merged_into ? [message.merged_into] : [])])
    .leftJoin('inbound_mails', 'inbound_mails.entry_id', 'entries.id')
    .leftJoin('outbox', join => join.onRef('outbox.id', '=', 'entries.id').on('outbox.state', '<>', 'sent'))
    .select(['entries.kind', 'entries.action', 'outbox.state'])
    .select(({ fn }) => [fn.max('entries.id').as('id'), fn.max('entries.created_at').as('at')])
    .where(eb => {
      const isOwn = eb('entries.message_id', 'in', ids)
      return eb.or([
        eb.and([eb('entries.kind', '=', 'reply'), isOwn]),
        eb.and([eb('entries.kind', '=', 'call'), reached('entries.call_outcome'), isOwn]),
        eb.and([eb('entries.action', '=', 'withdrawn'), eb('entries.detail', 'in', ids)]),
        eb.and([eb('entries.action', '=', 'read'), isOwn]),
        eb.and([eb('entries.kind', '=', 'inbound'), eb('automatic', 'is', null), isFrom(message)]),
      ])
    })
    .groupBy(['entries.kind', 'entries.action', 'outbox.state'])
    .execute()
  const lastOf = (...kinds: readonly string[]) =>
    rows
      .filter(({ kind, action, state }) => kinds.includes(action ?? kind) && state === null)
      .toSorted((one, other) => (one.id < other.id ? -1 : 1))
      .at(-1)
  return {
    answered: lastOf('reply', 'call'),
    wrote: lastOf('inbound'),
    withdrew: lastOf('withdrawn'),
    wasRead: lastOf('read') !== undefined,
    isAnswering: rows.some(({ state }) => state === 'waiting'),
  }
}

/** Whether a mail, or what was written on the page, came from the address of a message. */
const isFrom = ({ email }: MessageRow) =>
  sql<SqlBool>`lower(inbound_mails.from_address) in (${email.toLowerCase()}, ${canonicalEmail(email)})`

/** A reply that can still be taken back, or has failed, has reached nobody. */
const isOut = sql<boolean>`not exists (select 1 from outbox where outbox.id = entries.id and state <> 'sent')`

function selectEntries(db: Database, ids: readonly string[]) {
  return db.selectFrom('entries').where('entries.message_id', 'in', ids)
}

const Addresses = z.array(z.string())

/** What staff would not open, a visitor does not get either. */
function toFile({ id, name, size, kind, sha256, found }: ScannedAttachment): Said['files'] {
  return kind === 'file' ? [{ id, name, size, isKept: sha256 !== null && found === null }] : []
}

/**
 * What visitor and agency have said to each other, the oldest first: what was sent to the visitor's own address, and what came from
 * it. Never a note, a call, an event, a forwarded text, or what somebody else wrote.
 */
export async function readSaid(db: Database, message: MessageRow): Promise<Said[]> {
  const { ids } = await findConversation(db, message)
  const enquiries = db.selectFrom('messages').select(['id', 'name', 'message', 'created_at'])
  const sent = await enquiries.where('id', 'in', ids).execute()
  const entries = await selectEntries(db, [...ids, ...(message.merged_into ? [message.merged_into] : [])])
    .leftJoin('inbound_mails', 'inbound_mails.entry_id', 'entries.id')
    .leftJoin('users', 'users.id', 'entries.author_id')
    .leftJoin('former_users', 'former_users.id', 'entries.author_id')
    .select([
      'entries.id',
      'entries.message_id',
      'entries.kind',
      'entries.body',
      'entries.cc',
      'entries.created_at',
    ])
    .select(eb => eb.fn.coalesce('users.name', 'former_users.name').as('author'))
    .where(eb => {
      const isToOwn = eb.or([eb('entries.message_id', 'in', ids), eb('cc', 'is not', null)])
      return eb.or([
        eb.and([eb('entries.kind', '=', 'inbound'), eb('automatic', 'is', null), isFrom(message)]),
        eb.and([eb('entries.kind', '=', 'reply'), isToOwn, isOut]),
      ])
    })
    .orderBy('entries.id', 'desc')
    .limit(MOST_SHOWN)
    .execute()
  const isOwn = ({ message_id, kind, cc }: (typeof entries)[number]) => {
    if (kind === 'inbound' || ids.includes(message_id)) return true
    // Of a conversation with somebody else, only what was sent to this address too.
    return cc !== null && Addresses.parse(JSON.parse(cc)).some(address => isSame(address, message.email))
  }
  const own = entries.filter(isOwn)
  const attachments = await readAttachments(db, [...ids, ...own.map(({ id }) => id)])
  const filesOf = (id: string) => (attachments.get(id) ?? []).flatMap(toFile)
  const said = own.map(({ id, kind, author, body, created_at: createdAt }): Said => {
    const by = kind === 'reply' ? 'agency' : 'visitor'
    return { id, by, name: by === 'agency' ? author : null, body, files: filesOf(id), createdAt }
  })
  const first = sent.map(({ id, message: body, created_at: createdAt }): Said => {
    return { id, by: 'visitor', name: null, body, files: filesOf(id), createdAt }
  })
  const place = ({ createdAt, id }: Said) => `${createdAt} ${id}`
  return [...first, ...said].toSorted((one, other) => (place(one) < place(other) ? -1 : 1))
}

/** A file of what was said. @throws {HttpError} 404 for one that is not kept, not the visitor's, or locked */
export async function openSaidFile(db: Database, message: MessageRow, id: string) {
  const said = await readSaid(db, message)
  const isShown = said.some(({ files }) => files.some(file => file.id === id && file.isKept))
  const row = db.selectFrom('attachments').select('message_id').where('id', '=', id)
  const place = isShown ? await row.executeTakeFirst() : undefined
  const file = place && (await openAttachment(db, place.message_id, { id, userId: '' }))
  return file ?? throwHttpError(404, 'This file is not kept')
}
