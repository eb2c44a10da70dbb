import type { Page } from '@playwright/test'
import { keepToasts, toast } from './expect-texts.ts'
import { test as base, signIn } from './installation.ts'

/** Each test gets a page on which the first admin has signed in, and toasts stay. */
export const test = base.extend<{ admin: Page }>({
  admin: async ({ page, installation }, use) => {
    await signIn(page, installation)
    await keepToasts(page)
    await use(page)
  },
})

/** Saves the current tab, once the toast of the save before is gone. */
export async function save(page: Page) {
  const close = toast(page).getByRole('button', { name: 'Close' })
  if (await close.isVisible()) await close.click()
  await page.getByRole('button', { name: 'Save changes' }).click()
}
