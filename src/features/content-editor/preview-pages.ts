import type { ContentDocument } from './contract.ts'

/** Those that show what the site document says. */
const sitePages = { Home: '/', 'About us': '/about-us', Contact: '/contact' }

/** The pages that show a document: label → path below its preview. What a page is called there does not matter. */
export function listPreviewPages({ kind }: Pick<ContentDocument, 'kind'>): Readonly<Record<string, string>> {
  return kind === 'site' ? sitePages : { Page: '/' }
}
