import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { type MessagePage, messages, type OpenMessage } from '../features/inbox/contract.ts'
import { replaceInLists } from '../features/inbox/queries.ts'
import type { LiveEvent } from '../live/contract.ts'
import { seconds } from '../platform/clock.ts'
import { call } from '../ui/client.ts'

/** The messages that changed; `everything` when that is unknown. */
export type LiveUpdate = readonly LiveEvent[] | 'everything'

/** Not all browsers of an office ask in the same instant. */
const MAX_DELAY = seconds(0.2)
const MIN_PAUSE = seconds(0.2)
/** A server that takes long gets more rest. */
const PAUSE_PER_DURATION = 3

/** @returns what reads again what is shown of messages, for several updates at once */
export function createRefresh(client: QueryClient, signal: AbortSignal): (update: LiveUpdate) => void {
  let waiting: LiveUpdate = []
  let timer: ReturnType<typeof setTimeout> | null = null
  let notBefore = 0

  async function run() {
    const [update, start] = [waiting, Date.now()]
    waiting = []
    await invalidate(client, update)
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
  return update => {
    waiting = waiting === 'everything' || update === 'everything' ? 'everything' : [...waiting, ...update]
    schedule()
  }
}

async function invalidate(client: QueryClient, update: LiveUpdate): Promise<void> {
  const touched = update === 'everything' ? [ALL] : update.flatMap(event => keysOf(client, event))
  const isAll = touched.includes(ALL)
  const rows = update === 'everything' ? [] : update.filter(event => !isAll && isChangedRow(client, event))
  const isWork = update === 'everything' || update.some(({ kind }) => kind !== 'writing')
  const keys = [...(isWork ? [['dashboard']] : []), ...(isAll ? [ALL] : touched)]
  await Promise.all([
    ...keys.map(queryKey => client.invalidateQueries({ queryKey })),
    replaceRows(client, [...new Set(rows.map(({ messageId }) => messageId))]),
  ])
}

/** Lists and open messages. */
const ALL = ['messages']

/** The query keys that an event makes stale. This tab already shows its own changes. */
function keysOf(client: QueryClient, event: LiveEvent): string[][] {
  if (event.kind === 'writing') return [['presence', event.messageId]]
  const open = openWith(client, event.messageId)
  const isHere = open.length > 0 || isListed(client, event)
  // Of what is neither open nor listed, only the list can be out of date.
  if (event.kind === 'changed') return isHere ? open : [['messages', 'list']]
  return isHere === (event.kind === 'new') ? [] : [ALL]
}

/** The keys of the conversations on the screen in which a message is shown, itself or merged into another. */
function openWith(client: QueryClient, messageId: string): string[][] {
  const shown = { queryKey: ['messages', 'open'], type: 'active' } as const
  return client
    .getQueriesData<OpenMessage>(shown)
    .filter(([[, , id], open]) => id === messageId || open?.merged?.some(it => it.id === messageId))
    .map(([[, , id]]) => ['messages', 'open', String(id)])
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
async function replaceRows(client: QueryClient, ids: readonly string[]): Promise<void> {
  for (let at = 0; at < ids.length; at += MAX_ROWS) {
    const some = ids.slice(at, at + MAX_ROWS)
    const rows = await call(messages.rows, { ids: some.join() }).catch(() => ({ messages: [] }))
    for (const row of rows.messages) replaceInLists(client, row.id, () => [row])
  }
}

const MAX_ROWS = 50
