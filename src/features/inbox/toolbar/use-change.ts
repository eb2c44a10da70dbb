import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { ApiError } from '../../../http/api-client.ts'
import { call } from '../../../ui/client.ts'
import { fieldsOf, useWrite } from '../../../ui/form/use-write.ts'
import { showToast } from '../../../ui/toast/toast.ts'
import { showUndoToast } from '../../../ui/toast/undo-toast.ts'
import { type Change, type Message, MessageSchema, messages, type OpenMessage } from '../contract.ts'
import { conversation } from '../conversation/contract.ts'
import { refreshMessage, updateCached, useOfficeTime } from '../queries.ts'

type Fields = Omit<Change, 'id' | 'version'>

export interface ChangeRequest {
  /** As it is on the screen. */
  readonly message: Message
  readonly fields: Fields
  /** What the toast says that has happened, such as "Enquiry closed"; without it there is no toast. */
  readonly done?: string
  /** What makes it as it was; without it, nobody can undo it in the toast. */
  readonly undo?: Fields
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
      mutationFn: ({ message: { id, version }, fields, done }) =>
        call(messages.change, { id, version, ...fields, ...(done === UNDONE && { isUndo: true }) }),
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
    // As the message is now, when somebody else has changed it.
    const current = fieldsOf(error, 'message_changed', Changed)?.current
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

function newestSeq(client: QueryClient, id: string): number {
  const copies = client.getQueriesData<OpenMessage>({ queryKey: ['messages', 'open', id] })
  return Math.max(0, ...copies.map(([, open]) => open?.entries.at(-1)?.seq ?? 0))
}

async function eventsAfter(id: string, seq: number, formatTime: (iso: string) => string): Promise<string> {
  const nothing = 'It is shown as it is now, and your change was not made.'
  try {
    // Nobody needs the words of the history in the list until somebody else was quicker.
    const [{ entries }, { describeEvent }] = await Promise.all([
      call(conversation.entries, { id }),
      import('../history/entry-words.ts'),
    ])
    const events = entries.filter(entry => entry.kind === 'event' && entry.seq > seq)
    const sentences = events.map(entry => `${describeEvent(entry, formatTime)}.`)
    return [...sentences, nothing].join(' ')
  } catch {
    return nothing
  }
}
