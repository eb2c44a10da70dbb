import type { Page } from '@playwright/test'
import { type Installation, signIn } from '../e2e/installation.ts'
import { addStaff } from '../e2e/staff.ts'
import { LONG_NAME, NARROW, type Staff, type State } from './state.ts'

/** Pixels. */
export const HEIGHT = 900
const WIDE = 1440

interface Look {
  readonly width?: number
  readonly colorScheme?: 'light' | 'dark'
}

export async function signInAs(staff: Staff, page: Page, installation: Installation) {
  if (staff === 'admin') return await signIn(page, installation)
  await signIn(page, installation, await addStaff(installation, LONG_NAME, { inbox: 'read' }))
}

/** Loads the page of a state and opens what it shows; nothing is left of the state before. */
export async function openState(
  page: Page,
  { path, before, open, isNarrow }: State,
  { width = isNarrow ? NARROW : WIDE, colorScheme = 'light' }: Look = {},
) {
  await page.unrouteAll()
  if (page.url().startsWith('http')) await page.evaluate(forgetInput)
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.setViewportSize({ width, height: HEIGHT })
  await page.mouse.move(0, 0)
  await before?.(page)
  await page.goto(path)
  await untilReady(page)
  await open?.(page)
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
