import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'
import { type Installation, openInstallation } from '../tests/e2e/installation.ts'
import { galleries } from '../tests/gallery/galleries.ts'
import { enlargeText } from '../tests/gallery/look-at.ts'
import { openState, signInAs } from '../tests/gallery/open-state.ts'
import { NARROW, nameOf, type Screen, type State } from '../tests/gallery/state.ts'
import { findBrowser } from './browser.ts'

/**
 * The contact sheet: every screen and every state of the gallery, to be looked at after a change of styles. Pages as they come
 * are taken at four widths, by day and by night, with text of twice the size and with very long texts; what opens on them is
 * taken narrow and wide, by day and by night.
 * `npm run pictures` writes them to test-results/pictures, with an index.html that shows them side by side; names choose
 * galleries and views: `npm run pictures -- inbox editor night`.
 */
const FOLDER = 'test-results/pictures'
/** Milliseconds for what a page still reads or moves after it has loaded. */
const SETTLE = 300
/** Of 100. */
const QUALITY = 70

/** How a state is pictured. */
interface View {
  readonly name: string
  /** Pixels: a small phone, a tablet, a small and a usual laptop. */
  readonly widths: readonly number[]
  readonly colorScheme?: 'light' | 'dark'
  readonly change?: (page: Page) => Promise<unknown>
  /** Only of pages on which nothing was opened. */
  readonly isOfPages?: true
}

const views: readonly View[] = [
  { name: 'day', widths: [NARROW, 768, 1024, 1440] },
  { name: 'night', widths: [NARROW, 1440], colorScheme: 'dark' },
  { name: 'large', widths: [390], change: enlargeText, isOfPages: true },
  { name: 'long', widths: [NARROW, 1440], change: lengthen, isOfPages: true },
]

const wanted = process.argv.slice(2)
const choose = <T>(all: readonly T[], name: (one: T) => string) => {
  const chosen = all.filter(one => wanted.some(word => name(one) === word))
  return chosen.length > 0 ? chosen : all
}
const browser = await chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox'] })
rmSync(FOLDER, { recursive: true, force: true })
try {
  const sheets = []
  for (const [name, screens] of choose(Object.entries(galleries), ([name]) => name))
    sheets.push(...(await takeGallery(browser, name, screens)))
  writeFileSync(join(FOLDER, 'index.html'), writeSheet(sheets))
  process.stdout.write(`${resolve(FOLDER, 'index.html')}\n`)
} finally {
  await browser.close()
}

/** The title of a screen and its files, in rows of one state each. */
type Sheet = readonly [title: string, rows: readonly (readonly string[])[]]

async function takeGallery(browser: Browser, name: string, screens: readonly Screen[]): Promise<Sheet[]> {
  mkdirSync(join(FOLDER, name), { recursive: true })
  const installation = await openInstallation()
  try {
    const sheets: Sheet[] = []
    for (const screen of screens) sheets.push(await takeScreen(browser, name, screen, installation))
    return sheets
  } finally {
    await installation.close()
  }
}

async function takeScreen(
  browser: Browser,
  gallery: string,
  { title, as, states }: Screen,
  installation: Installation,
): Promise<Sheet> {
  const rows = new Map<string, string[]>()
  for (const view of choose(views, ({ name }) => name)) {
    const context = await browser.newContext({ baseURL: installation.url })
    const page = await context.newPage()
    if (as) await signInAs(as, page, installation)
    for (const state of await states(installation)) {
      if (view.isOfPages && state.open) continue
      const row = rows.get(nameOf(state)) ?? []
      rows.set(nameOf(state), row)
      for (const width of state.isNarrow ? [NARROW] : view.widths) {
        const file = `${gallery}/${nameOf(state)}-${view.name}-${width}.jpg`
        await take(page, state, view, width, file)
        row.push(file)
      }
    }
    await context.close()
  }
  process.stdout.write(`${title}: ${[...rows.values()].flat().length} pictures\n`)
  return [title, [...rows.values()]]
}

async function take(
  page: Page,
  state: State,
  { colorScheme = 'light', change }: View,
  width: number,
  file: string,
) {
  try {
    await openState(page, state, { width, colorScheme })
    await change?.(page)
  } catch (error) {
    // What cannot be opened is reported, and pictured as it is.
    process.exitCode = 1
    process.stderr.write(`${file}: ${error}\n`)
  }
  await page.waitForTimeout(SETTLE)
  // Behind a dialog is nothing to look at, and what stays in sight while one scrolls belongs to the top of the page.
  const fullPage = (await page.locator('dialog[open]').count()) === 0
  await page.evaluate(() => scrollTo(0, 0))
  await page.screenshot({ path: join(FOLDER, file), fullPage, type: 'jpeg', quality: QUALITY })
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

function writeSheet(sheets: readonly Sheet[]): string {
  const picture = (file: string) =>
    `<a href="${file}"><img loading="lazy" src="${file}" alt="" height="420"><br>${file.replace(/^.*\//, '')}</a>`
  const sheet = ([title, rows]: Sheet) =>
    `<h2>${title}</h2>${rows.map(row => `<p>${row.map(picture).join(' ')}</p>`).join('')}`
  return `<!doctype html><meta charset="utf-8"><title>Contact sheet</title>
<style>body { font: 12px sans-serif } p { white-space: nowrap } a { display: inline-block; vertical-align: top }</style>
${sheets.map(sheet).join('\n')}`
}
