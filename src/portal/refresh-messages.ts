import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { seconds } from '../clock.ts'
import type { MessagePage } from '../features/inbox/contract.ts'
import type { LiveEvent } from '../live/contract.ts'
import { guardMovedRows } from './guard-moved-rows.ts'

/** What has happened to messages; `everything` when that is not known. */
export type News = readonly LiveEvent[] | 'everything'

/** Not all browsers of an office ask in the same instant. */
const MAX_DELAY = seconds(0.2)
const MIN_PAUSE = seconds(0.2)
/** A server that takes long gets more rest. */
const PAUSE_PER_DURATION = 3

/** @returns what reads again what is shown of messages, for several news at once */
export function createRefresh(client: QueryClient, signal: AbortSignal): (news: News) => void {
  const guard = guardMovedRows(signal)
  let waiting: News = []
  let timer: ReturnType<typeof setTimeout> | null = null
  let notBefore = 0

  async function run() {
    const [news, start, watch] = [waiting, Date.now(), watchOrder(client, guard.arm)]
    waiting = []
    await invalidate(client, news)
    watch.stop()
    notBefore = Date.now() + Math.max(MIN_PAUSE, PAUSE_PER_DURATION * (Date.now() - start))
    timer = null
    if (waiting.length > 0) schedule()
  }

  function schedule() {
    // A tab in the background reads again when it comes to the front.
    if (timer || signal.aborted || document.visibilityState === 'hidden') return
    const delay = Math.max(Math.random() * MAX_DELAY, notBefore - Date.now())
    timer = setTimeout(() => run().catch(() => {}), delay)
  }

  document.addEventListener('visibilitychange', () => waiting.length > 0 && schedule(), { signal })
  return news => {
    waiting = waiting === 'everything' || news === 'everything' ? 'everything' : [...waiting, ...news]
    schedule()
  }
}

async function invalidate(client: QueryClient, news: News): Promise<void> {
  const touched = news === 'everything' ? [ALL] : news.flatMap(event => keysOf(client, event))
  const keys = [['dashboard'], ...(touched.includes(ALL) ? [ALL] : touched)]
  await Promise.all(keys.map(queryKey => client.invalidateQueries({ queryKey })))
}

/** Lists and open messages. */
const ALL = ['messages']

/** What an event makes out of date here. What this tab has done itself is shown already. */
function keysOf(client: QueryClient, { kind, messageId }: LiveEvent): string[][] {
  const queryKey = ['messages', 'open', messageId]
  const isOpen = client.getQueryCache().findAll({ queryKey, type: 'active' }).length > 0
  // A reader of a message in the list of the unread ones must not lose it there because it is read now.
  if (kind === 'changed') return isOpen ? [queryKey] : [ALL]
  const isListed = idsOf(client).some(ids => ids.includes(messageId))
  return (kind === 'new' ? isListed : !isListed && !isOpen) ? [] : [ALL]
}

/** The ids of the messages in each list that is shown. */
function idsOf(client: QueryClient): string[][] {
  const shown = { queryKey: ['messages', 'list'], type: 'active' } as const
  const lists = client.getQueriesData<InfiniteData<MessagePage>>(shown)
  return lists.map(([, list]) => list?.pages.flatMap(page => page.messages.map(({ id }) => id)) ?? [])
}

/** Calls `onMove` as soon as a list has other rows or another order, before it is rendered. */
function watchOrder(client: QueryClient, onMove: () => void) {
  const read = () => JSON.stringify(idsOf(client))
  let order = read()
  const stop = client.getQueryCache().subscribe(() => {
    const now = read()
    if (now !== order) onMove()
    order = now
  })
  return { stop }
}
