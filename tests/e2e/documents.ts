import { expect, type Page } from '@playwright/test'
import { openCaller } from './caller.ts'

/** Adds a page by a call and opens its editor, for tests of what comes after the list and its dialog. */
export async function addPage(page: Page, title: string) {
  const call = await openCaller(page)
  const path = `/${title.toLowerCase().replaceAll(' ', '-')}`
  const { document } = await call('POST', '/api/content', { kind: 'page', path, title })
  await openDocument(page, document.id, title)
}

/** Publishes the site with another body, as an admin who takes responsibility for its claims. */
export async function changeSite(page: Page, change: object) {
  const call = await openCaller(page)
  const { documents } = await (await page.request.get('/api/content?kind=site')).json()
  const address = `/api/content/${documents[0].id}`
  const { draft } = await (await page.request.get(address)).json()
  const body = { ...draft.body, ...change }
  const { revision } = await call('PUT', `${address}/draft`, { body, revision: draft.revision })
  await call('POST', `${address}/publish`, { revision })
}

/** Opens the editor of the site document. */
export async function openSite(page: Page) {
  const { documents } = await (await page.request.get('/api/content?kind=site')).json()
  await openDocument(page, documents[0].id, 'Site')
}

async function openDocument(page: Page, id: string, title: string) {
  await page.goto(`/content/${id}`)
  await expect(page.getByRole('heading', { level: 1 })).toContainText(title)
}
