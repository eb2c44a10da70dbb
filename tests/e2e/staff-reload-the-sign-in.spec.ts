import { expect, type Page } from '@playwright/test'
import { enterPassword, readCode, signInByHand, test } from './installation.ts'
import { addStaff } from './staff.ts'

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

for (const [what, write] of [
  ['a space in the middle', (code: string) => `${code.slice(0, 3)} ${code.slice(3)}`],
  ['a space before it', (code: string) => ` ${code}`],
  ['a hyphen in the middle', (code: string) => `${code.slice(0, 3)}-${code.slice(3)}`],
  ['words around it', (code: string) => `Your code: ${code}.`],
  [
    'unbroken spaces, a tab and spaces after it',
    (code: string) => `\u00a0${code.slice(0, 3)}\u202f${code.slice(3)}\t  `,
  ],
] as const)
  test(`a code that is pasted with ${what} is taken`, async ({ page, context, installation }) => {
    const mina = await addStaff(installation, 'Mina Park')
    await page.goto('/auth')
    await enterPassword(page, mina)
    const code = await readCode(installation, mina.email)
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.evaluate(text => navigator.clipboard.writeText(text), write(code))
    await codeField(page).focus()
    await page.keyboard.press('Control+V')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/dashboard$/)
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
