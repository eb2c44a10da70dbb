import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'
import { menuScreens } from '../src/screens.ts'
import { type Installation, openInstallation, signIn } from '../tests/e2e/installation.ts'
import { findBrowser } from './browser.ts'

/**
 * The contact sheet: every page and every screen, at four widths, to be looked at after a change of styles. The portal is taken by
 * day and by night, empty and full; both also with text of twice the size, with very long texts, and when a read fails.
 * `npm run pictures` writes them to test-results/pictures, with an index.html that shows them side by side; names choose groups:
 * `npm run pictures -- public`.
 */
const FOLDER = 'test-results/pictures'
/** Pixels: a small phone, a tablet, a small and a usual laptop. */
const WIDTHS = [360, 768, 1024, 1440]
/** Pixels, for text of twice the size: a usual phone. */
const PHONE = 390
const HEIGHT = 900
/** Milliseconds for what a page still reads or moves after it has loaded. */
const SETTLE = 300
/** Of 100. */
const QUALITY = 70

type Look = 'light' | 'dark'
/** What is done to a page before its picture is taken. */
type Change = (page: Page) => Promise<unknown>

interface Group {
  readonly name: string
  readonly widths: readonly number[]
  readonly looks: readonly Look[]
  readonly paths: (installation: Installation) => Promise<readonly string[]>
  /** Before the page is opened. */
  readonly before?: Change
  /** When it is open. */
  readonly after?: Change
  readonly isSignedIn?: true
}

const screens = async () => [
  ...menuScreens.map(({ path }) => path),
  '/settings?tab=security',
  '/content?kind=site',
]
const signInPages = async () => ['/auth', '/verify-email?token=x', '/api-tokens']
const portal = { paths: screens, isSignedIn: true } as const

const groups: readonly Group[] = [
  { name: 'public', widths: WIDTHS, looks: ['light'], paths: publicPaths },
  { name: 'public-large', widths: [PHONE], looks: ['light'], paths: publicPaths, before: enlarge },
  { name: 'public-long', widths: [360, 1440], looks: ['light'], paths: publicPaths, after: lengthen },
  { name: 'form-errors', widths: WIDTHS, looks: ['light'], paths: async () => ['/contact'], after: submit },
  { name: 'sign-in', widths: WIDTHS, looks: ['light', 'dark'], paths: signInPages },
  { name: 'portal-empty', widths: WIDTHS, looks: ['light', 'dark'], ...portal },
  { name: 'portal-full', widths: WIDTHS, looks: ['light', 'dark'], ...portal, before: fill },
  { name: 'portal-large', widths: [PHONE], looks: ['light'], ...portal, before: enlarge },
  { name: 'portal-long', widths: [360, 1440], looks: ['light'], ...portal, after: lengthen },
  { name: 'portal-error', widths: [360, 1440], looks: ['light', 'dark'], ...portal, before: failReads },
]

const wanted = process.argv.slice(2)
const chosen = groups.filter(({ name }) => wanted.length === 0 || wanted.some(part => name.includes(part)))
const browser = await chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox'] })
const installation = await openInstallation()
let isFull = false
rmSync(FOLDER, { recursive: true, force: true })
try {
  const sheets = []
  for (const group of chosen) sheets.push([group.name, await takeGroup(browser, group)] as const)
  writeFileSync(join(FOLDER, 'index.html'), writeSheet(sheets))
  process.stdout.write(`${resolve(FOLDER, 'index.html')}\n`)
} finally {
  await browser.close()
  await installation.close()
}

/** @returns the files of a group, in rows of one page each */
async function takeGroup(browser: Browser, group: Group): Promise<readonly (readonly string[])[]> {
  mkdirSync(join(FOLDER, group.name), { recursive: true })
  const paths = await group.paths(installation)
  const rows: string[][] = paths.map(() => [])
  for (const look of group.looks) {
    const context = await browser.newContext({
      baseURL: installation.url,
      colorScheme: look,
      reducedMotion: 'reduce',
    })
    const page = await openPage(context, group)
    for (const [at, path] of paths.entries())
      for (const width of group.widths) rows[at]?.push(await take(page, group, path, width, look))
    await context.close()
  }
  process.stdout.write(`${group.name}: ${rows.flat().length} pictures\n`)
  return rows
}

async function openPage(context: BrowserContext, { isSignedIn, before }: Group): Promise<Page> {
  const page = await context.newPage()
  if (isSignedIn) await signIn(page, installation)
  await before?.(page)
  return page
}

/** @returns the name of the file, below the folder */
async function take(
  page: Page,
  { name, after }: Group,
  path: string,
  width: number,
  look: Look,
): Promise<string> {
  await page.setViewportSize({ width, height: HEIGHT })
  await page.goto(path, { waitUntil: 'networkidle' })
  await after?.(page)
  await page.waitForTimeout(SETTLE)
  const file = `${name}/${path.replaceAll(/\W+/g, '-')}-${width}-${look}.jpg`
  await page.screenshot({ path: join(FOLDER, file), fullPage: true, type: 'jpeg', quality: QUALITY })
  return file
}

/** The pages of the sitemap, and some that are not in it. */
async function publicPaths({ url }: Installation): Promise<readonly string[]> {
  const sitemap = await (await fetch(`${url}/sitemap.xml`)).text()
  const listed = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(
    ([, address = url]) => new URL(address).pathname,
  )
  return [
    ...listed,
    '/contact?form=visa-assessment',
    '/contact?form=tracking',
    '/contact/received?reference=LF-7K3M-92QD',
    '/nothing',
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

/** Every text three times, with a word that is longer than a phone is wide. */
async function lengthen(page: Page) {
  await page.evaluate(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const text = texts.currentNode.nodeValue ?? ''
      if (text.trim() && !texts.currentNode.parentElement?.closest('script, style, button, option'))
        texts.currentNode.nodeValue = `${text} ${text} Bartholomew-Featherstonehaugh${'cholmondeley'.repeat(3)} ${text}`
    }
  })
}

async function submit(page: Page) {
  await page.getByRole('button', { name: 'Send enquiry' }).click()
  await page.locator('.field-error').first().waitFor()
}

/** As `npm run seed` does: an office of two years. */
async function fill() {
  if (isFull) return
  isFull = true
  installation.run('seed', ['--messages', '300', '--logs', '500', '--users', '12', '--yes'])
}

async function failReads(page: Page) {
  await page.route(/\/api\/(?!auth)/, route =>
    route.fulfill({ status: 503, body: '{"message":"The database is away"}' }),
  )
}

function writeSheet(sheets: readonly (readonly [string, readonly (readonly string[])[]])[]): string {
  const picture = (file: string) =>
    `<a href="${file}"><img loading="lazy" src="${file}" alt="" height="420"><br>${file.replace(/^.*\//, '')}</a>`
  const group = ([name, rows]: (typeof sheets)[number]) =>
    `<h2>${name}</h2>${rows.map(row => `<p>${row.map(picture).join(' ')}</p>`).join('')}`
  return `<!doctype html><meta charset="utf-8"><title>Contact sheet</title>
<style>body { font: 12px sans-serif } p { white-space: nowrap } a { display: inline-block; vertical-align: top }</style>
${sheets.map(group).join('\n')}`
}
