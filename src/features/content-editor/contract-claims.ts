import * as z from 'zod/mini'
import { levels } from '../../content/claims/finding.ts'
import { Empty } from '../../http/common-schemas.ts'
import { endpoint } from '../../http/endpoint.ts'
import { Kind } from './contract.ts'

const Claim = z.object({
  document: z.object({ id: z.string(), kind: Kind, path: z.string(), title: z.string() }),
  rule: z.string(),
  level: z.enum(levels),
  /** Of the field, such as `slides.0.title`. */
  path: z.string(),
  sentence: z.string(),
  reason: z.string(),
  /** Who took responsibility, and when. */
  author: z.string(),
  at: z.string(),
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
