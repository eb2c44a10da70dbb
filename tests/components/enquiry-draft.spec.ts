import { expect } from '@playwright/test'
import { readReferences } from '../e2e/installation.ts'
import {
  fillForm,
  KEPT,
  readDraft,
  readReference,
  sendButton,
  test,
  waitForForm,
} from '../e2e/installation-with-captcha.ts'
import { createGate } from './fake-api.ts'

const message = 'I am a nurse in Chengdu and hope to work in Perth.'

test.beforeEach(async ({ google: _ }) => {})

test('a visitor who follows a link to a form gets that form, with the rest of their draft in it', async ({
  page,
}) => {
  await page.goto('/')
  await fillForm(page)
  await page.goto('/contact?form=tracking&service=family')
  await expect(page.getByLabel('Message')).toHaveValue(message)
  await expect(page.getByLabel('Service')).toHaveValue('family')
  await expect(page.getByRole('link', { name: 'Track my application' })).toHaveAttribute(
    'aria-current',
    'true',
  )
})

test('a visitor who began to write before the page was ready keeps that, and the draft fills the rest', async ({
  page,
}) => {
  await page.goto('/')
  await fillForm(page)
  const script = createGate()
  await page.route('**/assets/form-*.js', async route => {
    await script.opened
    await route.continue()
  })
  await page.goto('/contact')
  await page.getByLabel('Your name').fill('Li Na')
  script.open()
  await expect(page.getByLabel('Message')).toHaveValue(message)
  await expect(page.getByLabel('Your name')).toHaveValue('Li Na')
  expect(await readDraft(page)).toContain('Li Na')
})

test('a visitor with a form to correct sees what they sent, not an older draft', async ({ page }) => {
  await page.goto('/')
  await fillForm(page)
  // As a browser does whose scripts did not come.
  await page.evaluate(() => {
    const form = document.querySelector<HTMLFormElement>('.enquiry-form form')
    for (const name of ['name', 'message']) {
      const control = form?.elements.namedItem(name)
      if (control instanceof HTMLInputElement) control.value = 'L'
      if (control instanceof HTMLTextAreaElement) control.value = ''
    }
    form?.submit()
  })
  await expect(page.locator('.error-summary')).toBeVisible()
  await waitForForm(page)
  await expect(page.getByText(KEPT)).toBeVisible()
  await expect(page.getByLabel('Your name')).toHaveValue('L')
  await expect(page.getByLabel('Message')).toHaveValue('')
})

test('a visitor to whom the rest of the form does not come sends it as without scripts, draft and all', async ({
  page,
  captchaInstallation,
}) => {
  await page.route('**/assets/form-submitter-*.js', route => route.abort())
  await page.goto('/')
  await fillForm(page, 'Half A Page')
  expect(await readDraft(page)).toContain('Half A Page')
  await sendButton(page).click()
  await expect(page.getByRole('heading', { name: 'Request Submitted' })).toBeVisible()
  expect(await readReferences(captchaInstallation)).toContain(await page.locator('.reference').innerText())
  await expect(async () => expect(await readDraft(page)).toBeNull()).toPass()
})

for (const { how, refuse } of [
  {
    how: 'has no storage',
    refuse: () =>
      Object.defineProperty(window, 'localStorage', {
        get() {
          throw new DOMException('Access is denied', 'SecurityError')
        },
      }),
  },
  {
    how: 'keeps nothing',
    refuse: () => {
      Storage.prototype.setItem = () => {
        throw new DOMException('It is full', 'QuotaExceededError')
      }
    },
  },
]) {
  test(`a visitor whose browser ${how} sends an enquiry and is promised no draft`, async ({ page }) => {
    const errors: Error[] = []
    page.on('pageerror', error => errors.push(error))
    await page.addInitScript(refuse)
    await page.goto('/')
    await fillForm(page)
    await expect(page.getByText(KEPT)).toBeHidden()
    await sendButton(page).click()
    await readReference(page)
    expect(errors).toEqual([])
  })
}

test('a visitor meets no harm from a draft that is damaged, or from last month', async ({ page }) => {
  const values = { name: 'Old', email: '', phone: '', service: '', message: 'Old words' }
  const old = JSON.stringify({ type: 'contact', values, at: Date.now() - 8 * 24 * 60 * 60 * 1000 })
  for (const kept of ['{', 'null', '7', '{"at":9e15}', '{"values":{"name":7},"at":9e15}', old]) {
    await page.goto('/contact/received')
    await page.evaluate(text => localStorage.setItem('landfall-enquiry', text), kept)
    await page.goto('/contact')
    await waitForForm(page)
    await page.getByLabel('Phone').fill('1')
    await expect(page.getByText(KEPT)).toBeVisible()
    await expect(page.getByLabel('Your name')).toHaveValue('')
  }
})

test('a visitor who changes something after a failure sends another enquiry, not the first again', async ({
  page,
}) => {
  const keys: (string | undefined)[] = []
  await page.route('**/api/contact', async route => {
    keys.push(route.request().headers()['idempotency-key'])
    await route.fulfill({ status: 503, json: { success: false, message: 'Not now.' } })
  })
  await page.goto('/')
  await fillForm(page)
  for (const name of ['Li Wei', 'Li Wei', 'Li Na']) {
    await page.getByLabel('Your name').fill(name)
    await sendButton(page).click()
    await expect(page.locator('.error-summary')).toContainText('Not now.')
    await expect(sendButton(page)).toBeVisible()
  }
  expect(keys).toHaveLength(3)
  expect(keys[0]).toBe(keys[1])
  expect(keys[0]).not.toBe(keys[2])
})

test('a visitor on a device that is not theirs removes the draft and can still send', async ({ page }) => {
  await page.goto('/')
  await fillForm(page)
  expect(await readDraft(page)).toContain('Chengdu')
  await page.getByRole('button', { name: 'Remove the draft' }).click()
  await expect(
    page.getByText('The draft was removed from this device, and no new one is kept.'),
  ).toBeFocused()
  await expect(page.getByLabel('Message')).toHaveValue(message)
  await page.getByLabel('Phone').fill('+86 138 0013 8001')
  expect(await readDraft(page)).toBeNull()
  await sendButton(page).click()
  await readReference(page)
  expect(await readDraft(page)).toBeNull()
})

test('a visitor who takes back all they wrote leaves no draft behind', async ({ page }) => {
  await page.goto('/')
  await waitForForm(page)
  await page.getByLabel('Your name').fill('Li Wei')
  await expect(page.getByText(KEPT)).toBeVisible()
  await page.getByLabel('Your name').fill('')
  await expect(page.getByText(KEPT)).toBeHidden()
  expect(await readDraft(page)).toBeNull()
})
