import { folders } from '../../content/reserved-paths.ts'
import type { LiveDocument } from '../../content/store.server.ts'
import { numbersOf, type Subclasses } from '../../content/visas.ts'
import { signInPaths } from '../../screens.ts'
import type { MenuLink } from '../../ui/header/header.tsx'
import type { SiteSettings } from './site-settings.ts'

type Live = Pick<SiteSettings['live'], 'documents'>
type Kind = LiveDocument['content']['kind']
type OfKind<K extends Kind> = LiveDocument & { readonly body: BodyOf<K> }
type BodyOf<K extends Kind> = Extract<LiveDocument['content'], { kind: K }>['body']

export type LiveArticle = OfKind<'article'>

/** Newest first. Those that the installation came with are the oldest. */
export function listArticles({ documents }: Live): readonly LiveArticle[] {
  return [...documents.values()]
    .flatMap(document => {
      const { content } = document
      return content.kind === 'article' ? [{ ...document, body: content.body }] : []
    })
    .sort((one, other) => (other.publishedAt ?? '').localeCompare(one.publishedAt ?? ''))
}

export function visaAsked({ documents }: Live, name: string | null) {
  const document = documents.get(folders.visa + name)
  return document?.content.kind === 'visa' ? document.content.body : null
}

/** Subclass numbers that are named in a list; family visas have twenty. */
const NAMED = 4

/** The first of them, and how many are left out. */
export function namedNumbers(visa: Subclasses) {
  const numbers = numbersOf(visa)
  return { named: numbers.slice(0, NAMED), others: Math.max(0, numbers.length - NAMED) }
}

/** Two numbers that stand for many, one of each name, and how many are left out. */
export function leadingNumbers(visa: Subclasses) {
  const numbers = numbersOf(visa)
  const leading = new Set(visa.subclasses.flatMap(({ numbers: [first] }) => first ?? []))
  const named = numbers.length <= NAMED ? numbers : [...leading].slice(0, 2)
  return { named, others: numbers.length - named.length }
}

/** The pages that every installation has, in the order of the sitemap. */
export const fixedPaths = ['/', '/about-us', '/team', '/contact', '/visas', '/news'] as const

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

export function isThere(path: string, live: Pick<SiteSettings['live'], 'site' | 'documents'>): boolean {
  // The list of news is there too, but nobody should be led to an empty one.
  if (path === '/news') return hasNews(live)
  if (path === '/team' && !live.documents.has(path)) return hasTeam(live)
  return live.documents.has(path) || [...fixedPaths, ...signInPaths].some(fixed => fixed === path)
}

/** Whether somebody is named beside the first agent: otherwise the page About Us says it all. */
export function hasTeam({ site }: Pick<SiteSettings['live'], 'site'>): boolean {
  return (site.team ?? []).length > 0
}

/** An agency may have had a page of its own there. */
export function isTeamPage(live: Pick<SiteSettings['live'], 'site' | 'documents'>): boolean {
  return hasTeam(live) && !live.documents.has('/team')
}

export function hasNews({ documents }: Pick<SiteSettings['live'], 'documents'>): boolean {
  return [...documents.values()].some(({ kind }) => kind === 'article')
}
