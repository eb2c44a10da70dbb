import { sql } from 'kysely'
import { endpoint } from './endpoint.ts'
import { Nothing } from './fields.ts'
import { type Door, serve } from './serve.ts'

export const health = {
  alive: endpoint({ method: 'GET', path: '/healthz', access: 'public', input: Nothing, reply: Nothing }),
  ready: endpoint({ method: 'GET', path: '/readyz', access: 'public', input: Nothing, reply: Nothing }),
}

/** Alive: the process answers. Ready: the database does too, so a balancer may send visitors here. */
export function serveHealth(door: Door): void {
  serve(door, health.alive, async () => ({}))
  serve(door, health.ready, async () => {
    await sql`select 1`.execute(door.services.db)
    return {}
  })
}
