import { expect, type Page } from '@playwright/test'
import { expectTexts } from '../e2e/expect-texts.ts'
import { enterPassword, readCode, signInByHand, test } from '../e2e/installation.ts'
import { addStaff } from '../e2e/staff.ts'

const codeField = (page: Page) => page.getByLabel('Verification code')
const passwordField = (page: Page) => page.getByLabel('Password')

test('a reload at the code step stays there and says who signs in and how long to wait', async ({
  page,
  installation,
}) => {
  const mina = await addStaff(installation, 'Mina Park')
  await page.clock.install()
  await page.goto('/auth?next=/api-tokens')
  await enterPassword(page, mina)
  const code = await readCode(installation, mina.email)
  await expect(page.getByText('Signing in as Mina Park')).toBeVisible()
  await page.clock.runFor(20_000)
  await page.reload()
  await expect(codeField(page)).toBeVisible()
  await expect(page.getByText('Signing in as Mina Park')).toBeVisible()
  await expect(page.getByRole('button', { name: /Send another code in (39|40) s/ })).toBeVisible()
  await codeField(page).fill(code)
  await page.getByRole('button', { name: 'Verify' }).click()
  await expect(page).toHaveURL(/\/api-tokens$/)
})

/** How a code is copied out of an email. */
const copies = [
  ['a space in the middle', (code: string) => `${code.slice(0, 3)} ${code.slice(3)}`],
  ['a space before it', (code: string) => ` ${code}`],
  ['a hyphen in the middle', (code: string) => `${code.slice(0, 3)}-${code.slice(3)}`],
  ['words around it', (code: string) => `Your code: ${code}.`],
  [
    'unbroken spaces, a tab and spaces after it',
    (code: string) => `\u00a0${code.slice(0, 3)}\u202f${code.slice(3)}\t  `,
  ],
] as const

test('a code that is pasted with spaces, a hyphen or words around it is taken', async ({
  page,
  context,
  installation,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  for (const [what, write] of copies) {
    const mina = await addStaff(installation, 'Mina Park')
    await page.goto('/auth')
    await enterPassword(page, mina)
    const code = await readCode(installation, mina.email)
    await page.evaluate(text => navigator.clipboard.writeText(text), write(code))
    await codeField(page).focus()
    await page.keyboard.press('Control+V')
    await page.keyboard.press('Enter')
    await expect(page, what).toHaveURL(/\/dashboard$/)
    await page.goto('about:blank')
    await context.clearCookies()
  }
})

test('the field of the code brings up digits, and offers the code from the email', async ({
  page,
  installation,
}) => {
  await page.goto('/auth')
  await enterPassword(page, await addStaff(installation, 'Mina Park'))
  await expect(codeField(page)).toHaveAttribute('autocomplete', 'one-time-code')
  await expect(codeField(page)).toHaveAttribute('inputmode', 'numeric')
})

test('Back and another tab find the code step again, and Start again the password for good', async ({
  page,
  context,
  installation,
}) => {
  const mina = await addStaff(installation, 'Mina Park')
  await page.goto('/contact')
  await page.goto('/auth')
  await enterPassword(page, mina)
  await expect(codeField(page)).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL(/\/contact$/)
  await page.goForward()
  await expect(codeField(page)).toBeVisible()
  const other = await context.newPage()
  await other.goto('/login')
  await expect(codeField(other)).toBeVisible()
  await other.close()

  await page.getByRole('button', { name: 'Start again' }).click()
  await expect(passwordField(page)).toBeVisible()
  await page.reload()
  await expect(passwordField(page)).toBeVisible()
  expect((await page.request.get('/api/auth/pending')).status()).toBe(401)
})

test('a code that was given in another tab counts here too', async ({ page, context, installation }) => {
  const mina = await addStaff(installation, 'Mina Park')
  await page.goto('/auth')
  await enterPassword(page, mina)
  await expect(codeField(page)).toBeVisible()
  const other = await context.newPage()
  await other.goto('/auth')
  await codeField(other).fill(await readCode(installation, mina.email))
  await other.getByRole('button', { name: 'Verify' }).click()
  await expect(other).toHaveURL(/\/dashboard$/)
  await page.getByRole('button', { name: 'Start again' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await other.reload()
  await expect(other.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
})

test('Back from the portal does not lead to a sign-in that is done', async ({ page, installation }) => {
  const mina = await addStaff(installation, 'Mina Park')
  await page.goto('/contact')
  await signInByHand(page, installation, mina)
  await page.goBack()
  await expect(page).toHaveURL(/\/contact$/)
})

test('a visit to the sign-in asks nothing that could only be refused', async ({ page }) => {
  const refused: string[] = []
  page.on('response', response => {
    if (response.status() >= 400) refused.push(response.url())
  })
  await page.goto('/auth')
  await expect(passwordField(page)).toBeVisible()
  await page.waitForLoadState('networkidle')
  expect(refused).toEqual([])
})

test('someone whose code was printed on the server reads that, and nothing about an email', async ({
  page,
  installation,
}) => {
  const mina = await addStaff(installation, 'Mina Park')
  const code = /The code is (\d{6})/.exec(installation.run('staff-code', [mina.email]))?.[1] ?? ''
  await page.goto('/auth')
  await enterPassword(page, mina)
  const step = page.getByRole('main')
  for (const again of [false, true]) {
    if (again) await page.reload()
    await expect(step).toContainText('a code of six digits was printed on the server')
    await expect(step).not.toContainText('We have sent you an email')
  }
  await page.getByLabel('Verification code').fill(code)
  await page.getByRole('button', { name: 'Verify' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('someone reads that no mail provider is set up, and nothing about an email', async ({
  page,
  installation,
}) => {
  await page.route('**/api/auth/pending', async route => {
    const response = await route.fetch()
    // As an installation without a mail provider answers.
    await route.fulfill({ response, json: { ...(await response.json()), factors: ['email', 'console'] } })
  })
  await page.goto('/auth')
  await enterPassword(page, await addStaff(installation, 'Mina Park'))
  const step = page.getByRole('main')
  await expect(step).toContainText(
    'No mail provider is set up, so a code of six digits was printed on the server',
  )
  await expect(step).not.toContainText('email')
})

test('five wrong codes end the attempt, and the page asks for the password again', async ({
  page,
  installation,
}) => {
  const mina = await addStaff(installation, 'Mina Park')
  await page.goto('/auth')
  await enterPassword(page, mina)
  const right = await readCode(installation, mina.email)
  // Not the same twice in a row: that quick, it would count as a double click.
  const wrong = ['000000', '111111', '222222', '333333', '444444', '555555'].filter(code => code !== right)
  const verify = page.getByRole('button', { name: 'Verify' })
  for (const code of wrong.slice(0, 5)) {
    await page.getByLabel('Verification code').fill(code)
    const answer = page.waitForResponse('**/api/auth/verify-2fa')
    await verify.click()
    expect((await answer).status()).toBe(401)
    await expectTexts(page, '/auth', 'Verification Failed')
  }
  await expect(page.getByText('That sign-in has ended')).toBeVisible()
  expect((await page.request.get('/api/auth/pending')).status()).toBe(401)
  await enterPassword(page, mina)
  await page.getByLabel('Verification code').fill(await readCode(installation, mina.email))
  await verify.click()
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('a person who forgot their password hears that no mail provider is set up, and waits for no email', async ({
  page,
}) => {
  await page.route('**/api/auth/forgot-password', route =>
    route.fulfill({ json: { success: true, isMailKeptHere: true } }),
  )
  await page.goto('/forgot-password')
  await page.getByLabel('Email').fill('mina@agency.test')
  await page.getByRole('button', { name: 'Send the link' }).click()
  await expect(page.getByRole('heading', { name: 'No email can be sent' })).toBeVisible()
  await expect(page.getByText('Check your email')).toHaveCount(0)
})
