import { sql } from 'kysely'
import { endpoint } from './endpoint.ts'
import { Nothing } from './fields.ts'
import { type Door, serve } from './serve.ts'

export const health = {
  alive: endpoint({
    method: 'GET',
    path: '/healthz',
    access: 'public',
    summary: 'Tell that the process is alive',
    input: Nothing,
    reply: Nothing,
  }),
  ready: endpoint({
    method: 'GET',
    path: '/readyz',
    access: 'public',
    summary: 'Tell whether it can serve: the database answers',
    input: Nothing,
    reply: Nothing,
  }),
}

/** Alive: the process answers. Ready: the database does too, so a balancer may send visitors here. */
export function serveHealth(door: Door): void {
  serve(door, health.alive, async () => ({}))
  serve(door, health.ready, async () => {
    await sql`select 1`.execute(door.services.db)
    return {}
  })
}
