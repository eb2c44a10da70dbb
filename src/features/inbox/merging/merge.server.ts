import { type SqlBool, sql } from 'kysely'
import { comparedDigits, comparedPhone } from '../../../database/compared-phone.ts'
import type { MessageStatus } from '../../../database/conversation-tables.ts'
import { lock } from '../../../database/locks.ts'
import type { Database, MessageRow } from '../../../database/tables.ts'
import { inTransaction, type Transaction } from '../../../database/transaction.ts'
import { statusOfMerged } from '../../../erasure/with-merged.ts'
import { type ApiRouter, serve } from '../../../http/api-router.ts'
import { throwHttpError } from '../../../http/http-error.ts'
import { isoAfter } from '../../../platform/clock.ts'
import type { Services } from '../../../services.ts'
import { MAX_SAME_PERSON, type OpenMessage } from '../contract.ts'
import { merge } from '../conversation/contract.ts'
import { holdScheduled, moveDrafts } from '../drafts/drafts.server.ts'
import {
  addEvent,
  areFull,
  lockMessage,
  lockThread,
  recordActivity,
  type Work,
} from '../history/entries.server.ts'
import { EXCERPT_SOURCE, excerptOf } from '../messages/select-messages.server.ts'
import { changeStatus, setStatus } from '../messages/set-status.server.ts'
import { parseDetails, updateMessage } from '../messages/store.server.ts'
import { updateDue } from '../reply-clock/update-due.server.ts'

type Inbox = Pick<Services, 'db' | 'clock' | 'content'>

/** So that no conversation is read without bound; one person writes a few times. */
export const MAX_MERGED = 20

const GONE = 'This enquiry no longer exists'

/**
 * Makes a message part of another one's conversation: decision 046. Its rows stay its own, so this can be undone at any time;
 * only what staff are writing moves. @throws {HttpError} 404, 409
 */
export async function mergeInto(
  { db, clock, content }: Inbox,
  { id, into, replyTo }: { id: string; into: string; replyTo?: string | undefined },
  userId: string,
): Promise<{ isSameAddress: boolean }> {
  return await inTransaction(db, async transaction => {
    const work = { transaction, clock, content, byId: userId }
    await lock(transaction, 'conversations')
    const message = (await lockMessage(transaction, id)) ?? throwHttpError(404, GONE)
    const target = (await lockMessage(transaction, into)) ?? throwHttpError(404, GONE)
    const isSame = { isSameAddress: isSameAddress(message, target) }
    // A repeat of a call that got no reply.
    if (message.merged_into === into) return isSame
    const obstacle = await findObstacle(transaction, { message, target })
    if (obstacle) throwHttpError(409, obstacle)
    if (!isSame.isSameAddress) assertRecipient(message, target, replyTo)
    // A reply that was begun to one person must not go to another.
    const kinds = isSame.isSameAddress ? (['reply', 'note'] as const) : (['note'] as const)
    await moveDrafts(work, { from: id, to: into, kinds })
    const where = isSame.isSameAddress ? '' : '. Undo the merge to get its draft back'
    await holdScheduled(transaction, { messageId: id }, `The enquiry was merged into another${where}`)
    await holdScheduled(transaction, { messageId: into }, 'Another enquiry was merged into this one')
    await updateMessage(transaction, id, { merged_into: into })
    await setStatus(work, message, 'closed')
    await addEvent(work, id, 'merged-into', { status_before: message.status, status_after: 'closed' })
    const isReopened = message.status === 'open' && target.status !== 'open'
    const kept = isReopened && ({ status_before: target.status, status_after: 'open' } as const)
    await addEvent(work, into, 'merged', { detail: message.reference, ...kept })
    if (message.status === 'open') await keepOpen(work, { message, target })
    for (const changed of [id, into]) await updateDue(work, changed)
    // Nobody deletes what staff have worked on as unread, nor the new enquiry with an old one.
    for (const changed of [id, into]) await recordActivity(work, changed)
    return isSame
  })
}

/** Two addresses may be two people, of whom only one gets the replies: who merges has to know which. */
function assertRecipient(message: MessageRow, target: MessageRow, replyTo: string | undefined) {
  if (replyTo?.toLowerCase() === target.email.toLowerCase()) return
  const personOf = ({ name, email }: MessageRow) => ({ name, email })
  throwHttpError(409, 'These came from different addresses. Say which one gets the replies.', {
    code: 'other_address',
    fields: { repliesTo: personOf(target), noRepliesTo: personOf(message) },
  })
}

async function findObstacle(transaction: Transaction, { message, target }: Pair): Promise<string | null> {
  if (message.id === target.id) return 'A message cannot be merged into itself'
  if (message.merged_into !== null) return 'This enquiry is merged into another already'
  if (target.merged_into !== null) return 'That message is merged into another: merge into that one'
  if (target.status === 'spam') return 'That message is spam'
  if (!mayBeSamePerson(message, target))
    return 'Only messages with the same email address or phone number can be merged'
  if ((await listMerged(transaction, message.id)).length > 0)
    return 'Others are merged into this message: merge that one into this instead'
  const merged = await listMerged(transaction, target.id)
  if (merged.length >= MAX_MERGED) return `At most ${MAX_MERGED} messages are merged into one`
  const isTooLong = await areFull(transaction, [message.id, target.id, ...merged.map(({ id }) => id)])
  return isTooLong ? 'Together these enquiries are longer than one conversation can be' : null
}

interface Pair {
  readonly message: MessageRow
  readonly target: MessageRow
}

/** What somebody still has to answer must not disappear in something that is closed. */
export async function keepOpen(work: Work, { message, target }: Pair) {
  for (const { id, snoozed_until } of [message, target])
    if (snoozed_until !== null && snoozed_until > isoAfter(work.clock)) {
      const snoozed = work.transaction.updateTable('messages').where('id', '=', id)
      await snoozed.set(eb => ({ snoozed_until: null, version: eb('version', '+', 1) })).execute()
      await addEvent(work, id, 'unsnoozed')
    }
  if (target.status !== 'open' && target.status !== 'spam') await changeStatus(work, target, 'open')
}

/** Both have the status from before the merge again, the kept one unless something has happened since. @throws {HttpError} 404, 409 */
async function undoMerge({ db, clock, content }: Inbox, id: string, userId: string): Promise<void> {
  await inTransaction(db, async transaction => {
    const work = { transaction, clock, content, byId: userId }
    const { message, target } = await lockThread(transaction, id)
    if (!message) throwHttpError(404, GONE)
    if (message.merged_into === null) throwHttpError(409, 'This enquiry is not merged')
    const own = await statusOfMerged(transaction, id)
    const kept = await statusOfKept(transaction, message)
    await updateMessage(transaction, id, { merged_into: null })
    await setStatus(work, message, own)
    await addEvent(work, id, 'unmerged', { status_before: message.status, status_after: own })
    if (target) await leave(work, { message, target }, kept)
    for (const changed of [id, message.merged_into]) await updateDue(work, changed)
  })
}

/** Events after which a message is no longer as a merge has left it, as it is after anything that was said. */
const DECISIVE = [
  'status',
  'snoozed',
  'merged',
  'unmerged',
  'reply-undone',
  'reply-failed',
  'reply-unsent',
] as const

/** The status that the kept message had before this one was merged into it; null unless that opened it, and was the last change. */
async function statusOfKept(transaction: Transaction, { merged_into, reference }: MessageRow) {
  const kept = transaction.selectFrom('entries').where('message_id', '=', merged_into)
  const merges = kept.where('action', '=', 'merged').where('detail', '=', reference).orderBy('seq', 'desc')
  const merged = await merges.select(['seq', 'status_before']).limit(1).executeTakeFirst()
  if (!merged?.status_before) return null
  const { count } = await kept
    .select(eb => eb.fn.countAll().as('count'))
    .where('seq', '>', merged.seq)
    .where(eb => eb.or([eb('kind', '!=', 'event'), eb('action', 'in', DECISIVE)]))
    .executeTakeFirstOrThrow()
  // The opening itself.
  return Number(count) === 1 ? merged.status_before : null
}

/** Who saw the kept message before must not change it with others: it is another conversation now. */
async function leave(work: Work, { message, target }: Pair, status: MessageStatus | null) {
  await addEvent(work, target.id, 'unmerged', { detail: message.reference })
  const raised = work.transaction.updateTable('messages').where('id', '=', target.id)
  await raised.set(eb => ({ version: eb('version', '+', 1) })).execute()
  if (status) await changeStatus(work, { ...target, version: target.version + 1 }, status)
}

/** The messages that are merged into one, oldest first. */
export async function listMerged(db: Database, id: string) {
  const merged = selectRelated(db).where('merged_into', '=', id)
  return await merged.where('merged_into', 'is not', null).orderBy('id').limit(MAX_MERGED).execute()
}

export function serveMerge(router: ApiRouter): void {
  const { services } = router

  serve(router, merge.into, async ({ id, into, replyTo }, { user, log }) => {
    const { isSameAddress } = await mergeInto(services, { id, into, replyTo }, user.id)
    log('info', 'API', 'Message merged', { messageId: id, into, isSameAddress })
    return {}
  })

  serve(router, merge.undo, async ({ id }, { user, log }) => {
    await undoMerge(services, id, user.id)
    log('info', 'API', 'Merge undone', { messageId: id })
    return {}
  })
}

type RelatedRow = Awaited<ReturnType<ReturnType<typeof selectRelated>['execute']>>[number]
type Person = Pick<MessageRow, 'id' | 'email' | 'phone'>

/**
 * Other messages with the same email address, the newest first, and after them those with the same phone number only. A number
 * is a hint: anybody may type it, and families share one. Decision 051.
 */
export async function findSamePerson(db: Database, person: Person): Promise<OpenMessage['samePerson']> {
  const number = comparedDigits(person.phone)
  const email = person.email.toLowerCase()
  const [byEmail, byPhone] = await Promise.all([
    email === '' ? [] : findIds(db, person, sql<SqlBool>`lower(email) = ${email}`),
    number === null ? [] : findIds(db, person, sql<SqlBool>`${comparedPhone(db)} = ${number}`),
  ])
  const ids = [...new Set([...byEmail, ...byPhone])].slice(0, MAX_SAME_PERSON)
  if (ids.length === 0) return []
  const rows = new Map((await selectRelated(db).where('id', 'in', ids).execute()).map(row => [row.id, row]))
  return ids.flatMap(id => {
    const row = rows.get(id)
    return row ? [toRelated(row, person)] : []
  })
}

/** Whether two messages came from the same address, to which their replies go. Without one, nobody is known to be the same. */
function isSameAddress(one: Pick<Person, 'email'>, other: Pick<Person, 'email'>): boolean {
  return one.email !== '' && one.email.toLowerCase() === other.email.toLowerCase()
}

/** Whether there is a hint that two messages are of one person: their address or their phone number. */
function mayBeSamePerson(one: Person, other: Person): boolean {
  const number = comparedDigits(one.phone)
  return isSameAddress(one, other) || (number !== null && number === comparedDigits(other.phone))
}

export function toRelated(row: RelatedRow, person: Pick<Person, 'email'>): OpenMessage['samePerson'][number] {
  const { id, reference, name, email, status, form_type: formType, created_at: createdAt } = row
  const excerpt = excerptOf(row.excerpt ?? row.message)
  const isSame = isSameAddress(row, person)
  return { id, reference, name, email, status, formType, createdAt, excerpt, isSameAddress: isSame }
}

/** With all that the visitor said beside the message, which is an entry of the conversation. */
export function toMerged(
  row: RelatedRow,
  person: Pick<Person, 'email'>,
): NonNullable<OpenMessage['merged']>[number] {
  const { phone, service, details } = row
  return { ...toRelated(row, person), phone, service, details: parseDetails(details) }
}

/** Of a long message, no more than an excerpt is made of. */
function selectRelated(db: Database) {
  return db
    .selectFrom('messages')
    .select(['id', 'reference', 'form_type', 'status', 'excerpt', 'created_at'])
    .select(['name', 'email', 'phone', 'service', 'details'])
    .select(sql<string>`substr(message, 1, ${sql.lit(EXCERPT_SOURCE)})`.as('message'))
}

async function findIds(db: Database, { id }: Person, isSame: ReturnType<typeof sql<SqlBool>>) {
  const rows = await db
    .selectFrom('messages')
    .select('id')
    .where(isSame)
    .where('id', '!=', id)
    .where('merged_into', 'is', null)
    .orderBy('id', 'desc')
    .limit(MAX_SAME_PERSON)
    .execute()
  return rows.map(row => row.id)
}
