import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { seconds } from '../clock.ts'
import { type MessagePage, messages } from '../features/inbox/contract.ts'
import { replaceInLists } from '../features/inbox/queries.ts'
import type { LiveEvent } from '../live/contract.ts'
import { call } from '../ui/client.ts'

/** What has happened to messages; `everything` when that is not known. */
export type News = readonly LiveEvent[] | 'everything'

/** Not all browsers of an office ask in the same instant. */
const MAX_DELAY = seconds(0.2)
const MIN_PAUSE = seconds(0.2)
/** A server that takes long gets more rest. */
const PAUSE_PER_DURATION = 3

/** @returns what reads again what is shown of messages, for several news at once */
export function createRefresh(client: QueryClient, signal: AbortSignal): (news: News) => void {
  let waiting: News = []
  let timer: ReturnType<typeof setTimeout> | null = null
  let notBefore = 0

  async function run() {
    const [news, start] = [waiting, Date.now()]
    waiting = []
    await invalidate(client, news)
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
  const isAll = touched.includes(ALL)
  const rows = news === 'everything' ? [] : news.filter(event => !isAll && isChangedRow(client, event))
  const keys = [['dashboard'], ...(isAll ? [ALL] : touched)]
  await Promise.all([
    ...keys.map(queryKey => client.invalidateQueries({ queryKey })),
    ...[...new Set(rows.map(({ messageId }) => messageId))].map(id => replaceRow(client, id)),
  ])
}

/** Lists and open messages. */
const ALL = ['messages']

/** What an event makes out of date here. What this tab has done itself is shown already. */
function keysOf(client: QueryClient, event: LiveEvent): string[][] {
  const queryKey = ['messages', 'open', event.messageId]
  const isOpen = client.getQueryCache().findAll({ queryKey, type: 'active' }).length > 0
  const isHere = isOpen || isListed(client, event)
  if (event.kind === 'changed') return isHere ? [queryKey] : [ALL]
  return isHere === (event.kind === 'new') ? [] : [ALL]
}

function isListed(client: QueryClient, { messageId }: LiveEvent): boolean {
  const shown = { queryKey: ['messages', 'list'], type: 'active' } as const
  const lists = client.getQueriesData<InfiniteData<MessagePage>>(shown)
  return lists.some(([, list]) => list?.pages.some(page => page.messages.some(({ id }) => id === messageId)))
}

function isChangedRow(client: QueryClient, event: LiveEvent): boolean {
  return event.kind === 'changed' && isListed(client, event)
}

/**
 * A row stays where it is when its message changes: somebody may be about to press it, and what is read in the list of
 * the unread ones must not vanish meanwhile. That it is gone, another event says.
 */
async function replaceRow(client: QueryClient, id: string): Promise<void> {
  const open = await call(messages.read, { id }).catch(() => null)
  if (open) replaceInLists(client, id, () => [open.message])
}
