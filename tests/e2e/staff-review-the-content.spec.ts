import { type Browser, expect, type Page } from '@playwright/test'
import { bodies } from '../support/documents.ts'
import { expectAccessible } from './axe.ts'
import { openSite } from './documents.ts'
import { toast } from './expect-texts.ts'
import { type Installation, openDashboard, openSettingsBeside, signIn, testApart } from './installation.ts'
import { addStaff } from './staff.ts'

const test = testApart()
const summary = (page: Page) => page.getByRole('textbox', { name: 'Summary' })
const review = (page: Page) => page.getByRole('region', { name: 'Review', exact: true })

async function setReview({ data }: Installation, value: 'true' | 'false') {
  const { db, settings } = await openSettingsBeside(data)
  await settings.write('content_needs_review', value)
  await db.destroy()
}

async function signInAs(page: Page, installation: Installation, name: string) {
  await openDashboard(page, installation, await addStaff(installation, name, { role: 'editor' }))
}

/** Somebody else in a browser of their own. */
async function openAs(browser: Browser, installation: Installation, name: string, path: string) {
  const page = await (await browser.newContext({ baseURL: installation.url })).newPage()
  await signIn(page, installation, await addStaff(installation, name, { role: 'editor' }))
  await page.goto(path)
  return page
}

/** Publishes a page with the calls of the portal. @returns where to edit it, and where visitors find it */
async function publishPage(page: Page, title: string) {
  const path = `/${title.toLowerCase().replaceAll(' ', '-')}`
  const id = await page.evaluate(
    async ({ title, path, body }) => {
      const { csrfToken } = await (await fetch('/api/csrf-token')).json()
      const headers = { 'Content-Type': 'application/json', 'X-CSRF-Token': csrfToken }
      const send = async (method: string, to: string, data: object) =>
        await (await fetch(`/api/content${to}`, { method, headers, body: JSON.stringify(data) })).json()
      const { document } = await send('POST', '', { kind: 'page', path, title })
      const { revision } = await send('PUT', `/${document.id}/draft`, { body, revision: 1 })
      await send('POST', `/${document.id}/publish`, { revision })
      return String(document.id)
    },
    { title, path, body: bodies.page({ path, title }) },
  )
  return { id, path, screen: `/content/${id}` }
}

/** Changes the summary of a page and asks for a review. */
async function ask(page: Page, text: string) {
  await summary(page).fill(text)
  await page.getByRole('button', { name: 'Ask for a review' }).click()
  const dialog = page.getByRole('dialog', { name: 'Ask for a review' })
  await expect(dialog).toContainText('Somebody who has not worked on this must approve it.')
  await dialog.getByLabel('Note').fill('Please look')
  await dialog.getByRole('button', { name: 'Ask for a review' }).click()
  await expect(review(page)).toContainText('You asked on')
}

test('one editor asks for a review, cannot approve it, reads why another one declines, and the changed one is approved', async ({
  page,
  installation,
  browser,
}) => {
  await setReview(installation, 'false')
  await signInAs(page, installation, 'Ana Editor')
  const { screen, path } = await publishPage(page, 'Our fees')
  await setReview(installation, 'true')
  await page.goto(screen)
  await expect(page.getByRole('button', { name: /Publish|Schedule/ })).toHaveCount(0)
  await ask(page, 'You cannot lose.')
  await expect(page.getByRole('button', { name: /Approve|Decline/ })).toHaveCount(0)
  await expect(review(page).getByRole('button', { name: 'Withdraw' })).toBeVisible()
  await expectAccessible(page)

  const ben = await openAs(browser, installation, 'Ben Editor', screen)
  await expect(review(ben)).toContainText(/Ana Editor asked on .*: Please look/)
  await review(ben).getByRole('button', { name: 'Decline' }).click()
  const dialog = ben.getByRole('dialog', { name: 'Decline version 2' })
  await dialog.getByLabel('What should change').fill('Do not promise a result')
  await dialog.getByRole('button', { name: 'Decline' }).click()
  await expect(toast(ben)).toContainText('Version 2 does not go live.')
  await page.reload()
  await expect(review(page)).toContainText('Ben Editor declined version 2: Do not promise a result')
  await ask(page, 'What our help costs.')
  await ben.reload()
  await ben.setViewportSize({ width: 390, height: 844 })
  await review(ben).getByRole('button', { name: 'Show the changes' }).click()
  await expect(ben.getByRole('tab', { name: 'History' })).toHaveAttribute('aria-selected', 'true')
  await expect(ben.getByRole('heading', { name: 'Version 3 compared with version 1' })).toBeVisible()
  await expect(ben.locator('.content-editor-change ins')).toContainText(['help'])
  await expect(ben.getByRole('region', { name: 'History' })).toBeFocused()
  expect(await (await page.request.get(path)).text()).not.toContain('What our help costs.')
  await review(ben).getByRole('button', { name: 'Approve and publish' }).click()
  await expect(toast(ben)).toContainText('Version 3 is published.')
  await expect(review(ben)).toHaveCount(0)
  await expect(async () =>
    expect(await (await page.request.get(path)).text()).toContain('What our help costs.'),
  ).toPass()
  await ben.context().close()
})

test('a fact that is corrected shows on the live page and can be chosen for a figure of the site, whose preview shows each page that it is on', async ({
  page,
  installation,
}) => {
  await setReview(installation, 'false')
  await signInAs(page, installation, 'Ana Editor')
  const { path } = await publishPage(page, 'Points in short')
  await page.goto('/content')
  await page.getByRole('link', { name: 'Facts', exact: true }).click()
  await expect(page).toHaveURL('/content?view=facts')
  await page.reload()
  const name = 'general-skilled-migration-pass-mark'
  await page.getByRole('button', { name: `Check ${name}` }).click()
  const dialog = page.getByRole('dialog', { name: `Check ${name}` })
  await dialog.getByLabel('Value').fill('Seventy points')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(toast(page)).toContainText('Fact Saved')
  await expect(async () =>
    expect(await (await page.request.get(path)).text()).toContain('Seventy points'),
  ).toPass()
  // An open form holds back who would leave it.
  await expect(dialog).toBeHidden()
  await page.goBack()
  await expect(page.locator('.content-editor-list')).toBeVisible()
  await page.goForward()
  await page.getByRole('main').getByRole('link', { name: 'Content' }).click()
  await expect(page.locator('.content-editor-list')).toBeVisible()

  await page.setViewportSize({ width: 1440, height: 900 })
  await openSite(page)
  const fact = page.getByLabel('Fact').first()
  await expect(fact.locator('option', { hasText: 'Points for research: 10 points' })).toHaveCount(1)
  const shown = page.frameLocator('.content-editor-frame:not([inert])')
  for (const name of ['About us', 'Contact', 'Home']) {
    await page.getByRole('group', { name: 'Page' }).getByRole('button', { name }).click()
    await expect(shown.locator('nav [aria-current="page"]').first()).toHaveText(name, { ignoreCase: true })
  }
})

test('a document that is deleted is gone for visitors and from the list, and one click brings it back, also after a reload', async ({
  page,
  installation,
}) => {
  await setReview(installation, 'false')
  await signInAs(page, installation, 'Ana Editor')
  const { screen, path } = await publishPage(page, 'Old fees')
  const status = async () => (await page.request.get(path)).status()
  await expect.poll(status).toBe(200)
  async function remove() {
    await page.goto(screen)
    await page.getByRole('button', { name: 'Delete' }).click()
    const after: string[] = []
    const listen = (request: { url(): string; method(): string }) => {
      if (request.url().includes(`/api${screen}`)) after.push(request.method())
    }
    page.on('request', listen)
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await expect(page).toHaveURL('/content')
    await expect(page.locator('.content-editor-list')).toBeVisible()
    page.off('request', listen)
    // Nothing of a page that is gone is read again.
    expect(after.slice(after.indexOf('DELETE'))).toEqual(['DELETE'])
  }
  await remove()
  const row = page.locator('.content-editor-list tbody tr').filter({ hasText: 'Old fees' })
  await expect(page.locator('.content-editor-list')).toBeVisible()
  await expect(row).toHaveCount(0)
  await expect.poll(status).toBe(404)
  await toast(page).getByRole('button', { name: 'Undo' }).click()
  await expect(row).toContainText('Live')
  await expect.poll(status).toBe(200)
  await remove()
  await expect(toast(page)).toContainText('You find it in the list under the state Deleted')
  await page.reload()
  await page.getByLabel('State').selectOption('Deleted')
  await page.getByRole('button', { name: 'Bring back Old fees' }).click()
  await expect(page).toHaveURL(screen)
  await expect(page.locator('.content-editor-head')).toContainText('Live')
  await expect.poll(status).toBe(200)
})
