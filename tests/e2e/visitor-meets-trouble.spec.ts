import { expect, type Page } from '@playwright/test'
import { test } from './installation.ts'
import { fillForm, readReference, sendButton, waitForForm } from './installation-with-captcha.ts'

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
  // A second passes in ten milliseconds, for limits only.
  await page.addInitScript(() => {
    const timeout = AbortSignal.timeout.bind(AbortSignal)
    AbortSignal.timeout = milliseconds => timeout(milliseconds / 100)
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
  await sendButton(page).click()
  await expect(page.getByRole('button', { name: 'Submitting...' })).toBeVisible()
  await givenUp
  expect(Date.now() - started).toBeGreaterThan(290)
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

test('a visitor reads the specified thanks, and the form is ready for another enquiry', async ({ page }) => {
  await page.goto('/contact?service=family')
  await fillForm(page)
  await sendButton(page).click()
  await readReference(page)
  await expect(page.locator('#toast strong')).toHaveText('Request Submitted')
  await expect(page.locator('#toast p')).toHaveText(
    'Thank you for your interest. We will contact you shortly.',
  )
  for (const label of ['Your name', 'Email', 'Phone', 'Service', 'Message'])
    await expect(page.getByLabel(label)).toHaveValue('')
  await page.getByLabel('Your name').fill('N')
  await expect(page.locator('.enquiry-form-received')).toBeHidden()
})

test('a screen reader announces a mistake with the field it is in', async ({ page }) => {
  await page.goto('/contact')
  await waitForForm(page)
  await sendButton(page).click()
  await expect(page.getByRole('region', { name: 'What to correct' })).toBeFocused()
  await page.getByRole('link', { name: 'Please enter a valid phone number' }).click()
  const phone = page.getByLabel('Phone')
  await expect(phone).toBeFocused()
  await expect(phone).toHaveAccessibleDescription(/With the country code.*Please enter a valid phone number/)
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
