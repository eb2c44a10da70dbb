import { expect } from '@playwright/test'
import { fillForm, readReference, readVerification, sendButton, test } from './installation-with-captcha.ts'

test('a visitor sends an enquiry, and staff see that a person wrote it', async ({
  page,
  google,
  captchaInstallation,
}) => {
  await page.goto('/')
  await page.waitForLoadState('networkidle')
  expect(google.asked).toEqual([])
  await fillForm(page)
  await expect(() => expect(google.asked.length).toBe(2)).toPass()
  expect(google.asked[0]).toContain('/recaptcha/api.js?render=6LcStandIn')
  await sendButton(page).click()
  expect(await readVerification(captchaInstallation, await readReference(page))).toBe('verified')
  await expect(page.locator('.captcha')).toBeHidden()
})
