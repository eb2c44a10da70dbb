import { menuScreens, signInDocumentPaths } from '../screens.ts'

/** Routes that no document may take, neither at their path nor below it. */
export const reservedPaths: readonly string[] = [
  '/about-us',
  '/contact',
  '/api',
  '/assets',
  '/healthz',
  '/metrics',
  '/news',
  '/pictures',
  '/preview',
  '/readyz',
  '/status',
  '/team',
  '/track',
  '/visas',
  // Pages that are still to come.
  '/checklists',
  '/english',
  '/occupations',
  '/points',
  '/residence',
  '/set-up',
  ...signInDocumentPaths,
  ...menuScreens.map(({ path }) => path),
]

/** Documents of these kinds lie below a route of their own, one level deep. */
export const folders = { article: '/news/', visa: '/visas/' } as const

/** The address of the form that asks about a visa, and of no other page. */
export function askAbout(path: string): string {
  return `/contact?form=visa-assessment&visa=${path.slice(folders.visa.length)}#get-in-touch`
}

/** What browsers and crawlers ask for by itself; no address of a document has a dot. */
const files: readonly string[] = [
  '/apple-touch-icon.png',
  '/favicon.ico',
  '/favicon.svg',
  '/icon-192.png',
  '/icon-512.png',
  '/news/feed.xml',
  '/robots.txt',
  '/share.png',
  '/site.webmanifest',
  '/sitemap.xml',
]

/** Whether a path is a file that every installation has. */
export function isFile(path: string): boolean {
  return files.includes(path) || path.startsWith('/.well-known/')
}

export function isReserved(path: string): boolean {
  return reservedPaths.some(reserved => path === reserved || path.startsWith(`${reserved}/`))
}
