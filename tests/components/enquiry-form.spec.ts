import { expect, type Page } from '@playwright/test'
import { test } from '../e2e/installation.ts'
import { fillForm, readReference, sendButton, waitForForm } from '../e2e/installation-with-captcha.ts'
import { enquiryMistakes } from '../e2e/public-texts.ts'
import { createGate } from './fake-api.ts'

const NETWORK_MESSAGE =
  'Network error when submitting your request. Please check your connection and try again.'

let visitors = 0
let address = ''

test.beforeEach(async ({ page }) => {
  address = `192.0.2.${++visitors}`
  await page.setExtraHTTPHeaders({ 'X-Forwarded-For': address })
})

/** Waits until the failure is shown, in the toast and where the form is to be corrected. */
async function expectFailure(page: Page, message: string) {
  await expect(page.locator('#toast strong')).toHaveText('Submission Failed')
  await expect(page.locator('#toast p')).toHaveText(message)
  await expect(page.locator('.error-summary')).toBeFocused()
  await expect(page.locator('.error-summary')).toContainText(message)
  await expect(page.getByLabel('Your name')).toHaveValue('Li Wei')
  await expect(sendButton(page)).toBeVisible()
}

test('a visitor sees an error when the server does not respond for thirty seconds, and tries again', async ({
  page,
}) => {
  // A second passes in fifty milliseconds, for limits only.
  await page.addInitScript(() => {
    const timeout = AbortSignal.timeout.bind(AbortSignal)
    AbortSignal.timeout = milliseconds => timeout(milliseconds / 20)
  })
  const keys: (string | undefined)[] = []
  page.on('request', request => {
    if (request.url().endsWith('/api/contact')) keys.push(request.headers()['idempotency-key'])
  })
  await page.goto('/')
  await fillForm(page)
  await page.route('**/api/contact', () => {}, { times: 1 })
  const givenUp = page.waitForEvent('requestfailed', request => request.url().endsWith('/api/contact'))
  const started = Date.now()
  // Looked for from before the press on, since it does not last.
  const submitting = page.getByRole('button', { name: 'Submitting...' }).waitFor()
  await sendButton(page).click()
  await submitting
  await givenUp
  expect(Date.now() - started).toBeGreaterThan(1450)
  await expectFailure(page, NETWORK_MESSAGE)
  await sendButton(page).click()
  await readReference(page)
  expect(keys).toHaveLength(2)
  expect(keys[0]).toBe(keys[1])
})

test('a visitor without a network is asked to check the connection', async ({ page, context }) => {
  await page.goto('/')
  await fillForm(page)
  // What sends the form comes when someone begins to write.
  await page.waitForLoadState('networkidle')
  await context.setOffline(true)
  await sendButton(page).click()
  await expectFailure(page, NETWORK_MESSAGE)
})

for (const { what, answer, message } of [
  {
    what: 'gives a reason',
    answer: { status: 503, json: { success: false, message: 'We cannot keep it just now.' } },
    message: 'We cannot keep it just now.',
  },
  {
    what: 'gives no reason',
    answer: { status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' },
    message: 'There was an error submitting your request. Please try again.',
  },
  {
    what: 'breaks off',
    answer: { status: 201, contentType: 'application/json', body: '{"success":tr' },
    message: NETWORK_MESSAGE,
  },
])
  test(`a visitor whose enquiry fails sees why when the response ${what}`, async ({ page }) => {
    await page.route('**/api/contact', route => route.fulfill(answer))
    await page.goto('/')
    await fillForm(page)
    await sendButton(page).click()
    await expectFailure(page, message)
  })

test('a visitor who has sent too many enquiries sees when the next one is accepted', async ({
  page,
  installation,
}) => {
  const enquiry = { name: 'Li Wei', email: 'li.wei@example.com', phone: '1234567', message: 'One of many.' }
  for (let sent = 0; sent < 10; sent++) {
    const response = await page.request.post('/api/contact', {
      data: enquiry,
      headers: { 'X-Forwarded-For': address },
    })
    expect(response.status()).toBe(201)
  }
  const message =
    'Too many requests. Please wait a little and try again. You can send it again in 10 minutes.'
  await page.goto('/')
  await fillForm(page)
  await sendButton(page).click()
  await expectFailure(page, message)

  const withoutScript = await page.request.post('/contact', {
    form: enquiry,
    headers: { 'X-Forwarded-For': address, Origin: installation.url },
  })
  expect(withoutScript.status()).toBe(429)
  expect(await withoutScript.text()).toContain(message)
})

test('a visitor reads the specified thanks once, in place of the form, which comes back for another enquiry (found V6)', async ({
  page,
  context,
}) => {
  await page.goto('/contact?service=family')
  await fillForm(page)
  await sendButton(page).click()
  const reference = await readReference(page)
  const receipt = page.getByRole('region', { name: 'Request Submitted' })
  await expect(receipt).toBeFocused()
  await expect(receipt).toHaveAccessibleDescription(
    'Thank you for your interest. We will contact you shortly.',
  )
  await expect(page.getByText('Request Submitted')).toHaveCount(1)
  await expect(page.locator('#toast:popover-open')).toHaveCount(0)
  await expect(receipt).toContainText(/\w+day \S+.[ap]m in Sydney/)
  await expect(sendButton(page)).toBeHidden()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await receipt.getByRole('button', { name: 'Copy' }).click()
  await expect(receipt.getByRole('status').first()).toHaveText('Copied')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(reference)
  await expect(receipt.getByRole('button', { name: 'Print' })).toBeVisible()
  await receipt.getByRole('button', { name: 'Email me my private link' }).click()
  await expect(receipt.getByText(/^The link is on its way to /)).toBeVisible()
  await receipt.getByRole('button', { name: 'Send another enquiry' }).click()
  await expect(receipt).toBeHidden()
  await expect(page.getByLabel('Your name')).toBeFocused()
  for (const label of ['Your name', 'Email', 'Phone', 'Service', 'Message'])
    await expect(page.getByLabel(label)).toHaveValue('')
  await fillForm(page, 'Once More')
  await sendButton(page).click()
  expect(await readReference(page)).not.toBe(reference)
})

test('what is pasted before the script that counts it is there is counted, too', async ({ page }) => {
  const gate = createGate()
  await page.route(/form-submitter/, async route => {
    await gate.opened
    await route.continue()
  })
  await page.goto('/contact')
  await waitForForm(page)
  const field = page.getByLabel('Message')
  await field.fill('é'.repeat(12_000))
  gate.open()
  await expect(field).toHaveAccessibleDescription(/2,000 characters too many: at most 10,000 fit\.$/)
})

test('a visitor who pastes a message that is too long keeps all of it and reads how much is over (found V11)', async ({
  page,
}) => {
  const long = 'é'.repeat(12_000)
  await page.goto('/contact')
  await waitForForm(page)
  await fillForm(page)
  const field = page.getByLabel('Message')
  await field.fill('')
  await page.evaluate(text => {
    const box = document.querySelector('textarea')
    box?.focus()
    document.execCommand('insertText', false, text)
  }, long)
  await expect(field).toHaveValue(long)
  await expect(field).toHaveAccessibleDescription(/2,000 characters too many: at most 10,000 fit\.$/)
  await sendButton(page).click()
  await expect(page.locator('.error-summary').getByRole('link')).toHaveText(['Message'])
  await page.reload()
  await waitForForm(page)
  await expect(field).toHaveValue(long)
  await sendButton(page).click()
  await expect(page.locator('.field-error')).toHaveText('2,000 characters too many: at most 10,000 fit.')
  await field.fill(long.slice(0, 10_000))
  await expect(page.locator('.field-error')).toHaveCount(0)
  await sendButton(page).click()
  await readReference(page)
})

test('a visitor sees what to correct, up to the last character that is missing', async ({ page }) => {
  await page.goto('/contact')
  await expect(page.getByLabel('Message')).toHaveAttribute('rows', '4')
  for (const { label, mistaken } of enquiryMistakes) await page.getByLabel(label).fill(mistaken)
  await page.getByRole('button', { name: 'Send enquiry' }).click()
  for (const { label, message, enough } of enquiryMistakes) {
    await expect(page.getByLabel(label)).toHaveAccessibleDescription(new RegExp(`${message}$`))
    await page.getByLabel(label).fill(enough)
  }
  await page.getByRole('button', { name: 'Send enquiry' }).click()
  await expect(
    page.getByText('Thank you for your interest. We will contact you shortly.').first(),
  ).toBeVisible()
  await expect(page.getByText('Request Submitted')).toBeVisible()
})

test('a screen reader announces a mistake once, with the field it is in (found V10)', async ({ page }) => {
  await page.goto('/contact')
  await waitForForm(page)
  await sendButton(page).click()
  const summary = page.getByRole('region', { name: 'Please correct' })
  await expect(summary).toBeFocused()
  await expect(summary.getByText('Please correct')).toBeVisible()
  await expect(summary.getByRole('link')).toHaveText(['Your name', 'Email', 'Phone', 'Message'])
  await expect(page.getByText(/^Enter your/)).toHaveText([
    'Enter your name',
    'Enter your email address',
    'Enter your phone number',
    'Enter your message',
  ])
  await summary.getByRole('link', { name: 'Phone' }).click()
  const phone = page.getByLabel('Phone')
  await expect(phone).toBeFocused()
  await expect(phone).toHaveAccessibleDescription(/With the country code.*Enter your phone number/)
  await expect(phone).toHaveAttribute('aria-invalid', 'true')
  expect(new URL(page.url()).hash).toBe('')
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('a visitor reads under the form what becomes of what they send', async ({ page }) => {
    await page.goto('/contact')
    const answer = page.getByText('Until your question is settled')
    await expect(answer).toBeHidden()
    await page.getByText('What happens to what you send').click()
    await expect(answer).toBeVisible()
    await expect(page.getByText('This site gives general information, not legal advice.')).toBeVisible()
  })
})
