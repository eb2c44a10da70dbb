import { expect, type Page } from '@playwright/test'
import {
  fillForm,
  readReference,
  readVerification,
  sendButton,
  test,
  tick,
  V2_KEY,
} from '../e2e/installation-with-captcha.ts'

const TOKEN_MESSAGE = 'Please complete the reCAPTCHA verification'

test.beforeEach(async ({ captchaInstallation }) => {
  captchaInstallation.siteverify.facts = { hostname: 'localhost' }
  await captchaInstallation.set({ recaptcha_site_key: V2_KEY })
})

const checkbox = 'iframe[title="reCAPTCHA"]'

test('a visitor ticks it and sends an enquiry, and it is empty for the next one', async ({
  page,
  google,
  captchaInstallation,
}) => {
  await page.goto('/')
  await fillForm(page)
  const box = page.frameLocator(checkbox).getByRole('checkbox')
  await tick(page, box)
  expect(google.asked[0]).toContain('/recaptcha/api.js?render=explicit')
  await page.getByLabel('Your name').fill('Wei Li')
  const draft = await page.evaluate(() => localStorage.getItem('landfall-enquiry'))
  expect(draft).toContain('Wei Li')
  expect(draft).not.toContain('good-')
  await sendButton(page).click()
  expect(await readVerification(captchaInstallation, await readReference(page))).toBe('verified')
  await page.getByRole('button', { name: 'Send another enquiry' }).click()
  await expect(box).not.toBeChecked()
  await fillForm(page, 'Second Enquiry')
  await sendButton(page).click()
  await expect(page.locator('.captcha .field-error')).toHaveText(TOKEN_MESSAGE)
})

test('a visitor who forgets the checkbox sees an error beside it and with the other mistakes', async ({
  page,
  google: _,
  captchaInstallation,
}) => {
  await page.goto('/')
  await fillForm(page)
  await page.getByLabel('Your name').fill('')
  await expect(page.locator(checkbox)).toBeVisible()
  await sendButton(page).click()
  const summary = page.locator('.error-summary')
  await expect(summary).toBeFocused()
  await expect(summary.getByRole('link')).toHaveText(['Your name', 'Proof that you are a person'])
  await summary.getByRole('link', { name: 'Proof that you are a person' }).click()
  const group = page.getByRole('group', { name: 'Proof that you are a person' })
  await expect(group).toBeFocused()
  await expect(group).toHaveAccessibleDescription(TOKEN_MESSAGE)
  // The frame takes a press that comes while the page scrolls.
  await summary.scrollIntoViewIfNeeded()
  await untilStill(page)
  await summary.getByRole('link', { name: 'Your name' }).click()
  await expect(page.getByLabel('Your name')).toBeFocused()
  await tick(page, page.frameLocator(checkbox).getByRole('checkbox'))
  await expect(page.getByText(TOKEN_MESSAGE)).toHaveCount(0)
  await page.getByLabel('Your name').fill('Li Wei')
  await sendButton(page).click()
  expect(await readVerification(captchaInstallation, await readReference(page))).toBe('verified')
})

test('a visitor whose tick did not count ticks it once more', async ({
  page,
  google: _,
  captchaInstallation,
}) => {
  await page.goto('/')
  await fillForm(page)
  const box = page.frameLocator(checkbox).getByRole('checkbox')
  await tick(page, box)
  captchaInstallation.siteverify.errors = ['timeout-or-duplicate']
  await sendButton(page).click()
  await expect(page.locator('.captcha .field-error')).toHaveText(TOKEN_MESSAGE)
  await expect(box).not.toBeChecked()
  captchaInstallation.siteverify.errors = null
  await tick(page, box)
  await sendButton(page).click()
  expect(await readVerification(captchaInstallation, await readReference(page))).toBe('verified')
})

test('a visitor who takes too long ticks it once more', async ({ page, google: _, captchaInstallation }) => {
  await page.goto('/')
  await fillForm(page)
  const box = page.frameLocator(checkbox).getByRole('checkbox')
  await tick(page, box)
  await page.evaluate('expireCheckbox()')
  await expect(box).not.toBeChecked()
  await sendButton(page).click()
  await expect(page.locator('.captcha .field-error')).toHaveText(TOKEN_MESSAGE)
  await tick(page, box)
  await sendButton(page).click()
  expect(await readVerification(captchaInstallation, await readReference(page))).toBe('verified')
})

for (const [how, mark, what] of [
  ['fails', 'error', 'cannot reach Google'],
  ['breaks', 'exception', 'does not appear'],
] as const)
  test(`a visitor whose checkbox ${what} sends an enquiry, and it is marked`, async ({
    page,
    google,
    captchaInstallation,
  }) => {
    google.checkbox = how
    await page.goto('/')
    await fillForm(page)
    await expect(page.locator(checkbox)).toHaveCount(how === 'fails' ? 1 : 0)
    await page.route('**/api/contact', route => route.abort(), { times: 1 })
    await sendButton(page).click()
    await expect(page.locator('.error-summary')).toContainText('Network error')
    await sendButton(page).click()
    expect(await readVerification(captchaInstallation, await readReference(page))).toBe(`unverified:${mark}`)
    expect(google.asked.filter(url => url.includes('/api.js'))).toHaveLength(1)
  })

/** A click while the page scrolls would miss what is in a frame: the browser's tools only wait for its place in the frame. */
async function untilStill(page: Page) {
  await page.evaluate(async () => {
    let [before, still] = [Number.NaN, 0]
    while (still < 5) {
      still = window.scrollY === before ? still + 1 : 0
      before = window.scrollY
      await new Promise(requestAnimationFrame)
    }
  })
}
