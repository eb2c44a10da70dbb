import type { Page } from '@playwright/test'
import { enterPassword } from '../tests/e2e/installation.ts'

/** What the contact sheet opens on pages before the portal: answers and errors. `picture-states-screens.ts` has the portal's. */

/** What is done to a page before its picture is taken. */
export type Change = (page: Page) => Promise<unknown>

/** A page, and what is opened on it. */
export interface Shot {
  readonly path: string
  /** Of the file, where the path does not say it. */
  readonly name?: string
  readonly open?: Change
}

/** Presses the first button of this name. */
export const press = (name: string | RegExp) => async (page: Page) => {
  await page.getByRole('button', { name }).first().click()
}

/** One change after the other. */
export const inOrder =
  (...changes: readonly Change[]): Change =>
  async page => {
    for (const change of changes) await change(page)
  }

async function send(page: Page) {
  await page.getByLabel('Your name').fill('Li Wei')
  await page.getByLabel('Email').fill('li.wei@example.com')
  await page.getByLabel('Phone').fill('+86 138 0013 8000')
  await page.getByLabel('Message').fill('I study in Melbourne until June, and would like to stay.')
  await page.getByRole('button', { name: 'Send enquiry' }).click()
  await page.getByText('Your reference is').first().waitFor()
}

export const openOnPublicPages: readonly Shot[] = [
  { path: '/contact', name: 'sent', open: send },
  { path: '/', name: 'second-slide', open: press('Next slide') },
  { path: '/', name: 'third-slide', open: press('Previous slide') },
  { path: '/faq', name: 'answers', open: unfold },
]

/** Opens all that is folded. */
export function unfold(page: Page) {
  return page.evaluate(() => {
    for (const folded of document.querySelectorAll<HTMLDetailsElement>('main details:not([data-menu])'))
      folded.open = true
  })
}

export const openOnSignInPages: readonly Shot[] = [
  { path: '/auth', name: 'password-errors', open: press('Login') },
  {
    path: '/forgot-password',
    name: 'link-sent',
    async open(page) {
      await page.getByLabel('Email').fill('li.wei@example.com')
      await page.getByRole('button', { name: 'Send the link' }).click()
      await page.getByRole('button', { name: 'Send the link' }).waitFor({ state: 'detached' })
    },
  },
  { path: '/auth', name: 'code', open: showCodeStep },
  { path: '/auth', name: 'code-errors', open: inOrder(showCodeStep, press('Verify')) },
]

async function showCodeStep(page: Page) {
  const code = page.getByLabel('Verification code')
  // In the second window the sign-in is pending already.
  await code.or(page.getByLabel('Email')).first().waitFor()
  if (!(await code.isVisible())) await enterPassword(page)
  await code.waitFor()
}
