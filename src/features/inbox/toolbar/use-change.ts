import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { ApiError } from '../../../http/api-client.ts'
import { call } from '../../../ui/client.ts'
import { useWrite } from '../../../ui/form/use-write.ts'
import { showToast } from '../../../ui/toast/toast.ts'
import { showUndoToast } from '../../../ui/toast/undo-toast.ts'
import { type Change, type Message, MessageSchema, messages, type OpenMessage } from '../contract.ts'
import { conversation, type Entry, type MessageEvent } from '../conversation/contract.ts'
import { refreshMessage, updateCached } from '../queries.ts'
import { useOfficeTime } from './use-options.ts'

type Fields = Omit<Change, 'id' | 'version'>

export interface ChangeRequest {
  /** As it is on the screen. */
  readonly message: Message
  readonly fields: Fields
  /** What the toast says that has happened, such as "Enquiry closed"; without it there is no toast. */
  readonly done?: string
  /** What makes it as it was; without it, nobody can undo it in the toast. */
  readonly undo?: Fields
  /** Called once it has changed. */
  readonly after?: () => void
}

const UNDONE = 'Undone'

/**
 * Changes a message as it was shown when its writer decided, and shows what somebody else has done meanwhile.
 * @param onUndone is called with the id of a message that is as it was
 */
export function useChange(onUndone: (id: string) => void = () => {}) {
  const client = useQueryClient()
  const formatTime = useOfficeTime()
  const change = useWrite<{ message: Message }, ChangeRequest, number>(
    {
      // Before the event stream may bring what somebody else has done.
      onMutate: ({ message }) => newestSeq(client, message.id),
      mutationFn: ({ message: { id, version }, fields }) => call(messages.change, { id, version, ...fields }),
      onSuccess({ message }, { done, undo, after }) {
        updateCached(client, message.id, message)
        if (done) announce(message, done, undo)
        after?.()
      },
      onError: (error, { message }, known = 0) => failed(error, message, known),
      onSettled: (_reply, _error, { message }) => refreshMessage(client, message.id),
    },
    // To undo at once is not the second half of a double click.
    ({ message, done }) => (done === UNDONE ? `undo ${message.id}` : message.id),
  )

  function announce(message: Message, title: string, undo: Fields | undefined) {
    const description = `From ${message.name}, ${message.reference}`
    if (!undo) return showToast({ title, description })
    showUndoToast({
      title,
      description,
      shortcut: 'Z',
      undo: () => change.mutate({ message, fields: undo, done: UNDONE, after: () => onUndone(message.id) }),
    })
  }

  async function failed(error: Error, message: Message, known: number) {
    const current = currentOf(error)
    if (!current) {
      const isOffline = error instanceof ApiError && error.isOffline
      const description = isOffline ? 'The server could not be reached. Nothing has changed.' : error.message
      return showToast({ title: 'This could not be changed', description, kind: 'error' })
    }
    updateCached(client, message.id, current)
    const description = await eventsAfter(message.id, known, formatTime)
    showToast({ title: 'Somebody else has changed this enquiry', description, kind: 'error' })
  }

  return change
}

const Changed = z.object({ current: MessageSchema })

/** The message as it is now, when somebody else has changed it. */
function currentOf(error: Error): Message | undefined {
  if (!(error instanceof ApiError) || error.code !== 'message_changed') return undefined
  return Changed.safeParse(error.body).data?.current
}

function newestSeq(client: QueryClient, id: string): number {
  const copies = client.getQueriesData<OpenMessage>({ queryKey: ['messages', 'open', id] })
  return Math.max(0, ...copies.map(([, open]) => open?.entries.at(-1)?.seq ?? 0))
}

async function eventsAfter(id: string, seq: number, formatTime: (iso: string) => string): Promise<string> {
  const nothing = 'It is shown as it is now, and your change was not made.'
  try {
    const { entries } = await call(conversation.entries, { id })
    const events = entries.filter(entry => entry.kind === 'event' && entry.seq > seq)
    const sentences = events.map(entry => `${describeEvent(entry, formatTime)}.`)
    return [...sentences, nothing].join(' ')
  } catch {
    return nothing
  }
}

type Words = (who: string, detail: string | null) => string

const statusWords: Readonly<Record<string, string>> = {
  open: 'opened this again',
  waiting: 'set this to waiting for the visitor',
  closed: 'closed this',
  spam: 'marked this as spam',
}

const words: Readonly<Record<MessageEvent, Words>> = {
  read: who => `${who} read this`,
  unread: who => `${who} marked this as unread`,
  forwarded: (who, detail) => `${who} forwarded this${detail ? ` to ${detail}` : ' by email'}`,
  retried: who => `${who} had an email sent again`,
  status: (who, detail) => `${who} ${statusWords[detail ?? ''] ?? `changed the status to ${detail}`}`,
  assigned: (who, detail) =>
    who === detail
      ? `${who} took this enquiry`
      : `${who} assigned this to ${detail ?? 'somebody who has left'}`,
  unassigned: who => `${who} assigned this to nobody`,
  released: (_who, detail) =>
    `${detail ?? 'A colleague'} can no longer answer, so this is assigned to nobody`,
  tagged: (who, detail) => `${who} added ${tagWord(detail)} ${detail}`,
  untagged: (who, detail) => `${who} removed ${tagWord(detail)} ${detail}`,
  snoozed: (who, detail) => `${who} snoozed this until ${detail}`,
  unsnoozed: who => `${who} ended the snooze`,
  'reply-undone': who => `${who} took a reply back before it was sent`,
  merged: (who, detail) => `${who} merged ${detail} into this`,
  'merged-into': who => `${who} merged this into another enquiry`,
  unmerged: (who, detail) => `${who} undid the merge${detail ? ` of ${detail}` : ''}`,
  separated: () => 'The enquiry that this was merged into was deleted, so this stands alone again',
  'reply-failed': () => 'A reply could not be sent, so this is open again',
  acknowledged: () => 'Acknowledgement sent, with the Consumer Guide',
}

const tagWord = (detail: string | null) => (detail?.includes(',') ? 'the tags' : 'the tag')

const isKnown = (event: string): event is MessageEvent => event in words

export function describeEvent(
  { author, body, detail, delivery }: Pick<Entry, 'author' | 'body' | 'detail' | 'delivery'>,
  formatTime: (iso: string) => string,
): string {
  const who = author?.name ?? 'Somebody who has left'
  if (body === 'acknowledged' && delivery === 'failed') return 'The acknowledgement could not be sent'
  if (body === 'acknowledged' && delivery === 'waiting') return 'The acknowledgement is not out yet'
  // A newer version of the server may record what this one does not know.
  if (!isKnown(body)) return [who, body, detail].filter(Boolean).join(': ')
  return words[body](who, body === 'snoozed' && detail ? formatTime(detail) : detail)
}
