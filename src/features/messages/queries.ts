import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { CallFailed } from '../../http/call.ts'
import { call } from '../../ui/client.ts'
import { showFailure, showToast } from '../../ui/toast.ts'
import { type Message, type MessageQuery, messages } from './contract.ts'

/** What the address bar holds of a list. */
export type MessageFilter = Pick<MessageQuery, 'formType' | 'isRead'>

/** The list in pages, newest first. */
export function messagesQuery(filter: MessageFilter) {
  return infiniteQueryOptions({
    queryKey: ['messages', filter],
    queryFn: ({ pageParam }) => call(messages.list, { ...filter, cursor: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: page => page.nextCursor ?? undefined,
  })
}

/** Marks as read; the list and the figures that count it follow. */
export function useMarkRead() {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: ({ id }: Pick<Message, 'id'>) => call(messages.markRead, { id }),
    onSuccess: refresh,
    onError: error => showFailure('Error', error, 'Failed to mark message as read'),
  })
}

export function useForward() {
  return useMutation({
    mutationFn: ({ id }: Pick<Message, 'id'>) => call(messages.forward, { id }),
    onSuccess: () =>
      showToast({
        title: 'Message Forwarded',
        description: 'The message has been successfully sent to the configured email address.',
      }),
    onError: error => showFailure('Error Forwarding Message', error, 'Failed to forward message'),
  })
}

/** Deletes; whether or not that worked, the list is read again, since it was not as it seemed. */
export function useDelete() {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: ({ id }: Pick<Message, 'id'>) => call(messages.delete, { id }),
    onSuccess: () =>
      showToast({ title: 'Message Deleted', description: 'The message has been deleted successfully.' }),
    onError: error => {
      const isOffline = error instanceof CallFailed && error.isOffline
      const fallback = isOffline
        ? 'Failed to connect to the server. Please try again.'
        : error.message || 'Failed to delete message'
      showToast({ title: 'Error Deleting Message', description: fallback, kind: 'error' })
    },
    onSettled: refresh,
  })
}

function useRefresh() {
  const client = useQueryClient()
  return async () => {
    await Promise.all([
      client.invalidateQueries({ queryKey: ['messages'] }),
      client.invalidateQueries({ queryKey: ['dashboard'] }),
    ])
  }
}
