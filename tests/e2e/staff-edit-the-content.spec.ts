import { expect, type Page } from '@playwright/test'
import { addPage, openSite } from './documents.ts'
import { type Installation, signIn, testApart } from './installation.ts'
import { addStaff } from './staff.ts'

const test = testApart()
const status = (page: Page) => page.locator('.content-editor-status [role=status]')
const saved = (page: Page) => expect(status(page)).toContainText(/Draft saved \d?\d:\d\d [ap]m/)

async function signInAs(
  page: Page,
  installation: Installation,
  name: string,
  role: 'editor' | 'viewer' = 'editor',
) {
  await signIn(page, installation, await addStaff(installation, name, { role }))
}

const summary = (page: Page) => page.getByRole('textbox', { name: 'Summary' })

test('an editor adds a page at an address that is free, and finds it in the list by its title, kind, state and person, with the keyboard alone', async ({
  page,
  installation,
}) => {
  await signInAs(page, installation, 'Ana Editor')
  await page.goto('/content')
  await page.getByRole('button', { name: 'Add page' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add page' })
  await dialog.getByLabel('Kind').selectOption('Article')
  await dialog.getByLabel('Title').fill('New points')
  await expect(dialog.getByLabel('Address')).toHaveValue('/news/new-points')
  await dialog.getByLabel('Address').fill('/contact')
  await dialog.getByRole('button', { name: 'Add page' }).click()
  await expect(dialog.locator('.field-error')).toContainText('/news/example')
  await expect(dialog.getByLabel('Address')).toBeFocused()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('button', { name: 'Add page' }).click()
  await dialog.getByLabel('Title').fill('Fees of ours')
  await dialog.getByRole('button', { name: 'Add page' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Fees of ours')
  await page.goto('/content')
  await expect(page.locator('.content-editor-list tbody tr').first()).toContainText('Live')
  await page.keyboard.press('/')
  await page.keyboard.type('fees of')
  await expect(page).toHaveURL(/q=fees\+of/)
  const row = page.locator('.content-editor-list tbody tr')
  await expect(row).toHaveCount(1)
  await expect(row).toContainText(/Fees of ours.*\/fees-of-ours.*Page.*Offline.*Ana Editor/s)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Fees of ours')
  await page.goto('/content')
  await page.getByLabel('State').selectOption('Offline')
  await expect(row).toHaveCount(1)
  await page.getByLabel('Last edited by').selectOption('Landfall')
  await expect(page.getByText('No content found')).toBeVisible()
  await page.goBack()
  await expect(row).toContainText('Fees of ours')
  await page.reload()
  await expect(page).toHaveURL('/content?state=offline')
  await expect(page.getByLabel('State')).toHaveValue('offline')
  await expect(row).toHaveCount(1)
  await page.goto('/content?q=fees&kind=visa')
  await expect(page.getByText('No content found')).toBeVisible()
  await page.getByRole('button', { name: 'Show all content' }).click()
  await expect(row).not.toHaveCount(1)
})

test('all that is not ready is listed before the dialog, and what an editor then types saves itself, is there after a reload and is published (found E12)', async ({
  page,
  installation,
}) => {
  await signInAs(page, installation, 'Ana Editor')
  await addPage(page, 'Our work')
  const title = page.getByRole('textbox', { name: 'Title', exact: true })
  await title.fill('Guaranteed visas')
  await page.getByRole('button', { name: 'Publish' }).click()
  const summaryOfErrors = page.locator('.error-summary')
  await expect(summaryOfErrors).toBeFocused()
  await expect(summaryOfErrors).toContainText('Not ready: 2 things are missing or must change.')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await summaryOfErrors.getByRole('button', { name: /^Title: “Guaranteed”/ }).click()
  await expect(title).toBeFocused()
  await summaryOfErrors.getByRole('button', { name: 'Summary: This is still empty' }).click()
  await expect(summary(page)).toBeFocused()
  await expect(summary(page)).toHaveAccessibleDescription(/This is still empty/)

  await title.fill('Our work')
  await summary(page).fill('What our work costs.')
  await page
    .getByRole('textbox', { name: 'Text', exact: true })
    .or(page.locator('.content-editor-item summary'))
    .first()
    .click()
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('We charge before we start.')
  await expect(status(page)).toContainText('Saving')
  await saved(page)
  await page.reload()
  await expect(summary(page)).toHaveValue('What our work costs.')
  await page.getByRole('button', { name: 'Publish' }).click()
  const dialog = page.getByRole('dialog', { name: 'Publish' })
  await dialog.getByLabel('Note').fill('First version')
  await dialog.getByRole('button', { name: 'Publish now' }).click()
  await expect(status(page)).toContainText(/Live since \d?\d:\d\d [ap]m/)
  await page.getByRole('button', { name: 'Take offline' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Take offline' }).click()
  await expect(status(page)).toContainText('Offline')
})

test('two editors who change different fields at once lose nothing, one field is asked about, and none publishes what the other has just written', async ({
  page,
  installation,
  browser,
}) => {
  await signInAs(page, installation, 'Ana Editor')
  await addPage(page, 'Shared page')
  const other = await (await browser.newContext({ baseURL: installation.url })).newPage()
  await signInAs(other, installation, 'Ben Editor')
  await other.goto(page.url())
  const title = (who: Page) => who.getByRole('textbox', { name: 'Title', exact: true })
  await title(page).fill('Title of Ana')
  await saved(page)
  await summary(other).fill('Summary of Ben')
  await saved(other)
  await expect(title(other)).toHaveValue('Title of Ana')
  await expect(other.getByText('Ana Editor is editing too.')).toBeVisible()

  await summary(page).fill('Summary of Ana')
  await expect(page.getByText('Ben Editor changed a field that you changed too.')).toBeVisible()
  await page.getByRole('button', { name: 'Choose', exact: true }).click()
  await expect(summary(page)).toBeFocused()
  await expect(page.getByRole('blockquote')).toHaveText('Summary of Ben')
  await page.getByRole('button', { name: 'Keep mine' }).press('Enter')
  await expect(summary(page)).toBeFocused()
  await saved(page)
  await other.reload()
  await expect(summary(other)).toHaveValue('Summary of Ana')

  await page.getByRole('button', { name: 'Publish' }).click()
  const dialog = page.getByRole('dialog', { name: 'Publish' })
  await expect(dialog).toBeVisible()
  await title(other).fill('Title of Ben')
  await saved(other)
  await other.context().close()
  await dialog.getByRole('button', { name: 'Publish now' }).click()
  await expect(dialog).toContainText('has changed this')
  await dialog.getByRole('button', { name: 'Publish now' }).click()
  await expect(dialog).toContainText('Ben Editor has changed this meanwhile. Look at it, then publish.')
})

test('what could not be saved stays: without a connection, over a reload, when the server refuses it, and when the session ends', async ({
  page,
  installation,
}) => {
  const ana = await addStaff(installation, 'Ana Editor', { role: 'editor' })
  await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
  await signIn(page, installation, ana)
  await addPage(page, 'Far away')
  const kept = () => page.evaluate(() => sessionStorage.getItem('landfall-typed'))
  await page.context().setOffline(true)
  await summary(page).fill('Typed on a train')
  await expect(status(page)).toContainText('Not saved: offline. Trying again')
  // The browser has no clipboard, so the text is in a field to copy it from.
  await page.getByRole('button', { name: 'Copy my text' }).click()
  const field = page.getByRole('textbox', { name: 'My text, to copy' })
  await expect(field).toBeFocused()
  await expect(field).toHaveValue(/Typed on a train/)
  expect(await page.evaluate(() => String(getSelection()))).toContain('Typed on a train')
  await page.getByRole('link', { name: 'Content', exact: true }).first().click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  await page.context().setOffline(false)
  await saved(page)
  await page.reload()
  await expect(summary(page)).toHaveValue('Typed on a train')

  await page.route('**/api/content/*/draft', route => route.abort())
  await summary(page).fill('Typed in a tunnel')
  await expect(status(page)).toContainText('Not saved: offline')
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
  await saved(page)
  expect(await kept()).toBeNull()

  const json = { success: false, message: 'This is too long for one document' }
  await page.route('**/api/content/*/draft', route => route.fulfill({ status: 413, json }), { times: 1 })
  await summary(page).fill('Much too long')
  await expect(status(page)).toContainText('Not saved: This is too long for one document ·')
  await expect(page.getByRole('button', { name: 'Copy my text' })).toBeVisible()
  await summary(page).fill('Short')
  await saved(page)

  const address = page.url()
  // A read of the screen that fails would end the session before anything is typed.
  await page.route('**/api/**', route =>
    route.request().method() === 'GET' ? route.abort() : route.continue(),
  )
  await page.context().clearCookies()
  const saving = page.waitForRequest(request => request.method() === 'PUT')
  await summary(page).fill('Typed too late')
  await saving
  await page.unroute('**/api/**')
  await expect(page.getByText('Your session has ended')).toBeVisible()
  await expect(page).toHaveURL(/\/auth\?/)
  await signIn(page, installation, ana)
  await page.goto(address)
  await expect(summary(page)).toHaveValue('Typed too late')
  await saved(page)
})

test('a viewer reads documents and pictures, and cannot change anything', async ({ page, installation }) => {
  await signInAs(page, installation, 'Vera Viewer', 'viewer')
  await page.goto('/content')
  await expect(page.locator('.content-editor-list')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add page' })).toHaveCount(0)
  await openSite(page)
  await expect(page.getByText('You may look at this, and not change it.')).toBeVisible()
  await expect(
    page.getByRole('button', { name: /Publish|Schedule|Take offline|Move|Remove|Add/ }),
  ).toHaveCount(0)
  await expect(page.locator('.content-editor-edit :is(input, textarea, select):enabled')).toHaveCount(0)
  await page.goto('/content?view=pictures')
  await expect(page.getByRole('meter')).toBeVisible()
  await expect(page.getByRole('button', { name: /Upload|Delete/ })).toHaveCount(0)
})

test('an editor takes back a removal, changes a slide, moves it and publishes it with the keyboard alone', async ({
  page,
  installation,
}) => {
  await signInAs(page, installation, 'Ana Editor')
  await openSite(page)
  const services = page.locator('[data-field="services"]')
  const titles = await services.locator('summary').allTextContents()
  await services.getByRole('button', { name: 'Remove service 2' }).press('Enter')
  await expect(services.locator('summary')).toHaveCount(titles.length - 1)
  await expect(services.getByRole('button', { name: 'Undo' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(services.locator('summary')).toHaveText(titles)
  await services.getByRole('button', { name: 'Add service' }).press('Enter')
  await expect(services.getByRole('textbox', { name: 'Title' }).last()).toBeFocused()
  await services.getByRole('button', { name: 'Undo' }).press('Enter')
  await expect(services.locator('summary')).toHaveText(titles)
  const first = page.locator('[data-field="slides.0"] summary')
  await first.focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect(page.locator('[data-field="slides.0.title"] input')).toBeFocused()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('Plain advice')
  await page.keyboard.press('Alt+ArrowDown')
  await expect(page.locator('[data-field="slides.1.title"] input')).toBeFocused()
  await expect(page.locator('[data-field="slides"] > [role=status]')).toContainText('Moved to place 2 of 3.')
  await saved(page)
  await page.getByRole('button', { name: 'Publish' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Note (optional)')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(status(page)).not.toContainText('not published')
  await expect(page.locator('.content-editor-crumb')).toContainText('Live')
  await page.goto('/')
  await expect(page.getByText('Plain advice').first()).toBeAttached()
})
