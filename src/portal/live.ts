import type { QueryClient } from '@tanstack/react-query'
import { signIn } from '../features/sign-in/contract.ts'
import { live } from '../live/contract.ts'
import { seconds } from '../platform/clock.ts'
import { call } from '../ui/client.ts'
import { meQuery } from '../ui/me-query.ts'
import { checkWhoIsSignedIn } from './query-client.ts'
import { createRefresh, type LiveUpdate } from './refresh-messages.ts'

/** Of the Web Lock and of the channel: one for all tabs of this browser. */
const NAME = 'landfall events'
/** The wait after a refused connection, doubled each time: nobody calls a server that is starting again without pause. */
const FIRST_WAIT = seconds(1)
const MAX_WAIT = seconds(30)

/** A screen takes no longer to load. Who follows later than that may have missed something. */
const LOADING = seconds(5)

type Publish = (update: LiveUpdate) => void

interface Follower {
  /** Ends it. */
  readonly signal: AbortSignal
  readonly publish: Publish
  /** Finds out why the server has refused the stream. */
  recheck(): Promise<void>
}

/**
 * Keeps what this browser shows of messages up to date. One tab has the event stream and passes it on: a browser opens
 * six connections to a server, and a seventh tab would wait for ever.
 */
export function followMessages(client: QueryClient, signal: AbortSignal): void {
  if (signal.aborted) return
  const refresh = createRefresh(client, signal)
  const recheck = () => readWhoIsSignedIn(client)
  // Only pages that the browser trusts have it: not those over plain HTTP from another machine.
  if (navigator.locks) followAsOne({ signal, publish: refresh, recheck })
  else followWhileVisible({ signal, publish: refresh, recheck })
}

/** The tab that has the lock passes on what it hears. */
function followAsOne({ signal, publish: refresh, recheck }: Follower) {
  const channel = new BroadcastChannel(NAME)
  channel.onmessage = ({ data }: MessageEvent<LiveUpdate>) => refresh(data)
  signal.addEventListener('abort', () => channel.close())
  const publish: Publish = update => {
    refresh(update)
    channel.postMessage(update)
  }
  const start = performance.now()
  const lead = () => follow({ signal, publish, recheck }, performance.now() - start > LOADING)
  navigator.locks.request(NAME, { signal }, lead).catch(() => {})
}

/** Without locks each tab that is in front has a stream of its own. */
function followWhileVisible({ signal, ...follower }: Follower) {
  let current = new AbortController()
  let hasMissed = false
  const restart = () => {
    current.abort()
    current = new AbortController()
    if (document.visibilityState === 'hidden' || signal.aborted) return
    follow({ signal: current.signal, ...follower }, hasMissed)
    hasMissed = true
  }
  document.addEventListener('visibilitychange', restart, { signal })
  signal.addEventListener('abort', () => current.abort())
  restart()
}

/** Follows the stream until the signal. After each interruption everything is read again, once. */
async function follow({ signal, publish, recheck }: Follower, mayHaveMissed: boolean): Promise<void> {
  let hasMissed = mayHaveMissed
  let wait = FIRST_WAIT
  while (!signal.aborted) {
    await connect(signal, publish, () => {
      if (hasMissed) publish('everything')
      hasMissed = true
      wait = FIRST_WAIT
    })
    if (signal.aborted) return
    await recheck()
    await sleep(wait * (1 + Math.random()), signal)
    wait = Math.min(2 * wait, MAX_WAIT)
  }
}

/** Leaves when the session has ended, and notices a permission that was taken away. */
async function readWhoIsSignedIn(client: QueryClient) {
  try {
    await call(signIn.me, {})
    await client.invalidateQueries({ queryKey: meQuery.queryKey })
  } catch (error) {
    if (error instanceof Error) checkWhoIsSignedIn(error)
  }
}

/** A browser connects again by itself, unless the server has refused. Then, or at the signal, this ends. */
function connect(signal: AbortSignal, publish: Publish, onOpen: () => void): Promise<void> {
  const source = new EventSource(live.events.path)
  return new Promise(resolve => {
    const end = () => {
      source.close()
      resolve()
    }
    signal.addEventListener('abort', end, { once: true })
    source.onopen = onOpen
    source.onmessage = ({ data }) => publish([JSON.parse(data)])
    source.onerror = () => {
      if (source.readyState === EventSource.CLOSED) end()
    }
  })
}

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) return resolve()
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
