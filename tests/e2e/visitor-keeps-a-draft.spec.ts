import { expect } from '@playwright/test'
import { readReferences } from './installation.ts'
import {
  fillForm,
  KEPT,
  readDraft,
  readReference,
  sendButton,
  test,
  waitForForm,
} from './installation-with-captcha.ts'

const message = 'I am a nurse in Chengdu and hope to work in Perth.'

test.beforeEach(async ({ google: _ }) => {})

test('a visitor whose page is reloaded finds what they wrote, and after sending it is gone', async ({
  page,
}) => {
  await page.goto('/')
  await waitForForm(page)
  await expect(page.getByText(KEPT)).toBeHidden()
  await page.getByRole('link', { name: 'Visa assessment' }).click()
  await fillForm(page)
  await expect(page.getByText(KEPT)).toBeVisible()

  await page.reload()
  await expect(page.getByLabel('Message')).toHaveValue(message)
  await expect(page.getByLabel('Your name')).toHaveValue('Li Wei')
  await expect(page.getByLabel('Email')).toHaveValue('li.wei@example.com')
  await expect(page.getByLabel('Phone')).toHaveValue('+86 138 0013 8000')
  await expect(page.getByLabel('Service')).toHaveValue('skilled')
  await expect(page.getByRole('link', { name: 'Visa assessment' })).toHaveAttribute('aria-current', 'true')
  await expect(page.getByText(KEPT)).toBeVisible()

  const sent = page.waitForRequest('**/api/visa-assessment')
  await sendButton(page).click()
  await readReference(page)
  const { recaptchaToken } = (await sent).postDataJSON()
  expect(recaptchaToken).toMatch(/^good-/)
  expect(await readDraft(page)).toBeNull()
  await expect(page.getByText(KEPT)).toBeHidden()
  for (const label of ['Your name', 'Email', 'Phone', 'Service', 'Message'])
    await expect(page.getByLabel(label)).toHaveValue('')
  await page.reload()
  await waitForForm(page)
  await expect(page.getByLabel('Message')).toHaveValue('')
})

test('a visitor whose browser dies while sending tries again, and it is stored once', async ({
  page,
  captchaInstallation,
}) => {
  const before = await readReferences(captchaInstallation)
  await page.goto('/')
  await fillForm(page, 'Crashed Tab')
  let reference = ''
  await page.route(
    '**/api/contact',
    async route => {
      // The enquiry arrives; its answer reaches nobody.
      const response = await route.fetch()
      reference = (await response.json()).reference
    },
    { times: 1 },
  )
  await sendButton(page).click()
  await expect(() => expect(reference).toMatch(/^LF-/)).toPass()
  await page.goto('/about-us')
  await waitForForm(page)
  await expect(page.getByLabel('Your name')).toHaveValue('Crashed Tab')
  await sendButton(page).click()
  expect(await readReference(page)).toBe(reference)
  expect((await readReferences(captchaInstallation)).size).toBe(before.size + 1)
})
