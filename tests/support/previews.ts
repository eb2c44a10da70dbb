import assert from 'node:assert/strict'
import { content } from '../../src/features/content-editor/contract.ts'
import { minutes } from '../../src/platform/clock.ts'
import type { Browser } from './browser.ts'
import { openSite } from './site.ts'
import { createStaff, signInAs } from './staff.ts'
import { openTestApp } from './test-app.ts'

/** A site that shows previews, and staff who open them. */
export async function openPreviews(config: Parameters<typeof openTestApp>[0] = {}) {
  const testApp = await openTestApp(config)
  const { services } = testApp
  const site = await openSite(testApp, { print: () => {}, clock: services.clock })
  const signedIn = async (role: 'admin' | 'editor' | 'viewer') =>
    await signInAs(testApp, (await createStaff(testApp, role)).email)
  const [editor, admin, viewer] = [
    await signedIn('editor'),
    await signedIn('admin'),
    await signedIn('viewer'),
  ]
  const siteId = (await viewer.call(content.list, { kind: 'site' })).documents[0]?.id ?? ''
  const siteBody = (await viewer.call(content.open, { id: siteId })).draft.body

  async function open(path: string, browser: Browser | null, headers: Record<string, string> = {}) {
    const cookie = browser ? [...browser.cookies].map(pair => pair.join('=')).join('; ') : ''
    const url = `${services.config.publicUrl}${path}`
    return await site.fetch(new Request(url, { headers: { ...(cookie && { cookie }), ...headers } }))
  }

  async function saveDraft(id: string, body: unknown) {
    const { revision } = (await editor.call(content.open, { id })).draft
    return await editor.send('PUT', `/api/content/${id}/draft`, { body, revision })
  }

  async function showSite(path: string, body: unknown) {
    assert.equal((await saveDraft(siteId, body)).status, 200)
    testApp.wait(minutes(1))
    const reply = await open(`/preview/${siteId}${path}`, editor)
    assert.equal(reply.status, 200)
    return await reply.text()
  }

  return { testApp, signedIn, editor, admin, viewer, siteId, siteBody, open, saveDraft, showSite }
}
