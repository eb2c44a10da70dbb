import { expect, type Page } from '@playwright/test'
import { devices, expectNoComplaints } from './axe.ts'
import { addPage, openSite } from './documents.ts'
import { type Installation, signIn, testApart } from './installation.ts'
import { addStaff } from './staff.ts'

const test = testApart()
const status = (page: Page) => page.locator('.content-editor-status [role=status]')
const saved = (page: Page) => expect(status(page)).toContainText(/Draft saved \d\d:\d\d/)

async function signInAs(
  page: Page,
  installation: Installation,
  name: string,
  role: 'editor' | 'viewer' = 'editor',
) {
  await signIn(page, installation, await addStaff(installation, name, { role }))
}

const summary = (page: Page) => page.getByRole('textbox', { name: 'Summary' })

test('an editor finds a document in the list by its title, and by kind, state and person, with the keyboard alone', async ({
  page,
  installation,
}) => {
  await signInAs(page, installation, 'Ana Editor')
  await page.goto('/content')
  await page.getByRole('button', { name: 'Add page' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add page' })
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

test('an address that is taken is shown at its field when a page is added', async ({
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
})

test('what an editor types saves itself, is there after a reload, and is published', async ({
  page,
  installation,
}) => {
  await signInAs(page, installation, 'Ana Editor')
  await addPage(page, 'Our work')
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
  await expect(status(page)).toContainText(/Live since [A-Z][a-z]{2} \d/)
  await page.getByRole('button', { name: 'Take offline' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Take offline' }).click()
  await expect(status(page)).toContainText('Offline')
})

test('what is not ready is listed, and each line leads to its field', async ({ page, installation }) => {
  await signInAs(page, installation, 'Ana Editor')
  await addPage(page, 'Not ready')
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByRole('button', { name: 'Publish now' }).click()
  const summaryOfErrors = page.locator('.error-summary')
  await expect(summaryOfErrors).toBeFocused()
  await summaryOfErrors.getByRole('button', { name: 'Summary: Write something here' }).click()
  await expect(summary(page)).toBeFocused()
  await expect(summary(page)).toHaveAccessibleDescription(/Write something here/)
  await expectNoComplaints(page)
})

test('two editors who change different fields at once lose nothing, and one field is asked about', async ({
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
  await expectNoComplaints(page)
  await page.getByRole('button', { name: 'Choose' }).click()
  await expect(summary(page)).toBeFocused()
  await expect(page.getByRole('blockquote')).toHaveText('Summary of Ben')
  await page.getByRole('button', { name: 'Keep mine' }).press('Enter')
  await expect(summary(page)).toBeFocused()
  await saved(page)
  await other.reload()
  await expect(summary(other)).toHaveValue('Summary of Ana')
  await other.context().close()
})

test('what is typed without a connection is saved when it is back', async ({ page, installation }) => {
  await signInAs(page, installation, 'Ana Editor')
  await addPage(page, 'Far away')
  await page.context().setOffline(true)
  await summary(page).fill('Typed on a train')
  await expect(status(page)).toContainText('Not saved: no connection. Trying again')
  await expect(page.getByRole('button', { name: 'Copy my text' })).toBeVisible()
  await page.getByRole('link', { name: 'Content', exact: true }).first().click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  await page.context().setOffline(false)
  await saved(page)
  await page.reload()
  await expect(summary(page)).toHaveValue('Typed on a train')
})

test('a save that the server refuses is said as such, and is tried again when the text has changed', async ({
  page,
  installation,
}) => {
  await signInAs(page, installation, 'Ana Editor')
  await addPage(page, 'Too long')
  const json = { success: false, message: 'This is too long for one document' }
  await page.route('**/api/content/*/draft', route => route.fulfill({ status: 413, json }), { times: 1 })
  await summary(page).fill('Much too long')
  await expect(status(page)).toContainText('Not saved: This is too long for one document ·')
  await expect(page.getByRole('button', { name: 'Copy my text' })).toBeVisible()
  await summary(page).fill('Short')
  await saved(page)
})

test('what is typed when a session ends is there after signing in again', async ({ page, installation }) => {
  const ana = await addStaff(installation, 'Ana Editor', { role: 'editor' })
  await signIn(page, installation, ana)
  await addPage(page, 'Interrupted')
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

test('a viewer reads a document and cannot change anything in it', async ({ page, installation }) => {
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
  await expectNoComplaints(page)
})

test('a scheduled version is shown with its time at the office', async ({ page, installation }) => {
  await signInAs(page, installation, 'Ana Editor')
  await openSite(page)
  await page.getByRole('button', { name: 'Schedule' }).click()
  const year = new Date().getFullYear() + 1
  await page.getByLabel('Date and time').fill(`${year}-03-02T09:00`)
  await page.getByRole('dialog').getByRole('button', { name: 'Schedule' }).click()
  await expect(page.getByText(`goes live Mar 2, ${year}, 9:00 am Sydney time.`).first()).toBeVisible()
  await expect(page.locator('.content-editor-crumb')).toContainText('Scheduled')
})

test('an editor changes a slide, moves it and publishes it with the keyboard alone', async ({
  page,
  installation,
}) => {
  await signInAs(page, installation, 'Ana Editor')
  await openSite(page)
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

test('an item that was removed comes back with Undo, in its place', async ({ page, installation }) => {
  await signInAs(page, installation, 'Ana Editor')
  await openSite(page)
  const services = page.locator('[data-field="services"]')
  const titles = await services.locator('summary').allTextContents()
  await services.getByRole('button', { name: 'Remove service 2' }).click()
  await expect(services.locator('summary')).toHaveCount(titles.length - 1)
  await expect(services.getByRole('button', { name: 'Undo' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(services.locator('summary')).toHaveText(titles)
  await services.getByRole('button', { name: 'Add service' }).click()
  await expect(services.getByRole('textbox', { name: 'Title' }).last()).toBeFocused()
  await services.getByRole('button', { name: 'Undo' }).click()
  await saved(page)
})

for (const { device, viewport } of devices)
  test(`the list and the editor have nothing that axe complains of on a ${device}`, async ({
    page,
    installation,
  }) => {
    test.slow(true, 'axe looks at four states twice')
    await page.setViewportSize(viewport)
    await signInAs(page, installation, 'Ana Editor')
    await page.goto('/content')
    await expect(page.locator('.content-editor-list')).toBeVisible()
    await expectNoComplaints(page)
    await openSite(page)
    for (const section of ['slides', 'claims', 'officeHours'])
      await page.locator(`[data-field="${section}.0"] summary`).first().click()
    await expectNoComplaints(page)
    await page.getByRole('button', { name: 'Schedule' }).click()
    await expectNoComplaints(page)
  })
