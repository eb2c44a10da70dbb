import type { Page } from '@playwright/test'
import { enterPassword } from '../tests/e2e/installation.ts'

/** What the contact sheet opens on pages and screens: dialogs, answers and errors. */

/** What is done to a page before its picture is taken. */
export type Change = (page: Page) => Promise<unknown>

/** A page, and what is opened on it. */
export interface Shot {
  readonly path: string
  /** Of the file, where the path does not say it. */
  readonly name?: string
  readonly open?: Change
}

const press = (name: string | RegExp) => async (page: Page) => {
  await page.getByRole('button', { name }).first().click()
}

/** From the menu of the first row, which a phone has, too. */
const choose = (name: RegExp) => async (page: Page) => {
  await page.locator('.row-menu > summary').first().click()
  await page.locator('.row-menu').getByRole('button', { name }).click()
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
  {
    path: '/faq',
    name: 'answers',
    open: page =>
      page.evaluate(() => {
        for (const answer of document.querySelectorAll('details')) answer.open = true
      }),
  },
]

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
  {
    path: '/auth',
    name: 'code',
    async open(page) {
      // In the second window the sign-in is pending already.
      if (await page.getByLabel('Email').isVisible()) await enterPassword(page)
      await page.getByLabel('Verification code').waitFor()
    },
  },
]

export const openOnScreens: readonly Shot[] = [
  { path: '/users?user=new', name: 'add-user' },
  {
    path: '/users?user=new',
    name: 'add-user-errors',
    async open(page) {
      await page.getByLabel('Set a password').check()
      await page.getByRole('dialog').getByRole('button', { name: 'Add User' }).click()
    },
  },
  { path: '/users', name: 'edit-user', open: choose(/^Edit: /) },
  { path: '/users', name: 'delete-user', open: choose(/^Delete: /) },
  { path: '/dashboard?profile=edit', name: 'profile' },
  { path: '/api-tokens', name: 'create-token', open: press('Create Your First Token') },
  {
    path: '/settings?tab=email',
    name: 'mail-google',
    open: page => page.getByLabel('Google Workspace').check(),
  },
  {
    path: '/settings?tab=email',
    name: 'mail-microsoft',
    open: page => page.getByLabel('Microsoft 365').check(),
  },
  {
    path: '/settings?tab=email',
    name: 'mail-other',
    open: page => page.getByLabel('Another mail server').check(),
  },
  { path: '/logs', name: 'log-details', open: press(/^View Details of/) },
  { path: '/logs', name: 'delete-logs', open: press('Delete Old Logs') },
  { path: '/content', name: 'add-page', open: press('Add page') },
]
