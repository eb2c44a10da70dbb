import * as z from 'zod/mini'
import type { ContentKind } from '../database/content-tables.ts'
import { findShapeErrors, readBody, type StoredBody } from './bodies.ts'
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

/** A draft has the shape of its kind, but its texts may be missing, too long or not what they must be. */
export function readDraft(kind: ContentKind, stored: StoredBody): TypedBody | null {
  const draft = { kind, body: readBody(kind, stored) }
  return hasShape(draft) ? draft : null
}

function hasShape(draft: { kind: ContentKind; body: unknown }): draft is TypedBody {
  return Object.keys(findShapeErrors(draft.kind, draft.body)).length === 0
}
