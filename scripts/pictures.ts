import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'
import { openInstallation, signIn } from '../tests/e2e/installation.ts'
import { findBrowser } from './browser.ts'
import { type Group, groups, type Look } from './picture-groups.ts'
import type { Shot } from './picture-states.ts'

/**
 * The contact sheet: every page and every screen, at four widths, to be looked at after a change of styles. The portal is taken by
 * day and by night, empty and full; both also with text of twice the size, with very long texts, with dialogs and errors, and when
 * a read fails. `picture-groups.ts` lists them.
 * `npm run pictures` writes them to test-results/pictures, with an index.html that shows them side by side; names choose groups:
 * `npm run pictures -- public`.
 */
const FOLDER = 'test-results/pictures'
const HEIGHT = 900
/** Milliseconds for what a page still reads or moves after it has loaded. */
const SETTLE = 300
/** Of 100. */
const QUALITY = 70

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
  const shots = await group.shots(installation)
  const rows: string[][] = shots.map(() => [])
  if (group.isFull) fill()
  for (const look of group.looks) {
    const context = await browser.newContext({
      baseURL: installation.url,
      colorScheme: look,
      reducedMotion: 'reduce',
    })
    const page = await openPage(context, group)
    for (const [at, shot] of shots.entries())
      for (const width of group.widths) rows[at]?.push(await take(page, group, shot, width, look))
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
  { path, name: shown = path.replaceAll(/\W+/g, '-'), open }: Shot,
  width: number,
  look: Look,
): Promise<string> {
  await page.setViewportSize({ width, height: HEIGHT })
  await page.mouse.move(0, 0)
  await page.goto(path, { waitUntil: 'networkidle' })
  await tryTo(shown, () => open?.(page))
  await tryTo(shown, () => after?.(page))
  await page.waitForTimeout(SETTLE)
  const file = `${name}/${shown}-${width}-${look}.jpg`
  // Behind a dialog is nothing to look at, and what stays in sight while one scrolls belongs to the top of the page.
  const fullPage = (await page.locator('dialog[open]').count()) === 0
  await page.evaluate(() => scrollTo(0, 0))
  await page.screenshot({ path: join(FOLDER, file), fullPage, type: 'jpeg', quality: QUALITY })
  // Not earlier: a request that is held back goes on to the server once nothing is intercepted.
  await page.unrouteAll()
  return file
}

/** What cannot be opened is reported, and pictured as it is. */
async function tryTo(name: string, change: () => Promise<unknown> | undefined) {
  try {
    await change()
  } catch (error) {
    process.exitCode = 1
    process.stderr.write(`${name}: ${error}\n`)
  }
}

/** As `npm run seed` does: an office of two years. */
function fill() {
  if (isFull) return
  isFull = true
  installation.run('seed', ['--messages', '300', '--logs', '500', '--users', '12', '--yes'])
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
