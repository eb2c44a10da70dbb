import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { createPortal, flushSync } from 'react-dom'
import { Button } from '../../../ui/button.tsx'
import { lazily, lazyPart, whenIdle } from '../../../ui/lazy-part.ts'
import { ErrorState, SkeletonRows, useReadFailure } from '../../../ui/list/list-states.tsx'
import { LoadMore, useResetPages } from '../../../ui/list/load-more.tsx'
import { useRowFocus } from '../../../ui/list/row-actions.tsx'
import { meQuery, useMayCall } from '../../../ui/me-query.ts'
import { ScreenHead } from '../../../ui/screen-head.tsx'
import { useShortcuts } from '../../../ui/shortcuts.ts'
import { undoLast } from '../../../ui/toast/undo-toast.ts'
import { type Message, messages } from '../contract.ts'
import type { InboxFilter, ViewCounts } from '../messages/filter-contract.ts'
import { messageQuery, messagesQuery, useForward } from '../queries.ts'
import { useChange } from '../toolbar/use-change.ts'
import { Filters } from './filters.tsx'
import { enquiryCount } from './format.ts'
import { MessageTable, roomyRows } from './message-table.tsx'
import { useLoadNextPage, useNeighbours, useRowOfLink } from './neighbours.ts'
import { useInboxUrl } from './use-inbox-url.ts'
import { useSelection } from './use-selection.ts'
import { countsQuery, describeCount, ViewLinks } from './view-links.tsx'

/** Loaded beside the list, which is drawn first. */
const loadDialog = async () => await import('../conversation/message-dialog.tsx')
const messageDialog = lazyPart(async () => (await loadDialog()).MessageDialog)
messageDialog.preload()

/** Loaded once the list is there, before anybody can have selected something. */
const bulkBar = lazyPart(async () => (await import('../bulk/bulk-bar.tsx')).BulkBar)

const DeleteDialog = lazily(async () => (await import('./delete-dialog.tsx')).DeleteDialog)
const EmptyInbox = lazily(async () => (await import('./empty-inbox.tsx')).EmptyInbox)
const ExportDialog = lazily(async () => (await import('./export-dialog.tsx')).ExportDialog)
const Notices = lazily(async () => (await import('../notices/notices.tsx')).Notices)
const KeysDialog = lazily(async () => (await import('./keys-dialog.tsx')).KeysDialog)

/** The inbox. The URL holds the filters and the open message, so that links can be shared and Back works. */
export function Screen() {
  const inboxUrl = useInboxUrl()
  const { filter, openId, view } = inboxUrl
  const isFiltered = Object.entries(filter).some(([name, value]) => view.params[name] !== value)
  const [isSearching, setSearching] = useState(false)
  const { data: counts } = useQuery(countsQuery)
  const query = messagesQuery(filter)
  const list = useInfiniteQuery(query)
  const client = useQueryClient()
  const keepFirstPage = useResetPages(query.queryKey)
  const forward = useForward()
  const [isDeleting, setDeleting] = useState<Message | null>(null)
  const mayCall = useMayCall()
  const onForward = mayCall(messages.forward) ? (message: Message) => forward.mutate({ message }) : undefined
  const onDelete = mayCall(messages.delete) ? setDeleting : undefined
  /** Begins to read the message while its row is pressed, and while its pane is drawn. */
  const onPress = (message: Message) => client.prefetchQuery(messageQuery(message.id, filter, message))
  const onView = (message: Message) => {
    onPress(message)
    inboxUrl.open(message)
  }
  const change = useChange()
  const myId = useQuery(meQuery).data?.id
  /** The message whose reply an action of its row has asked for. */
  const [repliedId, setRepliedId] = useState<string | null>(null)
  const onReply = (message: Message) => {
    setRepliedId(message.id)
    onView(message)
  }
  const [isShowingKeys, setShowingKeys] = useState(false)
  useShortcuts({ '?': () => setShowingKeys(true), z: undoLast })
  const shown = useMemo(() => list.data?.pages.flatMap(page => page.messages) ?? [], [list.data])
  const openAt = shown.findIndex(message => message.id === openId)
  const { hasNextPage, isFetching } = list
  const ids = shown.map(message => message.id)
  const listName = JSON.stringify(filter)
  const selection = useSelection(listName, ids)
  const [isSelecting, setSelecting] = useState(false)
  const [hasSelected, setHasSelected] = useState(false)
  if (!hasSelected && selection.ids.size > 0) setHasSelected(true)
  const mayChange = mayCall(messages.change)
  const toOpenRow = useRowFocus(ids, openId ?? undefined, SEARCH_BOX)
  const toDeletedRow = useRowFocus(ids, isDeleting?.id, SEARCH_BOX)
  useReadFailure(list.error, 'Failed to fetch messages')
  const isOfUnread = filter.isRead === 'false' && !list.isPlaceholderData
  const neighbours = useNeighbours(ids, openId, isOfUnread ? listName : null)
  useRowOfLink(openId, openAt >= 0)
  useLoadNextPage(openAt, shown.length, list)
  usePreload(list.isSuccess, mayChange)
  const isStillSearching = hasNextPage && shown.length === 0
  const isBeside = useLater(openId !== null)
  const table = useRef<ReactNode>(null)
  if (openId === null || isBeside)
    table.current = (
      <MessageTable
        // Another filter is another list, which starts at its top.
        key={listName}
        messages={shown}
        selection={mayChange ? selection : undefined}
        openId={openId}
        openAt={openAt}
        isWhole={!hasNextPage}
        isPrevious={list.isPlaceholderData}
        hrefOf={inboxUrl.hrefOf}
        onPress={onPress}
        onView={onView}
        onForward={onForward}
        onDelete={onDelete}
        onReply={mayChange ? onReply : undefined}
        onChange={mayChange ? change.mutate : undefined}
        myId={myId}
      />
    )

  return (
    <>
      <ScreenHead
        title="Messages"
        count={describeCounts(counts)}
        waiting={counts?.notices}
        isBeside={isBeside}
      >
        <Button
          className="inbox-search-toggle"
          aria-expanded={isSearching || isFiltered}
          onClick={() => setSearching(!isSearching)}
        >
          Search
        </Button>
        <Button
          className="inbox-select-toggle"
          aria-pressed={isSelecting}
          onClick={() => setSelecting(!isSelecting)}
        >
          Select
        </Button>
        <ExportLink filter={filter} />
        <Button
          isIdle={isFetching}
          onClick={() => {
            keepFirstPage()
            list.refetch()
            // The rail counts what is unread.
            client.invalidateQueries({ queryKey: ['dashboard'] })
          }}
        >
          Refresh
        </Button>
      </ScreenHead>
      <nav className="inbox-pills" aria-label="Views">
        <ViewLinks />
      </nav>
      {counts && counts.notices > 0 && <Notices openId={openId} counts={counts} />}
      <Filters
        filter={filter}
        isOpen={isSearching || isFiltered}
        onSearch={inboxUrl.search}
        onChange={inboxUrl.setFilter}
      />
      {list.isSuccess && (
        <div className="line wrap between quiet tiny list-head">
          <p role="status" className={isFiltered && shown.length > 0 ? undefined : 'visually-hidden'}>
            {describeFound(shown.length, hasNextPage, isFiltered)}
          </p>
          <CompactRows />
          <AllKeys onOpen={() => setShowingKeys(true)} />
        </div>
      )}
      {list.isPending && <SkeletonRows />}
      {list.isError && !list.data && (
        <ErrorState title="Failed to fetch messages" error={list.error} onRetry={() => list.refetch()} />
      )}
      {list.isSuccess && shown.length === 0 && !hasNextPage && (
        <EmptyInbox {...{ view, isFiltered }} isSearch={filter.q !== undefined} onClear={inboxUrl.showAll} />
      )}
      {(shown.length > 0 || isStillSearching) && (
        <div
          aria-busy={list.isPlaceholderData}
          className="rows inbox-list"
          data-selecting={isSelecting || selection.ids.size > 0 ? '' : undefined}
        >
          {table.current}
        </div>
      )}
      <LoadMore list={list} />
      <Suspense>
        {mayChange && hasSelected && (
          <bulkBar.Part
            selection={selection}
            hasOthers={hasNextPage || selection.ids.size < shown.length}
            filter={filter}
            onClear={() => setSelecting(false)}
          />
        )}
      </Suspense>
      {list.isRefetchError && (
        <p className="load-more" role="alert">
          This list may be out of date: {list.error.message}
        </p>
      )}
      <Suspense>
        {openId && (
          <messageDialog.Part
            id={openId}
            filter={filter}
            known={shown[openAt]}
            {...neighbours}
            replyTo={{ id: repliedId, onBegun: () => setRepliedId(null) }}
            isForwarding={forward.isPending}
            onMove={inboxUrl.openInstead}
            onForward={onForward}
            onDelete={onDelete}
            onClose={inboxUrl.close}
            returnTo={toOpenRow}
          />
        )}
      </Suspense>
      {isShowingKeys && <KeysDialog onClose={() => setShowingKeys(false)} />}
      {isDeleting && (
        <DeleteDialog
          message={isDeleting}
          filter={filter}
          onDeleted={() => {
            if (openId !== isDeleting.id) return
            // Closing goes back, which a dialog whose write is running prevents.
            flushSync(() => setDeleting(null))
            inboxUrl.close()
          }}
          onClose={() => setDeleting(null)}
          returnTo={toDeletedRow}
        />
      )}
    </>
  )
}

/** Milliseconds. */
const LIST_FOLLOWS = 150

/** A message that is opened is drawn first, and the list beside it after that. */
function useLater(isOpen: boolean): boolean {
  const [later, setLater] = useState(isOpen)
  useEffect(() => {
    const timer = setTimeout(setLater, LIST_FOLLOWS, isOpen)
    return () => clearTimeout(timer)
  }, [isOpen])
  return isOpen && later
}

const SEARCH_BOX = '.filters [type=search]'

/** Loads what the next keys need, once the list is there. */
function usePreload(isListThere: boolean, mayChange: boolean) {
  useEffect(() => {
    if (!isListThere) return
    whenIdle(() => {
      if (mayChange) bulkBar.preload()
      // What cannot be loaded is asked for again when it is wanted.
      loadDialog().then(
        ({ preloadParts }) => preloadParts(mayChange),
        () => {},
      )
    })
  }, [isListThere, mayChange])
}

function describeCounts({ open, unread }: Partial<ViewCounts> = {}): string | undefined {
  const parts = [open && `${describeCount(open)} open`, unread && `${describeCount(unread)} unread`]
  return parts.filter(Boolean).join(', ') || undefined
}

function describeFound(count: number, hasMore: boolean, isFiltered: boolean): string {
  const words = isFiltered ? `${enquiryCount(count)} found` : enquiryCount(count)
  const rest = isFiltered ? ' so far, older ones not searched yet' : ' shown, older ones follow'
  return hasMore ? words + rest : words
}

/** Shows more enquiries at once, without their words; where rows have two lines anyway, there is no choice. */
function CompactRows() {
  const [isRoomy, setRoomy] = roomyRows.use()
  return (
    <Button
      kind="quiet"
      className="inbox-compact-rows"
      aria-pressed={!isRoomy}
      onClick={() => setRoomy(!isRoomy)}
    >
      Compact rows
    </Button>
  )
}

/** Opens the list of keys: at the foot of the rail, or above the list where there is none. */
function AllKeys({ onOpen }: { readonly onOpen: () => void }) {
  const foot = document.getElementById('rail-foot')
  const button = (
    <Button kind="quiet" className="inbox-all-keys" onClick={onOpen}>
      <kbd>?</kbd> All keys
    </Button>
  )
  return (
    <>
      <div className="inbox-all-keys-here">{button}</div>
      {foot && createPortal(button, foot)}
    </>
  )
}

function ExportLink({ filter }: { readonly filter: InboxFilter }) {
  const [isOpen, setOpen] = useState(false)
  if (!useMayCall()(messages.export)) return null
  return (
    <>
      <Button className="inbox-export" onClick={() => setOpen(true)}>
        Export
      </Button>
      {isOpen && <ExportDialog filter={filter} onClose={() => setOpen(false)} />}
    </>
  )
}
