import { expect, type Page } from '@playwright/test'
import { createToken } from './api-tokens.ts'
import { fill, named } from './inbox.ts'
import { type Installation, signIn, testApart } from './installation.ts'
import { addStaff } from './staff.ts'

const test = testApart()
test.beforeEach(({ page, installation }) => signIn(page, installation))

const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })
const message = (page: Page, name: string) => page.getByRole('dialog', { name: `Message from ${name}` })
const question = (page: Page) => page.getByRole('alertdialog')
const press = (page: Page, ...keys: string[]) =>
  keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve())

async function openInbox(page: Page, installation: Installation, count: number) {
  await fill(installation, named('Ana', count))
  await page.goto('/messages')
  await expect(link(page, 'Ana 0')).toBeVisible()
}

test('closing a message puts the focus on the row that was read last, and the keys act on it', async ({
  page,
  installation,
}) => {
  await openInbox(page, installation, 5)
  await link(page, 'Ana 0').click()
  for (const name of ['Ana 1', 'Ana 2', 'Ana 3']) {
    await press(page, 'ArrowRight')
    await expect(message(page, name)).toBeVisible()
  }
  // Escape twice is once too.
  await Promise.all([press(page, 'Escape'), press(page, 'Escape')])
  await expect(link(page, 'Ana 3')).toBeFocused()
  await expect(page).toHaveURL(/\/messages$/)
  await press(page, 'Delete')
  await expect(question(page)).toContainText('from Ana 3?')
  await press(page, 'Escape')
  await expect(link(page, 'Ana 3')).toBeFocused()
  const forwarded = page.waitForRequest(/\/forward$/)
  await press(page, 'f')
  const { messages } = await (await page.request.get('/api/messages')).json()
  expect((await forwarded).url()).toContain(messages[3].id)
})

test('deleting a message moves the focus to the next row, else the previous one, else the search box', async ({
  page,
  installation,
}) => {
  await openInbox(page, installation, 3)
  const remove = async () => {
    await press(page, 'Delete')
    await question(page).getByRole('button', { name: 'Delete' }).click()
    await expect(question(page)).toBeHidden()
  }
  await link(page, 'Ana 1').focus()
  await remove()
  await expect(link(page, 'Ana 2')).toBeFocused()
  // The last one, from within the message.
  await press(page, 'Enter')
  await message(page, 'Ana 2').getByRole('button', { name: 'Delete' }).click()
  await question(page).getByRole('button', { name: 'Delete' }).click()
  await expect(message(page, 'Ana 2')).toBeHidden()
  await expect(link(page, 'Ana 0')).toBeFocused()
  await remove()
  await expect(page.getByRole('searchbox')).toBeFocused()
})

test('reading past the end of the loaded list puts the focus on the row of the last message', async ({
  page,
  installation,
}) => {
  const ids = await fill(installation, named('Far', 130))
  await page.goto(`/messages?message=${ids[97]}`)
  for (const at of [98, 99, 100, 101]) {
    await expect(message(page, `Far ${at - 1}`)).toBeVisible()
    // Past the loaded list, the next message is known once this one has been read.
    await expect(page.getByRole('button', { name: 'Older message' })).toHaveAttribute(
      'aria-disabled',
      'false',
    )
    await press(page, 'ArrowRight')
  }
  await expect(message(page, 'Far 101')).toBeVisible()
  await expect(page.getByText('130 messages', { exact: true })).toBeAttached()
  await press(page, 'Escape')
  await expect(link(page, 'Far 101')).toBeFocused()
  await expect(link(page, 'Far 101')).toBeInViewport()
})

test('the arrow key leads into each list from the page, and from the search box', async ({
  page,
  installation,
}) => {
  await openInbox(page, installation, 3)
  await press(page, 'ArrowDown')
  await expect(link(page, 'Ana 0')).toBeFocused()
  await press(page, '/', 'ArrowDown', 'ArrowDown')
  await expect(link(page, 'Ana 1')).toBeFocused()
  // A choice keeps its keys.
  await page.getByLabel('Type').focus()
  await press(page, 'ArrowDown')
  await expect(page.getByLabel('Type')).toBeFocused()
  for (const [path, first] of [
    ['/logs', /^View Details of/],
    ['/users', /^Edit: /],
  ] as const) {
    await page.goto(path)
    const button = page.getByRole('button', { name: first }).first()
    await expect(button).toBeVisible()
    await press(page, 'ArrowDown')
    await expect(button).toBeFocused()
  }
})

test('the lists of users, tokens, log entries and sessions keep the focus too', async ({
  page,
  browser,
  installation,
}) => {
  const [bea, cleo] = [await addStaff(installation, 'Bea'), await addStaff(installation, 'Cleo')]
  await page.goto(`/users?user=${bea.id}`)
  await expect(page.getByRole('dialog', { name: 'Edit Bea' })).toBeVisible()
  await press(page, 'Escape')
  await expect(page.getByRole('button', { name: 'Edit: Bea' })).toBeFocused()
  await page.getByRole('button', { name: 'Delete: Bea' }).click()
  await question(page).getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('button', { name: 'Edit: Cleo' })).toBeFocused()

  await page.goto('/api-tokens')
  for (const name of ['one', 'two']) await createToken(page, name)
  const revoke = async (name: string) => {
    await page.getByRole('button', { name: `Revoke ${name}` }).click()
    await question(page).getByRole('button', { name: 'Revoke' }).click()
  }
  await revoke('two')
  await expect(page.getByRole('button', { name: 'Revoke one' })).toBeFocused()
  await revoke('one')
  await expect(page.getByRole('heading', { name: 'Tokens', exact: true })).toBeFocused()

  const { logs } = await (await page.request.get('/api/logs')).json()
  await page.goto(`/logs?log=${logs[1].id}`)
  await expect(page.getByRole('dialog')).toBeVisible()
  await press(page, 'Escape')
  await expect(page.locator('tbody tr').nth(1).getByRole('button')).toBeFocused()

  for (const _ of [1, 2]) {
    const other = await browser.newContext()
    await signIn(await other.newPage(), installation, cleo)
    await other.close()
  }
  await page.context().clearCookies()
  await signIn(page, installation, cleo)
  await page.goto('/dashboard?profile=edit')
  const end = page.getByRole('button', { name: /^Sign out [A-Z]/ })
  await end.first().click()
  await question(page).getByRole('button', { name: 'Sign out' }).click()
  await expect(question(page)).toBeHidden()
  await expect(end).toBeFocused()
})
