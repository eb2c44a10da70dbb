import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { ApiError } from '../../http/api-client.ts'
import { describeOfficeTime } from '../../office-time.ts'
import { seconds } from '../../platform/clock.ts'
import { call } from '../../ui/client.ts'
import { formatDateTime } from '../../ui/dates.ts'
import { useWrite } from '../../ui/form/use-write.ts'
import { showFailure, showToast } from '../../ui/toast/toast.ts'
import { type Message, type MessagePage, messages, type OpenMessage } from './contract.ts'
import { momentOfDrafts, receiveDrafts } from './drafts/drafts.ts'
import type { MessageFilter } from './messages/filter-contract.ts'

type Pages = InfiniteData<MessagePage, string | undefined>

/** The list in pages, newest first. The previous list stays visible while another filter loads. */
export function messagesQuery(filter: MessageFilter) {
  return infiniteQueryOptions({
    queryKey: ['messages', 'list', filter],
    queryFn: ({ pageParam }) => call(messages.list, { ...filter, cursor: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: page => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  })
}

/** Milliseconds. What a press has begun to read is not read again when it is shown. */
const JUST_READ = 1000

/** One message with its neighbours; `known` is its copy in the list, to show while this loads. */
export function messageQuery(id: string, filter: MessageFilter, known: Message | undefined) {
  return queryOptions({
    queryKey: ['messages', 'open', id, filter],
    queryFn: async ({ client, queryKey }) => {
      const asked = momentOfDrafts(id)
      const open = await call(messages.read, { id, ...filter })
      receiveDrafts(client, id, open.drafts, asked)
      // Read when it is there: earlier pages may have come meanwhile.
      const pages = open.earlier === null ? null : await import('./history/history-pages.ts')
      const shown = client.getQueryData<OpenMessage>(queryKey)
      return pages && shown ? pages.keepEarlier(shown, open) : open
    },
    staleTime: JUST_READ,
    ...(known && {
      placeholderData: {
        message: known,
        deliveryError: null,
        newer: null,
        older: null,
        entries: [],
        lastSeq: 0,
        notes: [],
        earlier: null,
        firstReply: null,
        drafts: [],
        samePerson: [],
      },
    }),
  })
}

/**
 * Marks a message as read, with an optimistic update that is undone on failure. The list is not refetched: in a list of
 * unread messages, the message would disappear while it is being read.
 */
export function useMarkRead() {
  const client = useQueryClient()
  return useWrite(
    {
      mutationFn: ({ id }: Pick<Message, 'id'>) => call(messages.markRead, { id }),
      onMutate: ({ id }) => updateCached(client, id, { isRead: true }),
      onSuccess: () => client.invalidateQueries({ queryKey: ['dashboard'] }),
      onError: (error, { id }) => {
        updateCached(client, id, { isRead: false })
        showFailure('Error', error, 'Failed to mark message as read')
      },
    },
    // Requests for different messages may run concurrently.
    ({ id }) => id,
  )
}

/** Changes the cached copies: refetching the list would request every page that was scrolled to. */
export function updateCached(client: QueryClient, id: string, change: Partial<Message>) {
  replaceCached(client, id, message => ({ ...message, ...change }))
}

/**
 * What somebody has done themselves makes nothing on their screen out of date, so that they need not wait before they change
 * the message. Copies that do not show what others have done before keep their version.
 */
export function raiseVersion(client: QueryClient, id: string, version: number | undefined) {
  replaceCached(client, id, message => (message.version + 1 === version ? { ...message, version } : message))
}

/** Reads a message again where it is shown, and the figures that it is part of. Nobody waits for that. */
export function refreshMessage(client: QueryClient, id: string) {
  void client.invalidateQueries({ queryKey: ['messages', 'open', id] })
  void client.invalidateQueries({ queryKey: ['dashboard'] })
}

function replaceCached(client: QueryClient, id: string, replace: (message: Message) => Message) {
  replaceInLists(client, id, message => [replace(message)])
  client.setQueriesData<OpenMessage>(
    { queryKey: ['messages', 'open', id] },
    open => open && { ...open, message: replace(open.message) },
  )
}

type Replace = (message: Message) => readonly Message[]

/** Changes the row of a message where it is. */
export function replaceInLists(client: QueryClient, id: string, replace: Replace) {
  client.setQueriesData<Pages>(
    { queryKey: ['messages', 'list'] },
    data => data && replaceIn(data, id, replace),
  )
}

function replaceIn(data: Pages, id: string, replace: Replace): Pages {
  const old = data.pages.flatMap(page => page.messages).find(message => message.id === id)
  if (!old) return data
  const replaced = replace(old)
  return {
    ...data,
    pages: data.pages.map(page => ({
      ...page,
      messages: page.messages.flatMap(message => (message.id === id ? replaced : [message])),
    })),
  }
}

export interface Forwarding {
  readonly message: Message
  /** Without one, it goes to the configured address. */
  readonly colleague?: { readonly id: string; readonly name: string }
  readonly comment?: string
}

/** Forwards a message. The server also marks it as read, since it has been dealt with. */
export function useForward(onDone?: () => void) {
  const client = useQueryClient()
  return useWrite(
    {
      mutationFn: ({ message: { id }, colleague, comment }: Forwarding) =>
        call(messages.forward, { id, ...(colleague && { to: colleague.id }), ...(comment && { comment }) }),
      onSuccess({ version }, { message: { id }, colleague }) {
        updateCached(client, id, { isRead: true })
        raiseVersion(client, id, version)
        const description = colleague
          ? `It was sent to ${colleague.name}.`
          : 'The message has been successfully sent to the configured email address.'
        showToast({ title: 'Message Forwarded', description })
        onDone?.()
      },
      onError: error => showFailure('Error Forwarding Message', error, 'Failed to forward message'),
      onSettled: (_reply, _error, { message }) => refreshMessage(client, message.id),
    },
    ({ message }) => message.id,
  )
}

/** Deletes a message. On failure the list is refetched, since it may be out of date. */
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

/** They hardly ever change, and every message that is opened asks for them. */
const FRESH = seconds(10)

/** Staff and tags to choose from, and the time zone of the office. */
const optionsQuery = queryOptions({
  queryKey: ['messages', 'options'],
  queryFn: () => call(messages.options, {}),
  staleTime: FRESH,
})

export function useOptions() {
  return useQuery(optionsQuery).data
}

/** How the time of a snooze is shown: as a clock in the office shows it. */
export function useOfficeTime(): (iso: string) => string {
  const timeZone = useOptions()?.timeZone
  return iso => (timeZone ? describeOfficeTime(iso, timeZone) : formatDateTime(iso))
}
