import * as z from 'zod/mini'
import { Empty } from '../../http/common-schemas.ts'
import { endpoint } from '../../http/endpoint.ts'

/** What is still a sample, and the address of its field. */
export const Missing = z.object({ label: z.string(), href: z.string() })
export type Missing = z.output<typeof Missing>

/** Apart from the rest of the dashboard, because a public page loads it for staff. */
export const samples = {
  list: endpoint({
    method: 'GET',
    path: '/api/dashboard/samples',
    access: 'content:read',
    summary: 'List the samples that visitors do not see, with the place of each',
    input: Empty,
    reply: z.object({
      /** Empty once everything is confirmed, and in a trial at http, where samples are shown. */
      missing: z.array(Missing),
    }),
  }),
}
