import type { Page } from '@playwright/test'
import { findScreen } from '../../src/screens.ts'
import { type Installation, signIn } from '../e2e/installation.ts'
import { addStaff } from '../e2e/staff.ts'
import { LONG_NAME, NARROW, type Staff, type State } from './state.ts'

/** Pixels. */
export const HEIGHT = 900
const WIDE = 1440

interface Look {
  readonly width?: number
  readonly colorScheme?: 'light' | 'dark'
  /** What the page shows, if it is to be left by a link where nothing would be left of it. */
  readonly last?: State | null
}

export async function signInAs(staff: Staff, page: Page, installation: Installation) {
  if (staff === 'admin') return await signIn(page, installation)
  await signIn(page, installation, await addStaff(installation, LONG_NAME, { inbox: 'read' }))
}

/** Loads the page of a state, or goes there by a link, and opens what it shows; nothing is left of the state before. */
export async function openState(page: Page, state: State, look: Look = {}) {
  const { path, before, open, isNarrow } = state
  const { width = isNarrow ? NARROW : WIDE, colorScheme = 'light', last = null } = look
  const isNext = last !== null && followsOn(last, state)
  if (!isNext) await page.unrouteAll()
  if (page.url().startsWith('http')) await page.evaluate(forgetInput)
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.setViewportSize({ width, height: HEIGHT })
  await page.mouse.move(0, 0)
  if (isNext) await followLinks(page, last.path, path)
  else {
    await before?.(page)
    await page.goto(path)
  }
  await untilReady(page)
  await open?.(page)
}

/**
 * Whether a link leads from one to the other with nothing left: both are screens of the portal, nothing was opened on the first,
 * and the server answers the same. To load the portal again takes as long as to look at it.
 */
function followsOn(last: State, next: State): boolean {
  return !last.open && last.before === next.before && Boolean(screenAt(last.path) && screenAt(next.path))
}

const screenAt = (path: string) => findScreen(path.replace(/\?.*/, ''))

/** By way of another screen, which everybody may open, where both addresses are of the same: it would keep what it shows. */
async function followLinks(page: Page, from: string, to: string) {
  if (screenAt(from) === screenAt(to)) {
    await page.evaluate(followLink, screenAt(to) === screenAt('/dashboard') ? '/api-tokens' : '/dashboard')
    await untilReady(page)
  }
  await page.evaluate(followLink, to)
}

/** Runs in the page, until the screen that it showed is gone. */
async function followLink(path: string) {
  document.documentElement.style.removeProperty('font-size')
  const heading = document.querySelector('#main h1')
  const link = Object.assign(document.createElement('a'), { href: path })
  document.querySelector('.portal')?.append(link)
  link.click()
  link.remove()
  while (heading?.isConnected) await new Promise(requestAnimationFrame)
}

/** Runs in the page, whose form would come back filled in. */
function forgetInput() {
  localStorage.clear()
  sessionStorage.clear()
}

/** Everything has been read, and what comes alive is alive. */
async function untilReady(page: Page) {
  await page.locator('h1').first().waitFor()
  await page.waitForFunction(
    () => !document.querySelector('[data-island]:not([data-live]), .skeleton, [aria-busy="true"]'),
  )
  await page.evaluate(() => document.fonts.ready)
}
