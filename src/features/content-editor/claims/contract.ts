import * as z from 'zod/mini'
import { RecordedOverride } from '../../../content/claims/finding.ts'
import { Empty } from '../../../http/common-schemas.ts'
import { endpoint } from '../../../http/endpoint.ts'
import { Kind } from '../contract.ts'

const Claim = z.extend(RecordedOverride, {
  document: z.object({ id: z.string(), kind: Kind, path: z.string(), title: z.string() }),
  /** The number of the version that is live. */
  version: z.number(),
  /** The field in words: "Slides 1, Title". */
  field: z.string(),
  /** Whether visitors do not see it until somebody confirms it. */
  isHidden: z.boolean(),
})
export type Claim = z.output<typeof Claim>

export const claims = {
  /** By document. */
  list: endpoint({
    method: 'GET',
    path: '/api/content/claims',
    access: 'content:read',
    summary: 'List the claims that visitors read, with the reasons that staff gave for them',
    input: Empty,
    reply: z.object({ claims: z.array(Claim) }),
  }),
}
