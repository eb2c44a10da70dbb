import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useQueryClient,
} from '@tanstack/react-query'
import { ApiError } from '../../http/api-client.ts'
import { call } from '../../ui/client.ts'
import { showFailure, showToast } from '../../ui/toast.ts'
import { useWrite } from '../../ui/use-write.ts'
import {
  MAX_UNREAD_COUNTED,
  type Message,
  type MessageFilter,
  type MessagePage,
  messages,
  type OpenMessage,
} from './contract.ts'

type Pages = InfiniteData<MessagePage, string | undefined>

/** The list in pages, newest first; the last one stays in sight while another filter is read. */
export function messagesQuery(filter: MessageFilter) {
  return infiniteQueryOptions({
    queryKey: ['messages', 'list', filter],
    queryFn: ({ pageParam }) => call(messages.list, { ...filter, cursor: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: page => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  })
}

/** One message with what only it shows; `known` is its copy in the list, for the meantime. */
export function messageQuery(id: string, filter: MessageFilter, known: Message | undefined) {
  return queryOptions({
    queryKey: ['messages', 'open', id, filter],
    queryFn: () => call(messages.read, { id, ...filter }),
    ...(known && { placeholderData: { message: known, deliveryError: null, newer: null, older: null } }),
  })
}

/**
 * Marks as read. It shows at once, since it hardly ever fails, and goes back when it does. The list is not read again:
 * in one of unread messages, the one just read would be gone from under its reader.
 */
export function useMarkRead() {
  const client = useQueryClient()
  const show = useShow()
  return useWrite(
    {
      mutationFn: ({ id }: Pick<Message, 'id'>) => call(messages.markRead, { id }),
      onMutate: ({ id }) => show(id, { isRead: true }),
      onSuccess: () => client.invalidateQueries({ queryKey: ['dashboard'] }),
      onError: (error, { id }) => {
        show(id, { isRead: false })
        showFailure('Error', error, 'Failed to mark message as read')
      },
    },
    idOf,
  )
}

/** One message may be dealt with while another still is. */
const idOf = ({ id }: Pick<Message, 'id'>) => id

/** Changes the copies that are here: to read the list again would ask for every page that was scrolled to. */
function useShow() {
  const client = useQueryClient()
  return (id: string, change: Partial<Pick<Message, 'isRead' | 'letter'>>) => {
    replaceInLists(client, id, message => [{ ...message, ...change }])
    client.setQueriesData<OpenMessage>({ queryKey: ['messages', 'open', id] }, open => {
      return open && { ...open, message: { ...open.message, ...change } }
    })
  }
}

type Replace = (message: Message) => readonly Message[]

function replaceInLists(client: QueryClient, id: string, replace: Replace) {
  client.setQueriesData<Pages>(
    { queryKey: ['messages', 'list'] },
    data => data && replaceIn(data, id, replace),
  )
}

function replaceIn(data: Pages, id: string, replace: Replace): Pages {
  const old = data.pages.flatMap(page => page.messages).find(message => message.id === id)
  if (!old) return data
  const replaced = [...replace(old)]
  const unreadMore = countUnread(replaced) - countUnread([old])
  return {
    ...data,
    pages: data.pages.map(page => ({
      ...page,
      // At its limit the count says "or more", which is as true with one less.
      unread: page.unread >= MAX_UNREAD_COUNTED ? page.unread : page.unread + unreadMore,
      messages: page.messages.flatMap(message => (message.id === id ? replaced : [message])),
    })),
  }
}

const countUnread = (some: readonly Message[]) => some.filter(message => !message.isRead).length

/** Whoever forwards a message has dealt with it: it counts as read. */
export function useForward() {
  const client = useQueryClient()
  const show = useShow()
  return useWrite(
    {
      mutationFn: ({ id }: Pick<Message, 'id'>) => call(messages.forward, { id }),
      onSuccess: (_reply, { id }) => {
        show(id, { isRead: true })
        showToast({
          title: 'Message Forwarded',
          description: 'The message has been successfully sent to the configured email address.',
        })
        return client.invalidateQueries({ queryKey: ['dashboard'] })
      },
      onError: error => showFailure('Error Forwarding Message', error, 'Failed to forward message'),
    },
    idOf,
  )
}

/** Milliseconds after which it is looked whether a letter went: a provider answers within seconds. */
const POLL_DELAYS = [300, 700, 1500, 3000]

/** Has a failed letter sent again, and waits a little for what becomes of it. */
export function useRetry() {
  const client = useQueryClient()
  const show = useShow()
  return useWrite({
    mutationFn: async ({ id }: Pick<Message, 'id'>) => {
      await call(messages.retry, { id })
      return await awaitDelivery(id)
    },
    onSuccess(email, { id }) {
      show(id, { letter: email })
      if (email === 'sent')
        showToast({ title: 'Letter Sent', description: 'The letter to staff has been sent.' })
      else showToast({ title: 'Letter On Its Way', description: 'The letter to staff is being sent again.' })
    },
    onError: error => showFailure('Error Sending Letter', error, 'Failed to send the letter again'),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['messages', 'open'] }),
        client.invalidateQueries({ queryKey: ['dashboard'] }),
      ]),
  })
}

async function awaitDelivery(id: string): Promise<Message['letter']> {
  for (const wait of POLL_DELAYS) {
    await new Promise(resolve => setTimeout(resolve, wait))
    const { message } = await call(messages.read, { id })
    if (message.letter !== 'waiting') return message.letter
  }
  return 'waiting'
}

/** Deletes. When that did not work, the list is read again, since it was not as it seemed. */
export function useDelete() {
  const client = useQueryClient()
  return useWrite({
    mutationFn: ({ id }: Pick<Message, 'id'>) => call(messages.delete, { id }),
    onSuccess(_reply, { id }) {
      replaceInLists(client, id, () => [])
      showToast({ title: 'Message Deleted', description: 'The message has been deleted successfully.' })
    },
    onError: error => {
      const isOffline = error instanceof ApiError && error.isOffline
      const fallback = isOffline
        ? 'Failed to connect to the server. Please try again.'
        : error.message || 'Failed to delete message'
      showToast({ title: 'Error Deleting Message', description: fallback, kind: 'error' })
      return client.invalidateQueries({ queryKey: ['messages'] })
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['dashboard'] }),
  })
}
