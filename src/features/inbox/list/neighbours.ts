import { useEffect, useRef } from 'react'
import type { LoadMore } from '../../../ui/list/load-more.tsx'
import { findRow } from '../../../ui/list/row-actions.tsx'

/** What lies around the open message in the list. */

/**
 * The ids before and after the open message. Once it has left the list, they are those of the list that had it. From a list of what
 * is unread each message goes when it is opened: there it keeps its place until the reading ends, and is not the next to answer.
 * @param unreadList names such a list; null for another
 */
export function useNeighbours(ids: readonly string[], openId: string | null, unreadList: string | null) {
  const { current: reading } = useRef({ list: unreadList, order: ids, read: new Set<string>() })
  if (!openId || reading.list !== unreadList) reading.read.clear()
  reading.list = unreadList
  const isListed = (id: string) => ids.includes(id)
  if (openId && isListed(openId)) reading.read.add(openId)
  if (!openId || isListed(openId))
    reading.order = unreadList ? withRead(ids, reading.order, reading.read) : ids
  const at = openId ? reading.order.indexOf(openId) : -1
  if (at < 0) return {}
  const [before, after] = [reading.order.slice(0, at), reading.order.slice(at + 1)]
  const isUnread = (id: string) => isListed(id) && !reading.read.has(id)
  const next = after.find(isUnread) ?? before.findLast(isUnread) ?? null
  return { newer: before.at(-1), older: after[0], next: unreadList ? next : undefined }
}

/** The list with what has left it and was read, each after what it came after. */
function withRead(ids: readonly string[], last: readonly string[], read: ReadonlySet<string>) {
  const listed = new Set(ids)
  const following = new Map<string, string[]>()
  let before = ''
  for (const id of last) {
    if (listed.has(id)) before = id
    else if (read.has(id)) following.set(before, [...(following.get(before) ?? []), id])
  }
  if (following.size === 0) return ids
  return ['', ...ids].flatMap(id => [id, ...(following.get(id) ?? [])]).slice(1)
}

/** Loads the next page when the open message is the last of the loaded ones, so that Older leads on. */
export function useLoadNextPage(openAt: number, count: number, list: Parameters<typeof LoadMore>[0]['list']) {
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = list
  const isWanted = openAt >= 0 && openAt === count - 1 && hasNextPage
  useEffect(() => {
    if (isWanted && !isFetching && !isFetchNextPageError) fetchNextPage()
  }, [isWanted, isFetching, isFetchNextPageError, fetchNextPage])
}

/** Brings the row of the message that a link from elsewhere has opened into view, once it is there. */
export function useRowOfLink(openId: string | null, isListed: boolean) {
  const linked = useRef(openId)
  useEffect(() => {
    if (!isListed) return
    if (openId === linked.current) findRow(openId ?? undefined)?.scrollIntoView({ block: 'nearest' })
    linked.current = null
  }, [openId, isListed])
}
