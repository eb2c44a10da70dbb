import { expect, type Page } from '@playwright/test'
import { addPage } from './documents.ts'
import { signIn, testApart } from './installation.ts'
import { addStaff } from './staff.ts'

const test = testApart()
const text = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Publish' })
const claims = (page: Page) => dialog(page).getByRole('region', { name: 'Claims' })
const status = (page: Page) => page.locator('.content-editor-status [role=status]')

test.beforeEach(async ({ page, installation }) => {
  await signIn(page, installation, await addStaff(installation, 'Ana Editor', { role: 'editor' }))
})

/** Adds a page that says this, and ends in its editor. */
async function addPageSaying(page: Page, title: string, says: string) {
  await addPage(page, title)
  await page.getByRole('textbox', { name: 'Summary' }).fill('What we do for you.')
  await writeText(page, says)
}

async function writeText(page: Page, says: string) {
  await text(page).or(page.locator('.content-editor-item summary')).first().click()
  await text(page).fill(says)
}

async function publish(page: Page) {
  await page.getByRole('button', { name: 'Publish' }).click()
  await dialog(page).getByRole('button', { name: 'Publish now' }).click()
}

test('an editor who promises a visa sees it while writing and at publishing, and publishes other words, and another claim with a reason that is listed', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await addPage(page, 'Our promise')
  const summary = page.getByRole('textbox', { name: 'Summary' })
  const found = page.getByRole('region', { name: 'Claims in the draft' })
  const marked = () =>
    page
      .frameLocator('.content-editor-frame:not([inert])')
      .locator('body')
      .evaluate(() => [...(CSS.highlights.get('claim-stop') ?? [])].map(String))
  // The frame is taken away when its next version has loaded, and nothing can be asked of it in that moment.
  const untilMarked = (words: readonly string[]) =>
    expect(async () => expect(await marked()).toEqual(words)).toPass()
  await summary.fill('What we do for you.')
  await expect(found).toContainText('nothing to look at')
  await summary.fill('We guarantee your visa.')
  await expect(found).toContainText(/1 to look at.*Stop.*We guarantee your visa\./s)
  await expect(summary).toHaveAccessibleDescription(/Stop “guarantee”/)
  await untilMarked(['guarantee'])
  await found.getByRole('button', { name: 'Summary' }).click()
  await expect(summary).toBeFocused()
  await summary.fill('What we do for you.')
  await expect(found).toContainText('nothing to look at')
  await untilMarked([])
  await expect(summary).not.toHaveAccessibleDescription(/guarantee/)
  await writeText(page, 'We guarantee your visa.')
  await publish(page)
  await expect(claims(page)).toBeFocused()
  await expect(claims(page)).toContainText(/We guarantee your visa\..*Only an admin may keep this\./s)
  await expect(claims(page).getByRole('link', { name: /Code of Conduct/ })).toBeVisible()
  await expect(claims(page).getByLabel('Reason')).toHaveCount(0)
  await claims(page).getByRole('button', { name: 'Go to the field' }).click()
  await expect(dialog(page)).toHaveCount(0)
  await expect(text(page)).toBeFocused()
  await text(page).fill('We prepare your application.')
  await publish(page)
  await expect(status(page)).toContainText('Live since')

  await addPageSaying(page, 'Our firm', 'We are the best firm in town.')
  await publish(page)
  await expect(claims(page)).toContainText('one passage needs a change, or a reason.')
  await claims(page).getByLabel('Reason').fill('Award of the chamber, in file twelve')
  await dialog(page).getByRole('button', { name: 'Publish now' }).click()
  await expect(status(page)).toContainText('Live since')
  const listed = await (await page.request.get('/api/content/claims')).json()
  expect(listed.claims).toContainEqual(
    expect.objectContaining({
      sentence: 'We are the best firm in town.',
      reason: 'Award of the chamber, in file twelve',
      author: 'Ana Editor',
    }),
  )
})

test('an admin finds a sample in the list of claims, confirms it beside the form, and the list says who', async ({
  page,
  installation,
}) => {
  await page.goto('about:blank')
  await page.context().clearCookies()
  await signIn(page, installation, await addStaff(installation, 'Ada Admin', { role: 'admin' }))
  await page.goto('/content')
  await page.getByRole('link', { name: 'Claims' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Claims and their reasons')
  const row = page.getByRole('listitem').filter({ hasText: 'Visa approval rate: 95%' })
  await expect(row).toContainText(/Stop.*A sample\. Prove it, or replace it\..*by Landfall.*version 1/s)
  await row.getByRole('link').click()
  await expect(page.getByRole('textbox', { name: 'Value' }).first()).toBeFocused()
  const found = page
    .getByRole('region', { name: 'Claims in the draft' })
    .locator('details > div')
    .filter({ hasText: 'Visa approval rate: 95%' })
  await expect(found).toContainText('this is a sample that nobody has confirmed')
  await found.getByLabel('Confirm it').fill('Counted in file nine')
  await publish(page)
  await expect(dialog(page)).toHaveCount(0)
  await page.goto('/content?view=claims')
  await expect(row).toContainText(/Counted in file nine.*by Ada Admin.*version 2/s)
})
