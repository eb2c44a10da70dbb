import { content } from '../../src/features/content-editor/contract.ts'
import { newPath } from './content.ts'
import { changeDocument, publishDocument } from './documents.ts'
import { openSite } from './site.ts'
import { createStaff, signInAs } from './staff.ts'
import { openTestApp } from './test-app.ts'

/** A site in its own process, and somebody who publishes documents on it. */
export async function openDocumentSite() {
  const testApp = await openTestApp()
  const site = await openSite(testApp)
  const { url, services } = site
  const editor = await signInAs(testApp, (await createStaff(testApp, 'editor')).email)
  const open = (path: string, init?: RequestInit) => fetch(`${url}${path}`, { redirect: 'manual', ...init })
  const read = async (path: string) => await (await open(path)).text()
  const newVisa = () => `/visas${newPath()}`
  const newArticle = () => `/news${newPath()}`
  const describe = (html: string) =>
    [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].map(([, json = '']) =>
      JSON.parse(json),
    )

  async function publish(...args: Parameters<typeof publishDocument>) {
    const published = await publishDocument(...args)
    await services.content.refresh()
    return published
  }

  async function changeSite(change: object) {
    const { documents } = await editor.call(content.list, { kind: 'site' })
    const id = documents[0]?.id ?? ''
    const { draft } = await editor.call(content.open, { id })
    await changeDocument(editor, id, { ...draft.body, ...change })
    await services.content.refresh()
  }

  return { site, editor, open, read, newVisa, newArticle, describe, publish, changeSite }
}
