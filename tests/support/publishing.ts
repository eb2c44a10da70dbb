import { content } from '../../src/features/content-editor/contract.ts'
import type { pageBody } from './content.ts'
import { createStaff, signInAs } from './staff.ts'
import { openTestApp } from './test-app.ts'

/** An installation, an editor who saves and publishes, and what visitors then read. */
export async function openPublishing() {
  const testApp = await openTestApp()
  const { services } = testApp
  const editor = await signInAs(testApp, (await createStaff(testApp, 'editor')).email)

  /** The title that visitors read at a path, as this node has it in memory. */
  const titleAt = (path: string) => services.content.read().documents.get(path)?.content.body.title
  const stateOf = async (id: string) => (await editor.call(content.open, { id })).document.state
  async function save(id: string, body: ReturnType<typeof pageBody>) {
    const { draft } = await editor.call(content.open, { id })
    return await editor.call(content.saveDraft, { id, body, revision: draft.revision })
  }
  async function publish(id: string, more: { liveFrom?: string; note?: string } = {}) {
    const { draft } = await editor.call(content.open, { id })
    return (await editor.call(content.publish, { id, revision: draft.revision, ...more })).version
  }
  const refused = async (id: string, path = 'publish', body: object | undefined = undefined) => {
    const { draft } = await editor.call(content.open, { id })
    const sent = path === 'publish' ? { revision: draft.revision, ...body } : body
    return await editor.send('POST', `/api/content/${id}/${path}`, sent)
  }
  const add = async (path: string, kind: 'page' | 'article' | 'visa' = 'page') =>
    await editor.send('POST', '/api/content', { kind, path, title: 'Title' })

  return { testApp, editor, titleAt, stateOf, save, publish, refused, add }
}
