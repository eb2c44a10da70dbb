import type { Page } from '@playwright/test'
import type { Installation } from '../e2e/installation.ts'

/** What is done to a page before it is looked at. */
export type Change = (page: Page) => Promise<unknown>

/** A page, and what is opened on it. */
export interface State {
  readonly path: string
  /** Where the path does not say it. */
  readonly name?: string
  /** What the page meets while it loads. */
  readonly before?: Change
  readonly open?: Change
  /** Only in a narrow window: it opens what a wide one doesn't have. */
  readonly isNarrow?: true
  /** Pixels of the window for text of twice the size, where a phone does not show what is looked at; null leaves it out. */
  readonly largeWidth?: number | null
  /** Whether the server is made to fail, which the browser notes on its console. */
  readonly fails?: true
  /** Part of another site, which answers for itself. */
  readonly without?: string
}

/** Viewers may read messages. */
export type Staff = 'admin' | 'viewer'

/** A screen, or pages that belong together, in every state that people meet. */
export interface Screen {
  /** Plural, such as `The inbox and its menus`. */
  readonly title: string
  /** Who has signed in, if anyone. */
  readonly as?: Staff
  /** Makes what the states show; each screen makes its own. */
  readonly states: (installation: Installation) => Promise<readonly State[]>
}

/** Pixels: a small phone, on which a state of a narrow window is opened. */
export const NARROW = 360

/** Long enough for more than one line of a phone, and with a word that is itself longer than one. */
export const LONG_NAME = 'Bartholomew Featherstonehaugh-Cholmondeley of the Northern Districts'

export const nameOf = ({ path, name = path.replaceAll(/\W+/g, '-') }: State) => name

export const listed = (paths: readonly string[]) => async () => paths.map(path => ({ path }))

/** Presses the first button of this name. */
export const press = (name: string | RegExp) => async (page: Page) => {
  await page.getByRole('button', { name }).first().click()
}

/** Presses the button of the open dialog. */
export const answer = (name: string) => async (page: Page) => {
  await page.getByRole('dialog').last().getByRole('button', { name, exact: true }).click()
}

/** One change after the other. */
export const inOrder =
  (...changes: readonly Change[]): Change =>
  async page => {
    for (const change of changes) await change(page)
  }

export const type = (label: string, text: string) => async (page: Page) => {
  await page.getByLabel(label, { exact: true }).fill(text)
}

/** More than a field takes, and too long for one line. */
export const overfill = (label: string) => async (page: Page) => {
  const field = page.getByLabel(label, { exact: true })
  await field.evaluate(input => input.removeAttribute('maxlength'))
  await field.fill('ж'.repeat(300))
}

export const check = (label: string) => (page: Page) => page.getByLabel(label).check()

/** Waits until the first of these is seen. */
export const until = (selector: string) => (page: Page) => page.locator(selector).first().waitFor()

export const untilText = (text: string | RegExp) => (page: Page) => page.getByText(text).first().waitFor()

/** Opens all that is folded. */
export function unfold(page: Page) {
  return page.evaluate(() => {
    for (const folded of document.querySelectorAll<HTMLDetailsElement>('main details:not([data-menu])'))
      folded.open = true
  })
}

/** The menu of the second row. */
export const openRowMenu = (page: Page) => page.locator('.row-menu > summary').nth(1).click()

/** Leaves for another screen by a link of the page, whatever menu it is in. */
export const leaveFor = (path: string) => async (page: Page) => {
  // The router learns of what is unsaved after the next paint.
  await page.evaluate(() => new Promise(done => requestAnimationFrame(() => setTimeout(done, 100))))
  await page.locator(`a[href="${path}"]`).first().dispatchEvent('click')
}

const AWAY = { status: 503, body: '{"message":"The database is away"}' }

/** From now on, these reads fail. */
export const failReads = (address: RegExp) => (page: Page) =>
  page.route(address, route => (route.request().method() === 'GET' ? route.fulfill(AWAY) : route.fallback()))

/** From now on, the server accepts no write. */
export const failWrites = (page: Page) =>
  page.route('**/api/**', route =>
    route.request().method() === 'GET' ? route.fallback() : route.fulfill(AWAY),
  )
