import { expect, type Page } from '@playwright/test'
import { addPage } from './documents.ts'
import { signIn, testApart } from './installation.ts'
import { addStaff } from './staff.ts'

const test = testApart()
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const question = (page: Page) => page.getByRole('alertdialog')
const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const badge = (page: Page) => page.locator('.content-editor-crumb .badge')

async function add(page: Page) {
  await button(page, 'Add page').click()
  await page.getByLabel('Title').fill('Our hours')
  await page.getByRole('dialog').getByRole('button', { name: 'Add page' }).click()
}

async function remove(page: Page) {
  await button(page, 'Delete').click()
  await question(page).getByRole('button', { name: 'Delete' }).click()
  await expect(heading(page)).toHaveText('Content')
  await expect(heading(page)).toBeFocused()
}

test('an editor who adds, schedules, publishes, hides, deletes and brings back a page never loses the focus, and is asked whether a time that has passed means now (found E2)', async ({
  page,
  installation,
}) => {
  const complaints: string[] = []
  page.on('console', message => message.type() === 'warning' && complaints.push(message.text()))
  await signIn(page, installation, await addStaff(installation, 'Ana Editor', { role: 'editor' }))
  await page.goto('/content')
  await add(page)
  await expect(heading(page)).toHaveText('Our hours')
  await expect(heading(page)).toBeFocused()

  const summary = page.getByRole('textbox', { name: 'Summary' })
  await summary.fill('When we are here.')
  await button(page, 'Schedule').click()
  const time = page.getByLabel('Date and time')
  await expect(time).toHaveValue(/T09:00$/)
  const year = new Date().getFullYear() + 1
  const schedule = page.getByRole('dialog', { name: 'Schedule' })
  await time.fill(`${year - 2}-03-02T09:00`)
  await schedule.getByRole('button', { name: 'Schedule' }).click()
  await expect(schedule.getByRole('alert')).toHaveText('This time has passed: publish now?')
  await expect(schedule.getByRole('button', { name: 'Publish now' })).toBeVisible()
  await time.fill(`${year}-03-02T09:00`)
  await schedule.getByRole('button', { name: 'Schedule' }).click()
  await expect(badge(page)).toHaveText('Scheduled')
  await expect(page.getByText(`goes live 2 Mar ${year}, 9:00 am Sydney time.`).first()).toBeVisible()
  await button(page, 'Publish').click()
  await expect(page.getByRole('dialog')).toContainText(
    /Version 1 was to go live 2 Mar \d+, 9:00 am Sydney time\. This takes its place\./,
  )
  await button(page, 'Publish now').click()
  await expect(badge(page)).toHaveText('Live')
  await expect(button(page, 'Publish')).toBeFocused()
  await summary.fill('When we are in.')
  await expect(badge(page)).toHaveText('Live, with changes')

  await button(page, 'Take offline').click()
  await question(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(button(page, 'Take offline')).toBeFocused()
  await button(page, 'Take offline').click()
  await question(page).getByRole('button', { name: 'Take offline' }).click()
  await expect(badge(page)).toHaveText('Offline')
  await expect(heading(page)).toBeFocused()
  await page.goBack()
  await expect(page.getByRole('link', { name: 'Our hours' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(heading(page)).toHaveText('Our hours')

  await remove(page)
  await add(page)
  const known = page.getByRole('dialog').getByRole('status')
  await expect(known).toContainText('Our hours had this address and was deleted.')
  await expect(button(page, 'Add a new page')).toBeVisible()
  await button(page, 'bring that one back').click()
  await expect(heading(page)).toHaveText('Our hours')
  await expect(heading(page)).toBeFocused()
  await expect(summary).toHaveValue('When we are in.')

  await remove(page)
  await page.getByLabel('State').selectOption('Deleted')
  await button(page, 'Bring back Our hours').click()
  await expect(heading(page)).toHaveText('Our hours')
  await expect(heading(page)).toBeFocused()
  expect(complaints).toEqual([])
})

/** Holds saves back until the returned function is called. */
async function holdSaves(page: Page) {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/draft', async route => {
    await promise
    await route.continue()
  })
  return resolve
}

test('the dialogs that publish and delete a document stay while what was typed is saved', async ({
  page,
  installation,
}) => {
  await signIn(page, installation, await addStaff(installation, 'Ana Editor', { role: 'editor' }))
  for (const { opens, action, busy } of [
    { opens: 'Publish', action: 'Publish now', busy: 'Publishing …' },
    { opens: 'Delete', action: 'Delete', busy: 'Delete' },
  ]) {
    await addPage(page, `${opens} this`)
    const release = await holdSaves(page)
    await page.getByRole('textbox', { name: 'Summary' }).fill('What our work costs.')
    await button(page, opens).click()
    const dialog = page.locator('dialog:modal')
    await dialog.getByRole('button', { name: action, exact: true }).click()
    const running = dialog.getByRole('button', { name: busy, exact: true })
    await expect(running).toHaveAttribute('aria-disabled', 'true')
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'Cancel' }).click({ force: true })
    await expect(dialog).toBeVisible()
    release()
    await expect(dialog).toBeHidden()
  }
})
