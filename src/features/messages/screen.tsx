import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { EmptyState, ErrorState, SkeletonRows } from '../../ui/state.tsx'
import { type Message, type MessageType, messageTypes, typeLabels } from './contract.ts'
import { MessageDialog } from './message-dialog.tsx'
import { MessageTable } from './message-table.tsx'
import { type MessageFilter, messagesQuery, useDelete, useForward, useMarkRead } from './queries.ts'

/** The inbox. Filters and the open message stand in the address, so that links can be shared and Back works. */
export function Screen() {
  const [params, setParams] = useSearchParams()
  const list = useInfiniteQuery(messagesQuery(readFilter(params)))
  const markRead = useMarkRead()
  const forward = useForward()
  const [isDeleting, setDeleting] = useState<Message | null>(null)
  const shown = list.data?.pages.flatMap(page => page.messages) ?? []
  const open = shown.find(message => message.id === params.get('message'))

  function setParam(name: string, value: string) {
    const next = new URLSearchParams(params)
    if (value) next.set(name, value)
    else next.delete(name)
    setParams(next)
  }

  function view(message: Message) {
    setParam('message', message.id)
    if (!message.isRead) markRead.mutate(message)
  }

  return (
    <>
      <title>Messages | Landfall</title>
      <div className="screen-head">
        <h1>
          Messages <Unread count={list.data?.pages[0]?.unread ?? 0} />
        </h1>
        <Filters params={params} setParam={setParam} />
        <button
          type="button"
          className="button"
          aria-disabled={list.isFetching}
          onClick={() => list.refetch()}
        >
          Refresh
        </button>
      </div>
      {list.isPending && <SkeletonRows />}
      {list.isError && (
        <ErrorState title="Failed to fetch messages" error={list.error} onRetry={() => list.refetch()} />
      )}
      {list.isSuccess && shown.length === 0 && (
        <EmptyState
          title="No messages found"
          hint="Enquiries from the web site appear here as soon as they are sent."
        />
      )}
      {shown.length > 0 && (
        <MessageTable
          messages={shown}
          onView={view}
          onForward={message => forward.mutate(message)}
          onDelete={setDeleting}
        />
      )}
      {list.hasNextPage && (
        <p className="load-more">
          <button
            type="button"
            className="button"
            aria-disabled={list.isFetchingNextPage}
            onClick={() => list.fetchNextPage()}
          >
            {list.isFetchingNextPage ? 'Loading …' : 'Load more'}
          </button>
        </p>
      )}
      {open && (
        <MessageDialog
          message={open}
          isForwarding={forward.isPending}
          onForward={() => forward.mutate(open)}
          onDelete={() => setDeleting(open)}
          onClose={() => setParam('message', '')}
        />
      )}
      {isDeleting && <DeleteDialog message={isDeleting} onDone={() => setDeleting(null)} />}
    </>
  )
}

function readFilter(params: URLSearchParams): MessageFilter {
  const formType = messageTypes.find(type => type === params.get('formType'))
  const isRead = (['true', 'false'] as const).find(value => value === params.get('isRead'))
  return { ...(formType && { formType }), ...(isRead && { isRead }) }
}

function Unread({ count }: { count: number }) {
  if (count === 0) return null
  return <span className="count">{count === 1000 ? '1,000 or more' : count} unread</span>
}

function Filters({
  params,
  setParam,
}: {
  params: URLSearchParams
  setParam: (name: string, value: string) => void
}) {
  return (
    <div className="filters">
      <select
        aria-label="Type"
        value={params.get('formType') ?? ''}
        onChange={event => setParam('formType', event.target.value)}
      >
        <option value="">All types</option>
        {messageTypes.map((type: MessageType) => (
          <option key={type} value={type}>
            {typeLabels[type]}
          </option>
        ))}
      </select>
      <select
        aria-label="Status"
        value={params.get('isRead') ?? ''}
        onChange={event => setParam('isRead', event.target.value)}
      >
        <option value="">Read and unread</option>
        <option value="false">Unread</option>
        <option value="true">Read</option>
      </select>
    </div>
  )
}

function DeleteDialog({ message, onDone }: { message: Message; onDone: () => void }) {
  const remove = useDelete()
  return (
    <ConfirmDialog
      title="Delete Message"
      question={`Are you sure you want to delete this message from ${message.name}? This action cannot be undone.`}
      action="Delete"
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate(message, { onSettled: onDone })}
      onClose={onDone}
    />
  )
}
