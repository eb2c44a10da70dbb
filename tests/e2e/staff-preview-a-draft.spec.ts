import { expect, type Page } from '@playwright/test'
import { addPage } from './documents.ts'
import { signIn, testApart } from './installation.ts'
import { addStaff } from './staff.ts'

const test = testApart()
const frame = (page: Page) => page.frameLocator('.content-editor-frame:not([inert])')
const history = (page: Page) => page.locator('.content-editor-history-pane')

test.use({ viewport: { width: 1440, height: 900 } })

test.beforeEach(async ({ page, installation }) => {
  await signIn(page, installation, await addStaff(installation, 'Ana Editor', { role: 'editor' }))
  await addPage(page, `Fees number ${Date.now()}`)
})

test('the preview follows what is typed and opens the field that is clicked, and the history shows what has changed since a version and makes it the draft again', async ({
  page,
}) => {
  const summary = page.getByRole('textbox', { name: 'Summary' })
  await summary.fill('What our work costs.')
  await expect(frame(page).locator('[data-edit="description"]')).toHaveText('What our work costs.')
  await expect(frame(page).locator('[data-edit="description"]')).toHaveAttribute('data-active', '')
  await frame(page).locator('[data-edit="title"]').click()
  await expect(page.getByRole('textbox', { name: 'Title', exact: true })).toBeFocused()
  await frame(page).getByRole('link', { name: 'Home' }).first().click()
  await expect(frame(page).locator('[data-edit="description"]')).toHaveText('What our work costs.')
  await page.getByRole('button', { name: 'Desktop' }).click()
  await expect(page.locator('.content-editor-frame:not([inert])')).toHaveCSS('width', '1280px')
  await expect(page.locator('.content-editor-status [role=status]')).toContainText('Draft saved')
  await page.route('**/preview/**', route => route.fulfill({ status: 503, body: 'Busy' }), { times: 1 })
  await page.reload()
  await expect(page.getByRole('alert')).toContainText('The preview could not be loaded')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(frame(page).locator('[data-edit="title"]')).toBeVisible()
  await expect(page.getByText('The preview could not be loaded')).toHaveCount(0)

  await test.step('the history', async () => {
    const id = page.url().split('/').at(-1)
    const publish = async (description: string) =>
      await page.evaluate(
        async ([id, description]) => {
          const json = async (path: string, init?: RequestInit) => await (await fetch(path, init)).json()
          const { csrfToken } = await json('/api/csrf-token')
          const headers = { 'Content-Type': 'application/json', 'X-CSRF-Token': csrfToken }
          const { draft } = await json(`/api/content/${id}`)
          const text = {
            type: 'doc',
            content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Costs.' }] }],
          }
          const body = { ...draft.body, description, blocks: [{ id: 'a', type: 'text', text }] }
          const saved = await json(`/api/content/${id}/draft`, {
            ...{ method: 'PUT', headers },
            body: JSON.stringify({ body, revision: draft.revision }),
          })
          const { revision } = saved
          await json(`/api/content/${id}/publish`, {
            method: 'POST',
            headers,
            body: JSON.stringify({ revision }),
          })
        },
        [id, description],
      )
    await publish('What our work costs.')
    await publish('What our help costs today.')
    await page.reload()
    await expect(history(page).getByText('No changes')).toBeVisible()
    await expect(history(page).getByRole('listitem').filter({ hasText: 'Version 2' })).toContainText('Live')
    await history(page)
      .getByRole('button', { name: /^Version 2/ })
      .click()
    await expect(
      history(page).getByRole('heading', { name: 'Version 2 compared with version 1' }),
    ).toBeVisible()
    await expect(history(page).locator('.content-editor-change ins')).toContainText(['help', 'today'])
    await expect(history(page).locator('.content-editor-change del')).toContainText(['work'])
    await history(page)
      .getByRole('button', { name: /^Version 2/ })
      .press('j')
    await expect(history(page).locator('.content-editor-change')).toBeVisible()
    await history(page).getByRole('button', { name: 'next change' }).click()
    await expect(history(page).locator('.content-editor-change')).toBeFocused()
    await history(page).getByRole('button', { name: 'Restore version 1 as draft' }).click()
    const restore = page.getByRole('alertdialog').getByRole('button', { name: 'Restore as draft' })
    // Only what destroys is red.
    await expect(restore).toHaveClass(/button-primary/)
    await restore.click()
    await expect(page.locator('.screen-head .button')).toHaveText([
      'Publish',
      'Schedule',
      'Take offline',
      'Duplicate',
      'Delete',
    ])
    await expect(page.getByRole('textbox', { name: 'Summary' })).toHaveValue('What our work costs.')
    await expect(page.getByText('is editing too')).toHaveCount(0)
  })
})
