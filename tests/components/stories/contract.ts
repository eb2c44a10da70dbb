import * as z from 'zod/mini'
import { endpoint } from '../../../src/http/endpoint.ts'

/** Calls that exist in stories only. */
export const things = {
  create: endpoint({
    method: 'POST',
    path: '/api/things',
    access: 'users',
    input: z.strictObject({ name: z.string() }),
    reply: z.object({}),
  }),
}
