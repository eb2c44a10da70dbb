import type { ContentKind } from '../database/content-tables.ts'
import type { ArticleBody, PageBody, VisaBody } from './page-bodies.ts'

/** The body of a new document: of the right shape, but not complete enough to be published. */
export function emptyBody(
  kind: Exclude<ContentKind, 'site'>,
  path: string,
  title: string,
): PageBody | ArticleBody | VisaBody {
  const text = { type: 'doc' as const, content: [{ type: 'paragraph' as const }] }
  const page = { path, title, description: '', blocks: [{ id: 'text-1', type: 'text' as const, text }] }
  if (kind === 'page') return page
  if (kind === 'article') return { ...page, author: '' }
  return {
    ...page,
    subclasses: [],
    facts: [],
    figures: [],
    programme: { status: 'open' },
    more: { label: '', url: '' },
    service: 'other',
  }
}
