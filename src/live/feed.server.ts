import { firstIdAt } from '../database/id.ts'
import type { Database } from '../database/tables.ts'
import type { Log } from '../log/logger.ts'
import { type Clock, isoAfter, minutes, seconds } from '../platform/clock.ts'
import type { LiveEvent } from './contract.ts'
import { lastChange } from './record-change.server.ts'

/** An enquiry is to be seen within a second, and this leaves half of it to the network and the browser. */
const POLL = seconds(0.5)
/**
 * How far behind the newest enquiry another may turn up: by a minute on a node whose clock is behind, and to store one takes
 * five seconds at most. Of a node that is further behind, enquiries are seen when a screen reads its list again.
 */
const OVERLAP = minutes(1) + seconds(5)
/** A screen may have read what has changed in the meantime. */
const LOADING = seconds(10)
/** Events at once, so that neither a flood nor a long absence costs much. Who missed more reads everything again. */
const MAX_EVENTS = 500

export interface FeedSource {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  readonly databaseUrl: string | null
}

/**
 * Follows the messages of all nodes from now on. New enquiries are looked for by their ids, so that to accept one costs nothing more.
 * Changes come by NOTIFY on PostgreSQL, by the same poll on SQLite.
 */
export async function openFeed(source: FeedSource, publish: (events: readonly LiveEvent[]) => Promise<void>) {
  const reader = await openReader(source)
  const stop = new AbortController()
  const queued = new Set<Read>()
  let reading = Promise.resolve()

  /** One read at a time, so that none of them repeats what another is about to send. */
  function enqueue(read: Read) {
    if (queued.has(read) || stop.signal.aborted) return
    queued.add(read)
    reading = reading.then(async () => {
      queued.delete(read)
      // While the database is away, every call says so.
      const events = await read().catch(() => [])
      if (events.length > 0) await publish(events)
    })
  }

  const onChange = () => enqueue(reader.readChanges)
  const { databaseUrl } = source
  const listening = databaseUrl ? listen({ ...source, databaseUrl, signal: stop.signal, onChange }) : null
  const timer = setInterval(() => {
    enqueue(reader.readNew)
    if (!listening) onChange()
  }, POLL).unref()
  return {
    readSince: reader.readSince,
    async close() {
      clearInterval(timer)
      stop.abort()
      await listening
      await reading
    },
  }
}

type Read = () => Promise<LiveEvent[]>

/** Loaded lazily: with SQLite, the driver of PostgreSQL is not needed. */
async function listen(listening: Parameters<typeof import('./listen.server.ts').keepListening>[0]) {
  const { keepListening } = await import('./listen.server.ts')
  await keepListening(listening)
}

async function openReader({ db, clock }: FeedSource) {
  let change = await lastChange(db)
  let polledAt = clock()
  let seen = new Set(await findEnquiries(db, polledAt))
  let time = 0

  /** Rises with each event, also when the clock is set back. `after` is the change after which a client goes on. */
  function newEventId(after: number) {
    time = Math.max(time + 1, clock().getTime())
    return `${time}-${after}`
  }

  const toNew = (messageId: string, after: number): LiveEvent => {
    return { id: newEventId(after), kind: 'new', messageId }
  }
  const toChange = ({ id, kind, message_id: messageId }: ChangeRow): LiveEvent => {
    return { id: newEventId(id), kind, messageId }
  }

  return {
    async readNew() {
      const now = clock()
      // After an outage, from the last time that it worked.
      const ids = await findEnquiries(db, now < polledAt ? now : polledAt)
      const found = ids.filter(id => !seen.has(id))
      seen = new Set(ids)
      polledAt = now
      return found.map(id => toNew(id, change))
    },

    async readChanges() {
      const rows = await selectChanges(db).where('id', '>', change).limit(MAX_EVENTS).execute()
      change = rows.at(-1)?.id ?? change
      return rows.map(toChange)
    },

    /** The events since one that a client has seen. Without one: those it may have missed while its screen was loading. */
    async readSince(lastEventId: string | undefined) {
      const since = parseEventId(lastEventId, change)
      const from = new Date(Math.min(since?.time ?? Number.POSITIVE_INFINITY, clock().getTime()))
      const rows = await selectChanges(db)
        .where('id', '<=', change)
        .$if(since !== null, query => query.where('id', '>', since?.change ?? 0))
        .$if(since === null, query => query.where('created_at', '>=', isoAfter(clock, -LOADING)))
        .limit(MAX_EVENTS)
        .execute()
      const ids = await findEnquiries(db, from)
      const start = since?.change ?? (rows[0] ? rows[0].id - 1 : change)
      return [...ids.map(id => toNew(id, start)), ...rows.map(toChange)]
    },
  }
}

type ChangeRow = Awaited<ReturnType<ReturnType<typeof selectChanges>['execute']>>[number]

function selectChanges(db: Database) {
  return db.selectFrom('changes').select(['id', 'kind', 'message_id']).orderBy('id')
}

/** Enquiries since a time, the oldest first. Ids hold the time at which a node has made them. */
async function findEnquiries(db: Database, since: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('messages')
    .select('id')
    .where('id', '>=', firstIdAt(overlapping(since)))
    .orderBy('id', 'desc')
    .limit(MAX_EVENTS)
    .execute()
  return rows.map(({ id }) => id).reverse()
}

const overlapping = (time: Date) => new Date(Math.max(0, time.getTime() - OVERLAP))

/** @returns null for what no node has made; a database that was restored has forgotten the last changes */
function parseEventId(text = '', last: number) {
  const [, time, change] = /^(\d{13})-(\d{1,15})$/.exec(text) ?? []
  return time && change ? { time: Number(time), change: Math.min(Number(change), last) } : null
}
