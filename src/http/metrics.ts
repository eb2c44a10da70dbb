import { timingSafeEqual } from 'node:crypto'
import { isIPv4 } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { hashToken } from '../auth/token.ts'
import { countUpTo } from '../database/count.ts'
import type { Database } from '../database/tables.ts'
import type { Services } from '../services.ts'
import type { ApiRouter, AppContext } from './api-router.ts'
import { HttpError } from './http-error.ts'
import { errorResponse } from './responses.ts'

/** Past this a number of letters stands still, so that it costs no more with a million of them. */
const MAX_LETTERS_COUNTED = 10_000
/** Nanoseconds in a second, in which Node measures delays. */
const NANOSECONDS = 1e9

/** What an operator watches, as Prometheus reads it. Whoever may not read it learns nothing, not even that it is there. */
export function serveMetrics({ app, services }: ApiRouter): void {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  app.get('/metrics', async context => {
    if (!mayRead(context, services.config.metricsToken))
      return errorResponse(context, new HttpError(404, 'There is no such call'))
    const lines = [
      ...services.httpMetrics.read(),
      ...(await describeEmails(services)),
      ...describeProcess(delay),
    ]
    return context.text(`${lines.join('\n')}\n`, 200, {
      'Content-Type': 'text/plain; version=0.0.4; charset=utf-8',
      'Cache-Control': 'no-store',
    })
  })
}

/** A program on this machine that comes directly and not through a proxy, or one with the token. */
function mayRead(context: AppContext, token: string | null): boolean {
  const given = context.req.header('authorization')
  if (given !== undefined) return token !== null && isSame(given, `Bearer ${token}`)
  const isForwarded = ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'].some(name =>
    context.req.header(name),
  )
  return isLoopback(context.env.peer) && !isForwarded
}

function isLoopback(peer: string): boolean {
  const address = peer.replace(/^::ffff:/, '')
  return address === '::1' || (isIPv4(address) && address.startsWith('127.'))
}

/** As hashes, so that neither length nor content shows in the time it takes. */
function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(Buffer.from(hashToken(given)), Buffer.from(hashToken(expected)))
}

async function describeEmails({ db, clock }: Services): Promise<string[]> {
  const oldest = await oldestWaiting(db)
  const age = oldest ? Math.max(0, (clock().getTime() - Date.parse(oldest)) / 1000) : 0
  return [
    ...gauge(
      'landfall_outbox_waiting',
      'Letters that wait, counted to 10,000.',
      await countEmails(db, 'waiting'),
    ),
    ...gauge(
      'landfall_outbox_failed',
      'Letters that were given up, counted to 10,000.',
      await countEmails(db, 'failed'),
    ),
    ...gauge('landfall_outbox_oldest_seconds', 'For how long the oldest letter has waited.', age),
  ]
}

async function countEmails(db: Database, state: 'waiting' | 'failed'): Promise<number> {
  const limited = db.selectFrom('outbox').select('id').where('state', '=', state).limit(MAX_LETTERS_COUNTED)
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

/** The delays are those since the last reading. */
function describeProcess(delay: ReturnType<typeof monitorEventLoopDelay>): string[] {
  const { rss, heapUsed } = process.memoryUsage()
  const name = 'landfall_event_loop_delay_seconds'
  const lines = [
    ...gauge('process_resident_memory_bytes', 'Memory of the process.', rss),
    ...gauge('nodejs_heap_size_used_bytes', 'Memory that JavaScript uses.', heapUsed),
    ...gauge('process_uptime_seconds', 'Since the start.', process.uptime()),
    `# HELP ${name} How late timers run, since the last reading.`,
    `# TYPE ${name} gauge`,
    ...[50, 99, 100].map(
      percent => `${name}{quantile="${percent / 100}"} ${delay.percentile(percent) / NANOSECONDS}`,
    ),
  ]
  delay.reset()
  return lines
}

function gauge(name: string, help: string, value: number): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, `${name} ${value}`]
}
