import { type SqlBool, sql } from 'kysely'
import type { MessageRow } from '../../../database/tables.ts'
import { inTransaction, type Transaction } from '../../../database/transaction.ts'
import { throwFieldError, throwHttpError } from '../../../http/http-error.ts'
import { type Clock, isoAfter } from '../../../platform/clock.ts'
import type { Services } from '../../../services.ts'
import { revokeLinks } from '../../status/tokens.server.ts'
import { type Change, type ChangeOfOne, MAX_SNOOZE, type Message } from '../contract.ts'
import {
  addEvent,
  type EventFields,
  isOutOfDate,
  lockForWork,
  throwChanged,
  type Work,
} from '../history/entries.server.ts'
import type { MessageEvent } from '../history/entry-words.ts'
import { addAssignedNotices, addReminder } from '../notices/notices.server.ts'
import { readdressWaiting } from '../replies/send-again.server.ts'
import { updateDue } from '../reply-clock/update-due.server.ts'
import { MAX_TAGS, TOO_MANY_TAGS } from './filter-contract.ts'
import { selectMessages } from './select-messages.server.ts'
import { mustRelease, statusFields } from './set-status.server.ts'
import { mayAnswer, replaceTags, tagsOf, updateMessage } from './store.server.ts'

type Columns = Partial<
  Pick<MessageRow, 'status' | 'status_since' | 'assignee_id' | 'snoozed_until' | 'is_read' | 'email'>
>

type ChangedFields = Omit<ChangeOfOne, 'id' | 'version' | 'isUndo'>

/** What one field of a change comes to; nothing when the message has that value already. */
interface Step {
  readonly set?: Columns
  /** What gives the message its former value again. */
  readonly undo: ChangedFields
  readonly event: MessageEvent
  readonly fields?: EventFields
}

interface Changed {
  readonly message: Message
  /** What undoes it; null when the message was like that already. */
  readonly undo: ChangedFields | null
  /** Whether nobody has it because who should get it back can no longer answer. */
  readonly isUnassigned: boolean
}

/**
 * Changes a message, each difference with an event. Of two who change the same version, the second is refused and gets the
 * message as it is now, unless it is as that one wants it: a client that got no reply asks again. @param isUndo whether what a
 * message cannot have any more is left out
 * @throws {HttpError} 404, 409 for a version that is out of date, 400
 */
export async function changeMessage(
  { db, clock, content }: Pick<Services, 'db' | 'clock' | 'content'>,
  { id, version, isUndo, ...change }: ChangeOfOne,
  userId: string,
): Promise<Changed> {
  return await inTransaction(db, async transaction => {
    const work = { transaction, clock, content, byId: userId }
    const before = await lockForWork(transaction, id)
    // Before the steps, which change tags.
    const current = isOutOfDate(version, before) ? await read(transaction, id) : null
    const lost = isUndo ? await findLost(work, change) : {}
    const possible = { ...change, ...lost }
    const steps = await stepsOf(work, before, possible)
    if (current && steps.length > 0) throwChanged({ current })
    await apply(work, before, steps)
    if (steps.some(({ set }) => set?.email)) await correctElsewhere(work, before, change.email ?? '')
    if (steps.some(movesClock)) await updateDue(work, id)
    const assignee = steps.find(({ event }) => event === 'assigned')?.set?.assignee_id
    // What somebody had before is no news to them.
    if (assignee && !isUndo) await addAssignedNotices(work, [id], assignee)
    // Also who snoozes it until the same time as somebody else.
    const until = possible.snoozedUntil ? new Date(possible.snoozedUntil).toISOString() : ''
    if (until > isoAfter(clock)) await addReminder(work, id, userId, { until, isUndo: isUndo === true })
    const undo = steps.length > 0 ? Object.assign({}, ...steps.map(step => step.undo)) : null
    return { message: await read(transaction, id), undo, isUnassigned: lost.assignee === null }
  })
}

/** The former values that a message cannot have any more, as null: an assignee who cannot answer, a snooze that has ended. */
async function findLost(
  { transaction, clock }: Work,
  { assignee, snoozedUntil }: ChangedFields,
): Promise<{ assignee?: null; snoozedUntil?: null }> {
  const isUnassigned = assignee && assignee !== 'me' && !(await mayAnswer(transaction, assignee))
  const hasEnded = snoozedUntil && Date.parse(snoozedUntil) <= clock().getTime()
  return { ...(isUnassigned && { assignee: null }), ...(hasEnded && { snoozedUntil: null }) }
}

async function stepsOf(
  { transaction, clock, byId }: Work,
  before: MessageRow,
  change: ChangedFields,
): Promise<Step[]> {
  const { status, assignee, snoozedUntil, isRead, email, ...tags } = change
  const wanted = assignee === 'me' ? byId : assignee
  const isSame = wanted === undefined || wanted === before.assignee_id
  const isReopened = status !== undefined && status !== before.status
  const isReleased = isSame && isReopened && (await mustRelease(transaction, before, status))
  // What is done with does not come back by itself.
  const endsSnooze = snoozedUntil === undefined && (status === 'closed' || status === 'spam')
  return [
    ...changeStatus(clock, before, status),
    ...(await changeAssignee(transaction, before, isReleased ? null : wanted)),
    ...(await changeTags(transaction, before, tags)),
    ...changeSnooze(clock, before, endsSnooze ? null : snoozedUntil),
    ...changeRead(before, isRead),
    ...correctAddress(before, email),
  ]
}

function changeStatus(clock: Clock, before: MessageRow, status: Change['status']): Step[] {
  if (!status || status === before.status) return []
  const set = { status, status_since: isoAfter(clock) }
  const fields = statusFields(before.status, status)
  return [{ set, undo: { status: before.status }, event: 'status', fields }]
}

async function changeAssignee(
  transaction: Transaction,
  before: MessageRow,
  assignee: string | null | undefined,
): Promise<Step[]> {
  if (assignee === undefined || assignee === before.assignee_id) return []
  const undo = { assignee: before.assignee_id }
  if (assignee === null) return [{ set: { assignee_id: null }, undo, event: 'unassigned' }]
  if (!(await mayAnswer(transaction, assignee)))
    throwFieldError('assignee', 'Choose somebody who may answer messages')
  return [{ set: { assignee_id: assignee }, undo, event: 'assigned', fields: { detail: assignee } }]
}

async function changeTags(
  transaction: Transaction,
  { id }: MessageRow,
  { tags, addTags = [], removeTags = [] }: Pick<Change, 'tags' | 'addTags' | 'removeTags'>,
): Promise<Step[]> {
  if (!tags && addTags.length === 0 && removeTags.length === 0) return []
  const base = tags ?? (await tagsOf(transaction, [id])).get(id) ?? []
  const wanted = new Set([...base, ...addTags])
  for (const tag of removeTags) wanted.delete(tag)
  if (wanted.size > MAX_TAGS) throwFieldError(tags ? 'tags' : 'addTags', TOO_MANY_TAGS)
  const { added, removed } = await replaceTags(transaction, id, [...wanted].sort())
  const steps: Step[] = [
    { undo: { removeTags: added }, event: 'tagged', fields: { detail: added.join(', ') } },
    { undo: { addTags: removed }, event: 'untagged', fields: { detail: removed.join(', ') } },
  ]
  return steps.filter(({ fields }) => fields?.detail)
}

function changeSnooze(clock: Clock, before: MessageRow, until: Change['snoozedUntil']): Step[] {
  if (until === undefined || until === before.snoozed_until) return []
  const wasSnoozed = before.snoozed_until !== null && before.snoozed_until > isoAfter(clock)
  const undo = { snoozedUntil: wasSnoozed ? before.snoozed_until : null }
  if (until === null) return [{ set: { snoozed_until: null }, undo, event: 'unsnoozed' }]
  const time = Date.parse(until) - clock().getTime()
  if (time <= 0 || time > MAX_SNOOZE) throwFieldError('snoozedUntil', 'Choose a time within a year')
  const snoozed_until = new Date(until).toISOString()
  return [{ set: { snoozed_until }, undo, event: 'snoozed', fields: { detail: snoozed_until } }]
}

function changeRead(before: MessageRow, isRead: boolean | undefined): Step[] {
  if (isRead === undefined || isRead === (before.is_read === 1)) return []
  const set = { is_read: isRead ? (1 as const) : (0 as const) }
  return [{ set, undo: { isRead: !isRead }, event: isRead ? 'read' : 'unread' }]
}

/** The old address may be another person's, so it is an event's detail, which is erased like all that names somebody. */
function correctAddress(before: MessageRow, email: string | undefined): Step[] {
  if (email === undefined || email === before.email) return []
  const fields = { detail: before.email }
  return [{ set: { email }, undo: { email: before.email }, event: 'address-corrected', fields }]
}

/** What is merged into it from the same address stays of the same address, and replies that wait go to the new one. */
async function correctElsewhere(work: Work, { id, email: old }: MessageRow, email: string) {
  const { transaction } = work
  const merged = await transaction
    .updateTable('messages')
    .set({ email })
    .where('merged_into', '=', id)
    .where('merged_into', 'is not', null)
    .where(sql<SqlBool>`lower(email) = lower(${old}) and email <> ''`)
    .returning('id')
    .execute()
  const ids = merged.map(message => message.id)
  for (const each of ids) await addEvent(work, each, 'address-corrected', { detail: old })
  await readdressWaiting(transaction, [id, ...ids], { old, email })
  // Who reads at the old address may be somebody else, and who asked there to be erased has not asked for the new one.
  await revokeLinks(transaction, [id, ...ids])
  await transaction
    .deleteFrom('erasure_requests')
    .where('message_id', 'in', [id, ...ids])
    .execute()
}

/** What pauses the reply clock, and what lets it run on. */
const movesClock = ({ event }: Step) => event === 'status' || event === 'snoozed' || event === 'unsnoozed'

/** Somebody who reads a message must not make a colleague's copy out of date. */
const countsAsChange = ({ event }: Step) => event !== 'read' && event !== 'unread'

async function apply(work: Work, { id, version }: MessageRow, steps: readonly Step[]) {
  if (steps.length === 0) return
  const columns: Columns = Object.assign({}, ...steps.map(({ set }) => set))
  const raised = steps.some(countsAsChange) ? version + 1 : version
  await updateMessage(work.transaction, id, { ...columns, version: raised })
  for (const { event, fields } of steps) await addEvent(work, id, event, fields)
}

async function read(transaction: Transaction, id: string): Promise<Message> {
  const [shown] = await selectMessages(transaction, [id])
  return shown?.message ?? throwHttpError(404, 'This enquiry no longer exists')
}
