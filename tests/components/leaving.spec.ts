import { expect, type Page } from '@playwright/test'
import { signIn } from '../../src/features/sign-in/contract.ts'
import { users } from '../../src/features/users/contract.ts'
import { Refusal } from './fake-api.ts'
import { ADA, answerPortal, answerTokens, answerUsers } from './portal.ts'
import { test, toast } from './story.ts'

const question = (page: Page) => page.getByRole('alertdialog', { name: 'Discard what you typed?' })

/** Back, once React has registered what holds it back: some milliseconds after the first character, so no person is faster. */
const goBack = (page: Page) =>
  page.evaluate(async () => {
    await new Promise(resolve => requestIdleCallback(resolve))
    history.back()
  })

/** Each form, and how a person gets to it. */
const forms = [
  { dialog: 'Add User', field: 'Name', from: '/users', opener: 'Add User' },
  { dialog: 'Edit Kim Ito', field: 'Name', from: '/users', opener: 'Edit: Kim Ito' },
  { dialog: 'Edit Profile', field: 'Name', from: '/dashboard', opener: 'Edit Profile' },
  { dialog: 'Create Token', field: 'Description', from: '/api-tokens', opener: 'Create Your First Token' },
] as const

for (const { dialog, field, from, opener } of forms)
  test(`nobody loses what they typed in ${dialog} by Back or by a reload without a question`, async ({
    page,
    api,
  }) => {
    answerPortal(api)
    answerUsers(api, 'Kim Ito')
    answerTokens(api)
    await page.goto('/dashboard')
    await page.locator(`a[href="${from}"]`).first().dispatchEvent('click')
    await page.getByRole('button', { name: opener }).first().click()
    const form = page.getByRole('dialog', { name: dialog })
    const input = form.getByLabel(field, { exact: true })
    await input.fill('Half a sentence')
    for (let time = 0; time < 2; time++) {
      await goBack(page)
      await question(page).getByRole('button', { name: 'Keep editing' }).click()
      await expect(input).toHaveValue('Half a sentence')
    }
    const asked = page.waitForEvent('dialog')
    await page.evaluate(() => void setTimeout(() => location.reload()))
    const browser = await asked
    expect(browser.type()).toBe('beforeunload')
    await browser.dismiss()
    await expect(input).toHaveValue('Half a sentence')
    await goBack(page)
    await question(page).getByRole('button', { name: 'Discard' }).click()
    await expect(form).toBeHidden()
  })

test('a reload and Back ask nothing while a dialog has nothing unsaved', async ({ page }) => {
  await page.goto('/dialog')
  await page.getByRole('button', { name: 'Add thing' }).click()
  const form = page.getByRole('dialog', { name: 'Add thing' })
  await form.getByLabel('Name').fill('Kim')
  await form.getByLabel('Name').fill('')
  page.on('dialog', () => {
    throw new Error('The browser asked')
  })
  await page.reload()
  await expect(form).toBeVisible()
  await page.goBack()
  await expect(form).toBeHidden()
  await expect(page).toHaveURL(/\/dialog$/)
})

test('a new token that was not copied is not lost without a question', async ({ page, api }) => {
  answerPortal(api)
  answerUsers(api)
  answerTokens(api)
  await page.goto('/api-tokens')
  await page.getByRole('button', { name: 'Create Your First Token' }).click()
  await page.getByLabel('Description').fill('The backup')
  await page.keyboard.press('Enter')
  const banner = page.getByRole('region', { name: 'Your new token' })
  const lost = page.getByRole('alertdialog', { name: 'Token not copied' })
  const users = page.locator('a[href="/users"]').first()
  for (const lose of [
    () => banner.getByRole('button', { name: 'Dismiss' }).click(),
    () => users.dispatchEvent('click'),
    () => page.getByRole('button', { name: 'Create Token' }).click(),
  ]) {
    await lose()
    await lost.getByRole('button', { name: 'Cancel' }).click()
    await expect(lost).toBeHidden()
    await expect(banner).toBeVisible()
  }
  // In the moment in which the toast says that it was copied, nothing holds back somebody who leaves.
  await page.evaluate(() => {
    const leave = () => {
      if (!document.querySelector('#toast')?.textContent?.includes('Token copied')) return
      observer.disconnect()
      document.querySelector<HTMLElement>('a[href="/users"]')?.click()
    }
    const observer = new MutationObserver(leave)
    observer.observe(document.body, { childList: true, subtree: true })
  })
  await banner.getByRole('button', { name: 'Copy token' }).click()
  await expect(page).toHaveURL(/\/users$/)
  await expect(toast(page)).toContainText('Token copied to clipboard')
})

test('what was typed is there again when the session has ended, without the password, and for nobody else', async ({
  page,
  api,
}) => {
  answerPortal(api)
  answerUsers(api)
  const kept = () => page.evaluate(() => sessionStorage.getItem('landfall-typed'))
  await page.goto('/users?user=new')
  const form = page.getByRole('dialog', { name: 'Add User' })
  await form.getByLabel('Name').fill('Kim Ito')
  await form.getByLabel('Role').selectOption('Editor')
  await form.getByLabel('Set a password').check()
  await form.getByLabel('Password', { exact: true }).fill('Quiet-Harbour-9-Lantern!')
  await form.getByLabel('Email').fill('kim@agency.test')
  api.signOut()
  await form.getByRole('button', { name: 'Add User' }).click()
  await expect(page).toHaveURL(/\/auth\?next=%2Fusers%3Fuser%3Dnew$/)
  expect(await kept()).toContain('Kim Ito')
  expect(await kept()).not.toContain('Harbour')
  api.reset()
  answerPortal(api)
  answerUsers(api)
  await page.goto('/users?user=new')
  await expect(form.getByLabel('Name')).toHaveValue('Kim Ito')
  await expect(form.getByLabel('Role')).toHaveValue('editor')
  await expect(form.getByLabel('Email')).toHaveValue('kim@agency.test')
  await expect(form.getByLabel('Password', { exact: true })).toHaveValue('')
  expect(await kept()).toBeNull()

  await form.getByLabel('Name').fill('Kim Roth')
  await form.getByLabel('Password', { exact: true }).fill('Quiet-Harbour-9-Lantern!')
  api.signOut()
  await form.getByLabel('Name').press('Enter')
  await expect(page).toHaveURL(/\/auth\?/)
  api.reset()
  answerPortal(api, { ...ADA, id: '01900000-0000-7000-8000-000000000000', name: 'Bea Admin' })
  answerUsers(api)
  await page.goto('/users?user=new')
  await expect(form.getByLabel('Name')).toHaveValue('')
  expect(await kept()).toBeNull()
})

test('what was typed is kept when a call is refused because the session has just ended', async ({
  page,
  api,
}) => {
  answerPortal(api)
  answerUsers(api)
  await page.goto('/users?user=new')
  const form = page.getByRole('dialog', { name: 'Add User' })
  await form.getByLabel('Name').fill('Kim Ito')
  await form.getByLabel('Email').fill('kim@agency.test')
  // The portal asks who is signed in because it may not do that, and learns that nobody is.
  api.on(users.create, () => {
    api.refuse(signIn.me, new Refusal(401, { message: 'Please sign in to continue' }))
    return new Refusal(403, { message: 'You have no permission' })
  })
  await form.getByRole('button', { name: 'Add User' }).click()
  await expect(page).toHaveURL(/\/auth\?next=%2Fusers%3Fuser%3Dnew$/)
  expect(await page.evaluate(() => sessionStorage.getItem('landfall-typed'))).toContain('Kim Ito')
})
