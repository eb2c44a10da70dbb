import { reservedPaths } from '../../content/reserved-paths.ts'
import type { Services } from '../../services.ts'

/** A page of this site, as somebody chooses it for a link. */
interface LinkTarget {
  readonly path: string
  readonly title: string
}

/** The pages that every installation has. */
const fixed: readonly LinkTarget[] = [
  { path: '/', title: 'Home' },
  { path: '/about-us', title: 'About Us' },
  { path: '/contact', title: 'Contact' },
  { path: '/visas', title: 'Visas' },
  { path: '/news', title: 'News' },
]

/** What a link may lead to: the pages that visitors can open now, and all paths that lead to one. */
export function listLinkTargets({ documents, redirects }: ReturnType<Services['content']['read']>) {
  const live = [...documents].map(([path, { content }]) => ({ path, title: content.body.title }))
  const byTitle = live.toSorted((one, other) => one.title.localeCompare(other.title, 'en'))
  return {
    pages: [...fixed, ...byTitle],
    paths: ['/', ...reservedPaths, ...documents.keys(), ...redirects.keys()],
  }
}
