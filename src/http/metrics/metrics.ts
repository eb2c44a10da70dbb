import { timingSafeEqual } from 'node:crypto'
import { isIPv4 } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { sql } from 'kysely'
import { Gauge, type Registry } from 'prom-client'
import { hashToken } from '../../auth/session.ts'
import { countUpTo } from '../../database/count.ts'
import type { Database } from '../../database/tables.ts'
import { seconds } from '../../platform/clock.ts'
import type { Services } from '../../services.ts'
import { type ApiRouter, serve } from '../api-router.ts'
import { Empty } from '../common-schemas.ts'
import { endpoint } from '../endpoint.ts'
import { HttpError } from '../http-error.ts'
import { type AppContext, errorResponse } from '../responses.ts'

/** Emails are counted up to here, so that a million of them cost no more. */
const MAX_EMAILS_COUNTED = 10_000
/** Node measures delays in nanoseconds. */
const NANOSECONDS_PER_SECOND = 1e9

/** Serves `/metrics` in Prometheus format. A client that may not read it gets 404, as if it did not exist. */
export function serveMetrics({ app, services }: ApiRouter): void {
  const { registry } = services.httpMetrics
  measureEmails(registry, services)
  gauge(registry, 'landfall_event_streams', 'Open event streams.', () => services.streams.count())
  measureProcess(registry)
  app.get('/metrics', async context => {
    if (!mayRead(context, services.config.metricsToken))
      return errorResponse(context, new HttpError(404, 'There is no such call'))
    return context.text(await registry.metrics(), 200, {
      'Content-Type': registry.contentType,
      'Cache-Control': 'no-store',
    })
  })
}

/** A client on this machine that connects directly and not through a proxy, or one with the token. */
function mayRead(context: AppContext, token: string | null): boolean {
  const authorization = context.req.header('authorization')
  if (authorization !== undefined) return token !== null && isSame(authorization, `Bearer ${token}`)
  const isForwarded = ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'].some(name =>
    context.req.header(name),
  )
  return isLoopback(context.env.peer) && !isForwarded
}

function isLoopback(peer: string): boolean {
  const address = peer.replace(/^::ffff:/, '')
  return address === '::1' || (isIPv4(address) && address.startsWith('127.'))
}

/** Compares hashes, so that the time taken reveals neither length nor content. */
function isSame(actual: string, expected: string): boolean {
  return timingSafeEqual(Buffer.from(hashToken(actual)), Buffer.from(hashToken(expected)))
}

function measureEmails(registry: Registry, { db, clock }: Services) {
  gauge(registry, 'landfall_outbox_waiting', 'Emails that wait to be sent, counted up to 10,000.', () =>
    countEmails(db, 'waiting'),
  )
  gauge(registry, 'landfall_outbox_failed', 'Emails that failed, counted up to 10,000.', () =>
    countEmails(db, 'failed'),
  )
  gauge(registry, 'landfall_outbox_oldest_seconds', 'How long the oldest email has waited.', async () => {
    const oldest = await oldestWaiting(db)
    return oldest ? Math.max(0, (clock().getTime() - Date.parse(oldest)) / 1000) : 0
  })
}

async function countEmails(db: Database, state: 'waiting' | 'failed'): Promise<number> {
  const limited = db
    .selectFrom('outbox')
    .select('id')
    .where('state', '=', state)
    // Visitors mistype their addresses: nobody has to do anything about that.
    .$if(state === 'failed', query => query.where('kind', '!=', 'acknowledgement'))
    .limit(MAX_EMAILS_COUNTED)
  return await countUpTo(db, limited)
}

async function oldestWaiting(db: Database): Promise<string | undefined> {
  const oldest = db
    .selectFrom('outbox')
    .select('created_at')
    .where('state', '=', 'waiting')
    .orderBy('created_at')
  return (await oldest.limit(1).executeTakeFirst())?.created_at
}

function measureProcess(registry: Registry) {
  const { memoryUsage } = process
  gauge(registry, 'process_resident_memory_bytes', 'Memory of the process.', () => memoryUsage.rss())
  gauge(registry, 'nodejs_heap_size_used_bytes', 'Memory that JavaScript uses.', () => memoryUsage().heapUsed)
  gauge(registry, 'process_uptime_seconds', 'Time since the process started.', () => process.uptime())
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  new Gauge({
    name: 'landfall_event_loop_delay_seconds',
    help: 'How late timers run, since the last scrape.',
    labelNames: ['quantile'],
    registers: [registry],
    collect() {
      for (const quantile of [0.5, 0.99, 1])
        this.set({ quantile }, delay.percentile(quantile * 100) / NANOSECONDS_PER_SECOND)
      delay.reset()
    },
  })
}

/** A figure that is read when somebody asks for it. */
function gauge(registry: Registry, name: string, help: string, read: () => number | Promise<number>) {
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      this.set(await read())
    },
  })
}

export const health = {
  alive: endpoint({
    method: 'GET',
    path: '/healthz',
    access: 'public',
    summary: 'Check that the process is alive',
    input: Empty,
    reply: Empty,
  }),
  ready: endpoint({
    method: 'GET',
    path: '/readyz',
    access: 'public',
    summary: 'Check that it can serve: the database answers',
    input: Empty,
    reply: Empty,
  }),
}

/** For so long one answer of the database counts for everybody who asks: strangers may ask as often as they like. */
const ANSWER_LIFETIME = seconds(0.5)

/** Alive: the process answers. Ready: the database does too, so a load balancer may send visitors to this node. */
export function serveHealth(router: ApiRouter): void {
  serve(router, health.alive, async () => ({}))
  let isAnswered = false
  serve(router, health.ready, async () => {
    if (isAnswered) return {}
    await sql`select 1`.execute(router.services.db)
    isAnswered = true
    setTimeout(() => {
      isAnswered = false
    }, ANSWER_LIFETIME).unref()
    return {}
  })
}
