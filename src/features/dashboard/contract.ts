import * as z from 'zod/mini'
import { endpoint } from '../../http/endpoint.ts'
import { Nothing } from '../../http/fields.ts'

const Dashboard = z.object({
  /** What waits for an admin; null for everyone else. */
  attention: z.nullable(
    z.object({
      unread: z.number(),
      failedLetters: z.number(),
      /** Whether letters only go to the local mailbox, because no provider is configured. */
      isMailKeptHere: z.boolean(),
    }),
  ),
})

export const dashboard = {
  read: endpoint({
    method: 'GET',
    path: '/api/dashboard',
    access: 'signed-in',
    summary: 'Count what waits for an admin',
    input: Nothing,
    reply: Dashboard,
  }),
}
