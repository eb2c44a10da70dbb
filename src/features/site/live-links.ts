import { signInPaths } from '../../screens.ts'
import type { MenuLink } from '../../ui/header.tsx'
import type { SiteSettings } from './site-settings.ts'

/** The pages that every installation has, in the order of the sitemap. */
export const fixedPaths = ['/', '/about-us', '/contact', '/visas', '/news'] as const

interface Entry {
  readonly label: string
  readonly path: string
}

/** The entries of a menu that lead to a page that is there now, to its current path. No two lead to the same. */
export function liveLinks(entries: readonly Entry[], live: SiteSettings['live']): readonly MenuLink[] {
  const links = new Map<string, MenuLink>()
  for (const { label, path } of entries) {
    const href = findLive(path, live)
    if (href && !links.has(href)) links.set(href, { href, label })
  }
  return [...links.values()]
}

function findLive(path: string, live: SiteSettings['live']): string | null {
  const [pathname = ''] = path.split(/[?#]/, 1)
  const current = live.redirects.get(pathname) ?? pathname
  return isThere(current, live) ? current + path.slice(pathname.length) : null
}

function isThere(path: string, live: SiteSettings['live']): boolean {
  // The list of news is there too, but nobody should be led to an empty one.
  if (path === '/news') return hasNews(live)
  return live.documents.has(path) || [...fixedPaths, ...signInPaths].some(fixed => fixed === path)
}

export function hasNews({ documents }: Pick<SiteSettings['live'], 'documents'>): boolean {
  return [...documents.values()].some(({ kind }) => kind === 'article')
}
