import { sql } from 'kysely'
import { seconds } from '../clock.ts'
import { type ApiRouter, serve } from './api-router.ts'
import { Empty } from './common-schemas.ts'
import { endpoint } from './endpoint.ts'

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
