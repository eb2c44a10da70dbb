import { expect, type Page } from '@playwright/test'
import { addPage } from './documents.ts'
import { signIn, testApart } from './installation.ts'
import { addStaff } from './staff.ts'

const test = testApart()
const summary = (page: Page) => page.getByRole('textbox', { name: 'Summary' })
const status = (page: Page) => page.locator('.content-editor-status [role=status]')

test.beforeEach(async ({ page, installation }) => {
  await signIn(page, installation, await addStaff(installation, 'Ana Editor', { role: 'editor' }))
})

test('what could not be saved is there after a reload, and gone from the browser when it is saved', async ({
  page,
}) => {
  const kept = () => page.evaluate(() => sessionStorage.getItem('landfall-typed'))
  await addPage(page, 'On a train')
  await page.route('**/api/content/*/draft', route => route.abort())
  await summary(page).fill('Typed in a tunnel')
  await expect(status(page)).toContainText('Not saved: no connection')
  page.on('dialog', dialog => dialog.accept())
  // What a page sends while it is left passes by the route above, and would be saved.
  await page.evaluate(() =>
    addEventListener('visibilitychange', event => event.stopImmediatePropagation(), true),
  )
  await page.reload()
  await expect(summary(page)).toHaveValue('Typed in a tunnel')
  expect(await kept()).toContain('Typed in a tunnel')
  await page.unroute('**/api/content/*/draft')
  await summary(page).fill('Typed after the tunnel')
  await expect(status(page)).toContainText(/Draft saved \d\d:\d\d/)
  expect(await kept()).toBeNull()
})

test('the text can be copied from a field where the browser has no clipboard', async ({ page }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
  await addPage(page, 'Without a clipboard')
  await page.route('**/api/content/*/draft', route => route.abort())
  await summary(page).fill('Kept by hand')
  await page.getByRole('button', { name: 'Copy my text' }).click()
  const field = page.getByRole('textbox', { name: 'My text, to copy' })
  await expect(field).toBeFocused()
  await expect(field).toHaveValue(/Kept by hand/)
  expect(await page.evaluate(() => String(getSelection()))).toContain('Kept by hand')
})

test('a page is not published with what a colleague wrote while the dialog was open', async ({
  page,
  installation,
  browser,
}) => {
  await addPage(page, 'Of two people')
  const ben = await (await browser.newContext({ baseURL: installation.url })).newPage()
  await signIn(ben, installation, await addStaff(installation, 'Ben Editor', { role: 'editor' }))
  await ben.goto(page.url())
  await page.getByRole('button', { name: 'Publish' }).click()
  await ben.getByRole('textbox', { name: 'Title', exact: true }).fill('Title of Ben')
  await expect(status(ben)).toContainText(/Draft saved \d\d:\d\d/)
  await ben.context().close()
  const dialog = page.getByRole('dialog', { name: 'Publish' })
  await dialog.getByRole('button', { name: 'Publish now' }).click()
  await expect(dialog).toContainText('has changed this')
  await dialog.getByRole('button', { name: 'Publish now' }).click()
  await expect(dialog).toContainText('Ben Editor has changed this meanwhile. Look at it, then publish.')
})
