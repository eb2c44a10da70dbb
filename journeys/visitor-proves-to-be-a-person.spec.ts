import { expect } from '@playwright/test'
import { fillForm, readReference, readVerification, sendButton, test, V2_KEY } from './guarded.ts'

const TOKEN_MESSAGE = 'Please complete the reCAPTCHA verification'

test.describe('where nothing is to be seen of the check', () => {
  test('a visitor sends an enquiry, and staff see that a person wrote it', async ({
    page,
    google,
    guarded,
  }) => {
    await page.goto('/')
    await page.waitForLoadState('networkidle')
    expect(google.asked).toEqual([])
    await fillForm(page)
    await expect(() => expect(google.asked.length).toBe(2)).toPass()
    expect(google.asked[0]).toContain('/recaptcha/api.js?render=6LcStandIn')
    await sendButton(page).click()
    expect(await readVerification(guarded, await readReference(page))).toBe('verified')
    await expect(page.locator('.captcha')).toBeHidden()
  })

  test('a visitor whose token did not count sends again with a new one', async ({
    page,
    google,
    guarded,
  }) => {
    guarded.siteverify.errors = ['timeout-or-duplicate']
    await page.goto('/contact')
    await fillForm(page)
    await sendButton(page).click()
    await expect(page.locator('.captcha .field-error')).toHaveText(TOKEN_MESSAGE)
    await expect(page.locator('.error-summary')).toBeFocused()
    await expect(page.locator('.error-summary').getByRole('link', { name: TOKEN_MESSAGE })).toBeVisible()
    await expect(page.locator('#toast')).toContainText('Submission Failed')
    guarded.siteverify.errors = null
    await sendButton(page).click()
    expect(await readVerification(guarded, await readReference(page))).toBe('verified')
    const [first, second] = guarded.siteverify.asked.slice(-2)
    expect(first?.response).not.toBe(second?.response)
    expect(google.asked.filter(url => url.includes('/api.js'))).toHaveLength(1)
  })

  test('a visitor on a line that drops twice is verified at the third try', async ({
    page,
    google,
    guarded,
  }) => {
    google.rejections = 2
    await page.goto('/')
    await fillForm(page)
    await sendButton(page).click()
    await expect(page.getByRole('button', { name: 'Submitting...' })).toBeVisible()
    const started = Date.now()
    expect(await readVerification(guarded, await readReference(page))).toBe('verified')
    expect(Date.now() - started).toBeGreaterThan(1500)
  })

  test('a visitor whose page cannot ask how the check is set up is verified all the same', async ({
    page,
    google: _,
    guarded,
  }) => {
    await page.route('**/api/public/recaptcha', route => route.fulfill({ status: 500, body: 'Sorry' }))
    await page.goto('/')
    await fillForm(page)
    await sendButton(page).click()
    expect(await readVerification(guarded, await readReference(page))).toBe('verified')
  })

  test('a visitor whose page waits in vain for how the check is set up is verified within seconds', async ({
    page,
    google: _,
    guarded,
  }) => {
    await page.route('**/api/public/recaptcha', () => {})
    await page.goto('/')
    await fillForm(page)
    const started = Date.now()
    await sendButton(page).click()
    expect(await readVerification(guarded, await readReference(page))).toBe('verified')
    expect(Date.now() - started).toBeLessThan(5000)
  })

  test('a visitor who is writing before the page is ready has a token soon after', async ({
    page,
    google,
  }) => {
    await page.route('**/assets/form-*.js', async route => {
      await page.getByLabel('Your name').focus()
      await route.continue()
    })
    await page.goto('/')
    await expect(() => expect(google.asked.length).toBeGreaterThan(0)).toPass({ timeout: 5000 })
  })

  test('a visitor of an office without the check meets nothing of Google', async ({
    page,
    google,
    guarded,
  }) => {
    await guarded.set({ recaptcha_enabled: 'false' })
    const response = await page.goto('/')
    expect(response?.headers()['content-security-policy']).not.toContain('google')
    const sent = page.waitForRequest('**/api/contact')
    await fillForm(page)
    await sendButton(page).click()
    expect(await readVerification(guarded, await readReference(page))).toBe('off')
    expect((await sent).postDataJSON().recaptchaToken).toBe('recaptcha_disabled')
    expect(google.asked).toEqual([])
  })
})

test.describe('where Google cannot be reached or does not work', () => {
  const faults = [
    { what: 'is blocked', fault: { script: 'fails' }, mark: 'script_failed' },
    { what: 'never answers', fault: { script: 'hangs' }, mark: 'script_failed' },
    { what: 'sends an empty script', fault: { script: 'brings nothing' }, mark: 'unavailable' },
    { what: 'has a script that breaks', fault: { execute: 'throws' }, mark: 'error' },
    { what: 'gives no token', fault: { execute: 'rejects' }, mark: 'failed_after_retries' },
    { what: 'keeps silent when asked', fault: { execute: 'hangs' }, mark: 'failed_after_retries' },
  ] as const

  for (const { what, fault, mark } of faults) {
    test(`a visitor for whom Google ${what} sends an enquiry within seconds, and it is marked`, async ({
      page,
      google,
      guarded,
    }) => {
      Object.assign(google, fault)
      await page.goto('/')
      await fillForm(page)
      const sent = page.waitForRequest('**/api/contact')
      const started = Date.now()
      await sendButton(page).click()
      const reference = await readReference(page)
      expect(Date.now() - started).toBeLessThan(5000)
      expect(await readVerification(guarded, reference)).toBe(`unverified:${mark}`)
      expect((await sent).postDataJSON().recaptchaToken).toMatch(new RegExp(`^recaptcha_${mark}_\\d{13}$`))
    })
  }

  test('a visitor of an office without a site key sends an enquiry, and it is marked', async ({
    page,
    google,
    guarded,
  }) => {
    const recaptcha = { siteKey: '', enabled: true, version: 'v3' }
    await page.route('**/api/public/recaptcha', route =>
      route.fulfill({ json: { success: true, recaptcha } }),
    )
    await page.goto('/')
    await fillForm(page)
    await sendButton(page).click()
    expect(await readVerification(guarded, await readReference(page))).toBe('unverified:unavailable')
    expect(google.asked).toEqual([])
  })

  test('a visitor for whom Google was blocked a moment ago is verified at the next try', async ({
    page,
    google,
    guarded,
  }) => {
    google.script = 'fails'
    await page.goto('/')
    await fillForm(page)
    await page.route('**/api/contact', route => route.abort(), { times: 1 })
    await sendButton(page).click()
    await expect(page.locator('.error-summary')).toContainText('Network error when submitting your request.')
    google.script = 'comes'
    await sendButton(page).click()
    expect(await readVerification(guarded, await readReference(page))).toBe('verified')
  })
})

test.describe('where there is a checkbox', () => {
  test.beforeEach(async ({ guarded }) => {
    guarded.siteverify.facts = { hostname: 'localhost' }
    await guarded.set({ recaptcha_site_key: V2_KEY })
  })

  const checkbox = 'iframe[title="reCAPTCHA"]'

  test('a visitor ticks it and sends an enquiry, and it is empty for the next one', async ({
    page,
    google,
    guarded,
  }) => {
    await page.goto('/')
    await fillForm(page)
    const box = page.frameLocator(checkbox).getByRole('checkbox')
    await box.click()
    expect(google.asked[0]).toContain('/recaptcha/api.js?render=explicit')
    await page.getByLabel('Your name').fill('Wei Li')
    const draft = await page.evaluate(() => localStorage.getItem('landfall-enquiry'))
    expect(draft).toContain('Wei Li')
    expect(draft).not.toContain('good-')
    await sendButton(page).click()
    expect(await readVerification(guarded, await readReference(page))).toBe('verified')
    await expect(box).not.toBeChecked()
    await fillForm(page, 'Second Enquiry')
    await sendButton(page).click()
    await expect(page.locator('.captcha .field-error')).toHaveText(TOKEN_MESSAGE)
  })

  test('a visitor who forgets it is told so beside it and with the other mistakes', async ({
    page,
    google: _,
    guarded,
  }) => {
    await page.goto('/')
    await fillForm(page)
    await page.getByLabel('Your name').fill('')
    await expect(page.locator(checkbox)).toBeVisible()
    await sendButton(page).click()
    const summary = page.locator('.error-summary')
    await expect(summary).toBeFocused()
    await expect(summary.getByRole('link')).toHaveText(['Name must be at least 2 characters', TOKEN_MESSAGE])
    await summary.getByRole('link', { name: TOKEN_MESSAGE }).click()
    const group = page.getByRole('group', { name: 'Proof that you are a person' })
    await expect(group).toBeFocused()
    await expect(group).toHaveAccessibleDescription(TOKEN_MESSAGE)
    await summary.getByRole('link', { name: 'Name must be' }).click()
    await expect(page.getByLabel('Your name')).toBeFocused()
    await page.frameLocator(checkbox).getByRole('checkbox').click()
    await expect(page.getByText(TOKEN_MESSAGE)).toHaveCount(0)
    await page.getByLabel('Your name').fill('Li Wei')
    await sendButton(page).click()
    expect(await readVerification(guarded, await readReference(page))).toBe('verified')
  })

  test('a visitor whose tick did not count ticks it once more', async ({ page, google: _, guarded }) => {
    await page.goto('/')
    await fillForm(page)
    const box = page.frameLocator(checkbox).getByRole('checkbox')
    await box.click()
    guarded.siteverify.errors = ['timeout-or-duplicate']
    await sendButton(page).click()
    await expect(page.locator('.captcha .field-error')).toHaveText(TOKEN_MESSAGE)
    await expect(box).not.toBeChecked()
    guarded.siteverify.errors = null
    await box.click()
    await sendButton(page).click()
    expect(await readVerification(guarded, await readReference(page))).toBe('verified')
  })

  test('a visitor who takes too long ticks it once more', async ({ page, google: _, guarded }) => {
    await page.goto('/')
    await fillForm(page)
    const box = page.frameLocator(checkbox).getByRole('checkbox')
    await box.click()
    await page.evaluate('expireCheckbox()')
    await expect(box).not.toBeChecked()
    await sendButton(page).click()
    await expect(page.locator('.captcha .field-error')).toHaveText(TOKEN_MESSAGE)
    await box.click()
    await sendButton(page).click()
    expect(await readVerification(guarded, await readReference(page))).toBe('verified')
  })

  for (const [how, mark, what] of [
    ['fails', 'error', 'cannot reach Google'],
    ['breaks', 'exception', 'does not appear'],
  ] as const)
    test(`a visitor whose checkbox ${what} sends an enquiry, and it is marked`, async ({
      page,
      google,
      guarded,
    }) => {
      google.checkbox = how
      await page.goto('/')
      await fillForm(page)
      await expect(page.locator(checkbox)).toHaveCount(how === 'fails' ? 1 : 0)
      await page.route('**/api/contact', route => route.abort(), { times: 1 })
      await sendButton(page).click()
      await expect(page.locator('.error-summary')).toContainText('Network error')
      await sendButton(page).click()
      expect(await readVerification(guarded, await readReference(page))).toBe(`unverified:${mark}`)
      expect(google.asked.filter(url => url.includes('/api.js'))).toHaveLength(1)
    })
})

test('staff meet Google at the sign-in only, and only while the check is on', async ({ guarded }) => {
  const policyOf = async (path: string) =>
    (await fetch(guarded.url + path)).headers.get('content-security-policy')
  expect(await policyOf('/auth')).toContain('https://www.google.com/recaptcha/')
  expect(await policyOf('/dashboard')).not.toContain('google')
  await guarded.set({ recaptcha_enabled: 'false' })
  expect(await policyOf('/auth')).not.toContain('google')
  expect(await policyOf('/auth')).toContain("require-trusted-types-for 'script'")
})
