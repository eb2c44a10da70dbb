import type { Grant } from '../auth/session.ts'
import { createEventStream, type EventStream } from '../http/event-stream.ts'
import { throwHttpError } from '../http/http-error.ts'
import { replies } from '../i18n/texts.ts'
import { seconds } from '../platform/clock.ts'
import { nextTurn } from '../platform/turns.ts'
import type { LiveEvent } from './contract.ts'
import { type FeedSource, openFeed } from './feed.server.ts'

/**
 * Proxies close what is silent for a minute, and a session that is ended loses its stream within twenty seconds. Not all
 * streams beat at once.
 */
const HEARTBEAT_INTERVAL = seconds(19)
/** Half of all connections. */
const MAX_STREAMS = 1000
/** A browser has one; each of several windows without Web Locks has its own, and some may be dead. */
const MAX_STREAMS_PER_GRANT = 8
/**
 * Several devices and programs of one person, who has as many sessions and tokens as they like: without this limit, one alone
 * could hold all streams.
 */
export const MAX_STREAMS_PER_USER = 32
/** How long a browser waits after a stream has ended: up to twice as long, so that not all come back together. */
const RECONNECT = seconds(1)

/** By whom a stream was opened, and with what. */
export interface StreamOwner {
  readonly grant: Grant
  readonly userId: string
}

/** The open event streams of this process. @param beat milliseconds between a beat and the next */
export function createLiveStreams(source: FeedSource, beat = HEARTBEAT_INTERVAL) {
  /** The oldest first. */
  const streams = new Map<EventStream, StreamOwner>()
  let feed: ReturnType<typeof openFeed> | null = null
  let closing = Promise.resolve()
  let isClosed = false

  /** Asks first who may still read messages: of those who may not, no node needs to hear what has taken it from them. */
  async function publish(events: readonly LiveEvent[]) {
    const chunk = encode(events.map(toText).join(''))
    const byGrant = Map.groupBy(streams, ([, { grant }]) => grant.id)
    for (const same of byGrant.values()) {
      const isValid = await same[0]?.[1].grant.isValid().catch(() => false)
      for (const [stream] of same)
        if (isValid) stream.send(chunk)
        else stream.end()
      await nextTurn()
    }
  }

  /** Nothing is read while nobody listens. */
  function remove(stream: EventStream) {
    streams.delete(stream)
    if (streams.size > 0 || !feed) return
    const ended = feed
    feed = null
    closing = Promise.all([closing, ended.then(it => it.close()).catch(() => {})]).then(() => {})
  }

  /** Ends the oldest of those that are the same person's, or of the same session or token, if there are too many. */
  function makeRoom({ grant, userId }: StreamOwner) {
    const own = [...streams].filter(([, owner]) => owner.userId === userId)
    const same = own.filter(([, owner]) => owner.grant.id === grant.id)
    if (same.length >= MAX_STREAMS_PER_GRANT) same[0]?.[0].end()
    else if (own.length >= MAX_STREAMS_PER_USER) own[0]?.[0].end()
  }

  function add(owner: StreamOwner): EventStream {
    const { grant } = owner
    let timer: NodeJS.Timeout | undefined
    const stream = createEventStream(() => {
      clearTimeout(timer)
      remove(stream)
    })
    const check = async () => {
      if (!(await grant.isValid().catch(() => false))) return stream.end()
      stream.send(COMMENT)
      if (streams.has(stream)) schedule()
    }
    const schedule = () => {
      timer = setTimeout(check, beat * (0.8 + Math.random() / 5)).unref()
    }
    makeRoom(owner)
    streams.set(stream, owner)
    schedule()
    return stream
  }

  return {
    /** @throws {HttpError} 503 when there are too many, or when the server stops */
    async open(owner: StreamOwner, lastEventId: string | undefined) {
      if (isClosed || streams.size >= MAX_STREAMS) throwHttpError(503, replies.unavailable, { retryAfter: 5 })
      const stream = add(owner)
      feed ??= openFeed(source, publish)
      try {
        const missed = await (await feed).readSince(lastEventId)
        const wait = Math.round(RECONNECT * (1 + Math.random()))
        stream.send(encode(`retry: ${wait}\n\n${missed.map(toText).join('')}`))
        return stream
      } catch (error) {
        stream.end()
        throw error
      }
    },
    count: () => streams.size,
    /** Ends all of them at once and lets nobody open another. */
    async close() {
      isClosed = true
      for (const stream of [...streams.keys()]) stream.end()
      await closing
    },
  }
}

const encode = (text: string) => new TextEncoder().encode(text)
const COMMENT = encode(':\n\n')

/** Nothing else than these three ever leaves. */
function toText({ id, kind, messageId }: LiveEvent): string {
  return `id: ${id}\ndata: ${JSON.stringify({ id, kind, messageId })}\n\n`
}
