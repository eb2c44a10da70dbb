import type { Page } from '@playwright/test'
import { menuScreens } from '../src/screens.ts'
import type { Installation } from '../tests/e2e/installation.ts'
import { inboxOpened, inboxScreens } from './inbox-states.ts'
import { type Change, openOnPublicPages, openOnSignInPages, type Shot } from './picture-states.ts'
import { openDocument, openInEditor, openOnContent, uploadPicture } from './picture-states-content.ts'
import { openOnScreens } from './picture-states-screens.ts'

export type Look = 'light' | 'dark'

export interface Group {
  readonly name: string
  readonly widths: readonly number[]
  readonly looks: readonly Look[]
  readonly shots: (installation: Installation) => Promise<readonly Shot[]>
  /** Before the page is opened. */
  readonly before?: Change
  /** When it is open. */
  readonly after?: Change
  readonly isSignedIn?: true
  /** Whether it needs what `npm run seed` makes. */
  readonly isFull?: true
}

/** Pixels: a small phone, a tablet, a small and a usual laptop. */
const WIDTHS = [360, 768, 1024, 1440]
const NARROW_AND_WIDE = [360, 1440]
/** A message is beside the list from 1200 on. */
const INBOX_WIDTHS = [360, 768, 1024, 1200, 1440]
/** Pixels, for text of twice the size: a usual phone. */
const PHONE = [390]
const BOTH = ['light', 'dark'] as const
const LIGHT = ['light'] as const

const formPaths = ['/contact', '/contact?form=visa-assessment', '/contact?form=tracking']
const signInPaths = [
  '/auth',
  '/forgot-password',
  '/set-password#token=x',
  '/verify-email?token=x',
  '/api-tokens',
]
const screenPaths = [
  ...menuScreens.map(({ path }) => path),
  ...['/settings?tab=email', '/settings?tab=recaptcha', '/settings?tab=email-integration'],
  ...[
    '/api-tokens?tab=documentation',
    '/content?view=facts',
    '/content?view=claims',
    '/content?view=pictures',
  ],
]

const listed = (paths: readonly string[]) => async () => paths.map(path => ({ path }))
const portal = { shots: listed(screenPaths), isSignedIn: true } as const

export const groups: readonly Group[] = [
  { name: 'public', widths: WIDTHS, looks: LIGHT, shots: publicShots },
  { name: 'public-large', widths: PHONE, looks: LIGHT, shots: publicShots, before: enlarge },
  { name: 'public-long', widths: NARROW_AND_WIDE, looks: LIGHT, shots: publicShots, after: lengthen },
  { name: 'public-open', widths: NARROW_AND_WIDE, looks: LIGHT, shots: async () => openOnPublicPages },
  { name: 'form-errors', widths: WIDTHS, looks: LIGHT, shots: listed(formPaths), after: submit },
  { name: 'sign-in', widths: WIDTHS, looks: BOTH, shots: listed(signInPaths) },
  { name: 'sign-in-large', widths: PHONE, looks: LIGHT, shots: listed(signInPaths), before: enlarge },
  { name: 'sign-in-open', widths: NARROW_AND_WIDE, looks: BOTH, shots: async () => openOnSignInPages },
  { name: 'portal-empty', widths: WIDTHS, looks: BOTH, ...portal },
  { name: 'portal-full', widths: WIDTHS, looks: BOTH, ...portal, isFull: true },
  {
    name: 'portal-open',
    widths: NARROW_AND_WIDE,
    looks: BOTH,
    ...portal,
    shots: async () => openOnScreens,
    isFull: true,
  },
  {
    name: 'content-open',
    widths: NARROW_AND_WIDE,
    looks: BOTH,
    ...portal,
    shots: async () => openOnContent,
    before: uploadPicture,
  },
  { name: 'editor', widths: WIDTHS, looks: LIGHT, ...portal, shots: editorShots },
  { name: 'editor-dark', widths: NARROW_AND_WIDE, looks: ['dark'], ...portal, shots: editorShots },
  { name: 'editor-open', widths: NARROW_AND_WIDE, looks: BOTH, ...portal, shots: async () => openInEditor },
  { name: 'portal-large', widths: PHONE, looks: LIGHT, ...portal, before: enlarge, isFull: true },
  { name: 'portal-long', widths: NARROW_AND_WIDE, looks: LIGHT, ...portal, after: lengthen },
  { name: 'portal-error', widths: NARROW_AND_WIDE, looks: BOTH, ...portal, before: failReads },
  // The last: they have messages of their own.
  { name: 'inbox', widths: INBOX_WIDTHS, looks: LIGHT, ...portal, shots: inboxScreens },
  { name: 'inbox-dark', widths: NARROW_AND_WIDE, looks: ['dark'], ...portal, shots: inboxScreens },
  { name: 'inbox-large', widths: PHONE, looks: LIGHT, ...portal, shots: inboxScreens, before: enlarge },
  { name: 'inbox-open', widths: NARROW_AND_WIDE, looks: BOTH, ...portal, shots: inboxOpened },
]

/** The pages of the sitemap, and some that are not in it. */
async function publicShots({ url }: Installation): Promise<readonly Shot[]> {
  const sitemap = await (await fetch(`${url}/sitemap.xml`)).text()
  const pages = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(
    ([, address = url]) => new URL(address).pathname,
  )
  const others = [...formPaths.slice(1), '/contact/received?reference=LF-7K3M-92QD', '/nothing']
  return [...pages, ...others].map(path => ({ path }))
}

/** The editor of a document of each kind. */
async function editorShots(): Promise<readonly Shot[]> {
  return [
    { path: '/content?kind=site', name: 'site', open: openDocument('Landfall Migration') },
    { path: '/content?kind=page', name: 'page', open: openDocument('What our work costs') },
    { path: '/content?kind=visa', name: 'visa', open: openDocument('Skills in Demand visa, subclass 482') },
  ]
}

/** Text of twice the size, as the browser's own setting gives. */
async function enlarge(page: Page) {
  await page.addInitScript(() =>
    document.addEventListener('DOMContentLoaded', () => {
      document.documentElement.style.setProperty('font-size', '200%')
    }),
  )
}

/**
 * Every text that somebody could make longer three times, with a word that is longer than a phone is wide. Numbers, initials, and
 * the words of buttons and of Login stay as they are; in the portal, all but what people may have written.
 */
async function lengthen(page: Page) {
  await page.evaluate(() => {
    const fixed =
      'script, style, button, option, .button, .header-login, .portal :is(.header, .rail, th, time, label, summary, .badge, .table-fixed, [role="tab"], .filters)'
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const text = texts.currentNode.nodeValue ?? ''
      if (/\p{L}{3}/u.test(text) && !texts.currentNode.parentElement?.closest(fixed))
        texts.currentNode.nodeValue = `${text} ${text} Bartholomew-Featherstonehaugh${'cholmondeley'.repeat(3)} ${text}`
    }
  })
}

async function submit(page: Page) {
  await page.getByRole('button', { name: 'Send enquiry' }).click()
  await page.locator('.field-error').first().waitFor()
}

async function failReads(page: Page) {
  // Not of the page, whose routes end with each picture.
  await page
    .context()
    .route(/\/api\/(?!auth)/, route =>
      route.fulfill({ status: 503, body: '{"message":"The database is away"}' }),
    )
}
