import type { Office } from '../../content/office.ts'
import type { MessageRow } from '../../database/tables.ts'
import { STATUS_OF_MERGED } from '../../erasure/with-merged.ts'
import { type ClockEvent, dueAt } from './due-at.ts'

/** A message that has a reply clock. */
export type Enquiry = Pick<MessageRow, 'id' | 'created_at' | 'merged_into'>
export type Histories = ReadonlyMap<string, readonly ClockEvent[]>

/**
 * When the answer in a conversation is due: the earliest time of its enquiries, which are those of the message that is kept
 * and of what is merged into it. Each has a clock of its own. @param histories of the kept message and of what is merged
 */
export function conversationDue(
  office: Office,
  status: MessageRow['status'],
  enquiries: readonly Enquiry[],
  histories: Histories,
): string | null {
  const waiting = enquiries.filter(
    ({ id, merged_into }) => merged_into === null || wasOpen(histories.get(id)),
  )
  const times = waiting.flatMap(({ id, created_at }) => {
    const history = [...histories].flatMap(([of, entries]) =>
      of === id ? entries : entries.filter(concerns({ id, created_at }, of, histories)),
    )
    return dueAt(office, { status, created_at }, histories.size > 1 ? inOrder(history) : history) ?? []
  })
  return times.sort()[0] ?? null
}

/** Whether somebody waited for an answer to a message when it was merged, or does since its reply failed or was taken back. */
function wasOpen(history: readonly ClockEvent[] = []): boolean {
  const last = history.findLast(({ kind, body }) => kind === 'event' && isStatusOfMerged(body))
  return !last || last.body === 'reply-failed' || last.detail?.split(' ')[0] === 'open'
}

const isStatusOfMerged = (body: string) => STATUS_OF_MERGED.some(event => event === body)

/**
 * Whether an entry of another message of the conversation is one for this enquiry, too: an answer to what had come by then,
 * since the visitor is the same person, and all that happens after both are part of the conversation.
 */
function concerns(
  { id, created_at }: Pick<Enquiry, 'id' | 'created_at'>,
  other: string,
  histories: Histories,
) {
  const since = [mergedAt(histories.get(id)), mergedAt(histories.get(other))].sort().at(-1) ?? ''
  return (entry: ClockEvent) => {
    const isAnswer = entry.kind === 'reply' || entry.kind === 'call'
    return entry.created_at >= (isAnswer ? created_at : since)
  }
}

/** Empty for the message that is kept, which is part of the conversation from the beginning. */
function mergedAt(history: readonly ClockEvent[] = []): string {
  return history.findLast(({ kind, body }) => kind === 'event' && body === 'merged-into')?.created_at ?? ''
}

const inOrder = (history: readonly ClockEvent[]) =>
  history.toSorted((one, other) => Date.parse(one.created_at) - Date.parse(other.created_at))
