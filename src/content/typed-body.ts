import * as z from 'zod/mini'
import type { ContentKind } from '../database/content-tables.ts'
import { readBody, type StoredBody } from './bodies.ts'
import { ArticleBody, PageBody, VisaBody } from './page-bodies.ts'
import { SiteBody } from './site-body.ts'

/** A body with its kind, which says what is in it. */
const TypedBody = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('site'), body: SiteBody }),
  z.strictObject({ kind: z.literal('page'), body: PageBody }),
  z.strictObject({ kind: z.literal('article'), body: ArticleBody }),
  z.strictObject({ kind: z.literal('visa'), body: VisaBody }),
])
export type TypedBody = z.output<typeof TypedBody>

/** @throws when the stored body is not valid in today's schema */
export function parseStored(kind: ContentKind, stored: StoredBody): TypedBody {
  return TypedBody.parse({ kind, body: readBody(kind, stored) })
}
