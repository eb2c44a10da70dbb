import type { Clock } from '../../clock.ts'
import type { MessageStatus } from '../../database/conversation-tables.ts'
import { lock } from '../../database/locks.ts'
import type { Database, MessageRow } from '../../database/tables.ts'
import { inTransaction, type Transaction } from '../../database/transaction.ts'
import { statusOfKept, statusOfMerged } from '../../erasure/with-merged.ts'
import { throwHttpError } from '../../http/http-error.ts'
import type { Services } from '../../services.ts'
import { moveDrafts } from './drafts.server.ts'
import { addEvent, areFull, lockMessage, lockThread, recordActivity } from './entries.server.ts'
import { isSameAddress, mayBeSamePerson, selectRelated } from './same-person.server.ts'
import { setStatus } from './set-status.server.ts'
import { updateDue } from './update-due.server.ts'

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
    await lock(transaction, 'conversations')
    const message = (await lockMessage(transaction, id)) ?? throwHttpError(404, GONE)
    const target = (await lockMessage(transaction, into)) ?? throwHttpError(404, GONE)
    const isSame = { isSameAddress: isSameAddress(message, target) }
    // A repeat of a call that got no reply.
    if (message.merged_into === into) return isSame
    const obstacle = await findObstacle(transaction, message, target)
    if (obstacle) throwHttpError(409, obstacle)
    if (!isSame.isSameAddress) assertRecipient(message, target, replyTo)
    // A reply that was begun to one person must not go to another.
    const kinds = isSame.isSameAddress ? (['reply', 'note'] as const) : (['note'] as const)
    await moveDrafts(transaction, clock, { from: id, to: into, kinds })
    await transaction.updateTable('messages').set({ merged_into: into }).where('id', '=', id).execute()
    await setStatus(transaction, clock, message, 'closed', userId)
    const isReopened = message.status === 'open' && target.status !== 'open'
    const statuses = isReopened ? `open ${target.status}` : message.status
    await addEvent(transaction, clock, id, userId, 'merged-into', statuses)
    await addEvent(transaction, clock, into, userId, 'merged', message.reference)
    if (message.status === 'open') await keepOpen(transaction, clock, { message, target }, userId)
    for (const changed of [id, into]) await updateDue(transaction, content, changed)
    // Nobody deletes what staff have worked on as unread, nor the new enquiry with an old one.
    for (const changed of [id, into]) await recordActivity(transaction, clock, changed)
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

async function findObstacle(
  transaction: Transaction,
  message: MessageRow,
  target: MessageRow,
): Promise<string | null> {
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

/** What somebody still has to answer must not disappear in something that is closed. */
export async function keepOpen(
  transaction: Transaction,
  clock: Clock,
  { message, target }: { message: MessageRow; target: MessageRow },
  userId: string,
) {
  for (const { id, snoozed_until } of [message, target])
    if (snoozed_until !== null) {
      const snoozed = transaction.updateTable('messages').where('id', '=', id)
      await snoozed.set(eb => ({ snoozed_until: null, version: eb('version', '+', 1) })).execute()
      await addEvent(transaction, clock, id, userId, 'unsnoozed')
    }
  if (target.status === 'open' || target.status === 'spam') return
  await setStatus(transaction, clock, target, 'open', userId)
  await addEvent(transaction, clock, target.id, userId, 'status', 'open')
}

/** Both have the status from before the merge again, the kept one unless something has happened since. @throws {HttpError} 404, 409 */
export async function undoMerge({ db, clock, content }: Inbox, id: string, userId: string): Promise<void> {
  await inTransaction(db, async transaction => {
    const { message, target } = await lockThread(transaction, id)
    if (!message) throwHttpError(404, GONE)
    if (message.merged_into === null) throwHttpError(409, 'This enquiry is not merged')
    const own = await statusOfMerged(transaction, id)
    const kept = (await isAsMerged(transaction, message)) ? await statusOfKept(transaction, id) : undefined
    await transaction.updateTable('messages').set({ merged_into: null }).where('id', '=', id).execute()
    await setStatus(transaction, clock, message, own, userId)
    await addEvent(transaction, clock, id, userId, 'unmerged')
    if (target) await leave(transaction, clock, { message, target, status: kept }, userId)
    for (const changed of [id, message.merged_into]) await updateDue(transaction, content, changed)
  })
}

/** Events after which a message is no longer as a merge has left it, as it is after anything that was said. */
const DECISIVE = ['status', 'snoozed', 'merged', 'unmerged', 'reply-undone', 'reply-failed'] as const

/** Whether nothing has happened to the kept message since this one was merged into it and opened it. */
async function isAsMerged(transaction: Transaction, { merged_into, reference }: MessageRow) {
  const kept = transaction.selectFrom('entries').where('message_id', '=', merged_into)
  const merges = kept.where('kind', '=', 'event').where('body', '=', 'merged').where('detail', '=', reference)
  const { count } = await kept
    .select(eb => eb.fn.countAll().as('count'))
    .where(
      'seq',
      '>',
      merges.select(eb => eb.fn.max('seq').as('seq')),
    )
    .where(eb => eb.or([eb('kind', '!=', 'event'), eb('body', 'in', DECISIVE)]))
    .executeTakeFirstOrThrow()
  // The opening itself.
  return Number(count) === 1
}

/** Who saw the kept message before must not change it with others: it is another conversation now. */
async function leave(
  transaction: Transaction,
  clock: Clock,
  { message, target, status }: { message: MessageRow; target: MessageRow; status: MessageStatus | undefined },
  userId: string,
) {
  await addEvent(transaction, clock, target.id, userId, 'unmerged', message.reference)
  const raised = transaction.updateTable('messages').where('id', '=', target.id)
  await raised.set(eb => ({ version: eb('version', '+', 1) })).execute()
  if (!status) return
  await setStatus(transaction, clock, { ...target, version: target.version + 1 }, status, userId)
  await addEvent(transaction, clock, target.id, userId, 'status', status)
}

/** The messages that are merged into one, oldest first. */
export async function listMerged(db: Database, id: string) {
  const merged = selectRelated(db).where('merged_into', '=', id)
  return await merged.where('merged_into', 'is not', null).orderBy('id').limit(MAX_MERGED).execute()
}
