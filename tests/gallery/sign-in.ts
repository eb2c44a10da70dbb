import type { Page } from '@playwright/test'
import { standInForGoogle } from '../e2e/google.ts'
import { enterPassword, type Installation } from '../e2e/installation.ts'
import { V2_KEY, writeSettings } from '../e2e/installation-with-captcha.ts'
import { addStaff } from '../e2e/staff.ts'
import { readPasswordLink } from '../support/password-links.ts'
import { SECRET_KEY } from '../support/recaptcha-server.ts'
import { inOrder, LONG_NAME, press, type Screen, until, untilText } from './state.ts'

/** What is in it is Google's. */
const CHECKBOX = 'iframe[title="reCAPTCHA"]'

/** The documents before the portal. */
export const signInScreens: readonly Screen[] = [
  {
    title: 'The sign-in, its two steps and their mistakes',
    async states(installation) {
      const mina = await addStaff(installation, LONG_NAME)
      const toCode = async (page: Page) => {
        const code = page.getByLabel('Verification code')
        // In a second window the sign-in is pending already.
        await code.or(page.getByLabel('Email')).first().waitFor()
        if (!(await code.isVisible())) await enterPassword(page, mina)
        await code.waitFor()
      }
      const mistype = (page: Page) => enterPassword(page, { ...mina, password: 'x' })
      return [
        { path: '/auth' },
        { path: '/auth', name: 'password-errors', open: inOrder(press('Login'), until('.field-error')) },
        { path: '/auth', name: 'failed', open: inOrder(mistype, untilText('Login failed')), fails: true },
        { path: '/auth', name: 'code', open: toCode },
        {
          path: '/auth',
          name: 'code-errors',
          open: inOrder(toCode, press('Verify'), until('.field-error')),
        },
        { path: '/api-tokens', name: 'access-denied', fails: true },
      ]
    },
  },
  {
    title: 'The links to verify an address and to set a password',
    async states(installation) {
      const mina = await addStaff(installation, LONG_NAME)
      const send = inOrder(
        page => page.getByLabel('Email').fill(mina.email),
        press('Send the link'),
        page => page.getByRole('button', { name: 'Send the link' }).waitFor({ state: 'detached' }),
      )
      const follow = async (page: Page) => {
        await send(page)
        await page.goto(await readPasswordLink(installation, mina.email))
        await page.getByRole('button', { name: 'Set password' }).waitFor()
      }
      return [
        { path: '/forgot-password' },
        {
          path: '/forgot-password',
          name: 'forgot-errors',
          open: inOrder(press('Send the link'), until('.field-error')),
        },
        { path: '/forgot-password', name: 'link-sent', open: send },
        { path: '/forgot-password', name: 'set-password', open: follow },
        {
          path: '/forgot-password',
          name: 'set-password-errors',
          open: inOrder(follow, press('Set password'), until('.field-error')),
        },
        {
          path: '/set-password#token=x',
          name: 'dead-link',
          open: untilText('This link does not work.'),
          fails: true,
        },
        {
          path: `/set-up#${'x'.repeat(43)}`,
          name: 'set-up',
          before: page =>
            page.route('**/api/auth/set-up-link', route => route.fulfill({ json: { success: true } })),
          open: inOrder(press('Create my account'), until('.field-error')),
        },
        {
          path: '/set-up#token=x',
          name: 'dead-set-up-link',
          open: untilText('This link does not work.'),
          fails: true,
        },
        {
          path: '/verify-email?token=x',
          open: untilText('Invalid verification token'),
          fails: true,
        },
        {
          path: '/verify-email?token=x',
          name: 'verify-email-failed',
          before: page => page.route('**/api/auth/verify-email**', route => route.abort()),
          open: untilText('An error occurred while verifying'),
          fails: true,
        },
      ]
    },
  },
  {
    title: 'The box of the bot check and its error',
    async states(installation) {
      await turnOnBotCheck(installation)
      const box = { before: standInForGoogle, without: CHECKBOX }
      return [
        {
          path: '/auth',
          name: 'box-errors',
          open: inOrder(until(CHECKBOX), press('Login'), until('.field-error')),
          ...box,
        },
        {
          path: '/contact',
          name: 'box-of-form-errors',
          open: inOrder(press('Send enquiry'), until('.field-error'), until(CHECKBOX)),
          ...box,
        },
      ]
    },
  },
]

const turnOnBotCheck = (installation: Installation) =>
  writeSettings(installation, {
    recaptcha_enabled: 'true',
    recaptcha_site_key: V2_KEY,
    recaptcha_secret_key: SECRET_KEY,
    recaptcha_version: 'auto',
  })
