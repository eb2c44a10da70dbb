import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { newPath, pageBody } from '../../../tests/support/content.ts'
import { changeDocument } from '../../../tests/support/documents.ts'
import { addPicture, drawPng, upload } from '../../../tests/support/pictures.ts'
import { openPreviews } from '../../../tests/support/previews.ts'
import { createStaff, signInAs } from '../../../tests/support/staff.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { createToken } from '../../../tests/support/token-client.ts'
import { until } from '../../../tests/support/until.ts'
import { newPictureUse } from '../../content/picture-use.ts'
import { pictureUrl } from '../../pictures/sizes.ts'
import { isoAfter, minutes } from '../../platform/clock.ts'
import { content } from '../content-editor/contract.ts'

const PUBLIC = 'public, max-age=31536000, immutable'

suite('The pictures of pages', async () => {
  const { testApp, editor, admin, viewer, open, saveDraft } = await openPreviews()
  const { services } = testApp
  const urlOf = (id: string) => pictureUrl(id, 32, 'webp')
  const statusOf = async (id: string, browser: Parameters<typeof open>[1] = null) =>
    (await open(urlOf(id), browser)).status
  const withPicture = (path: string, id: string) => ({
    ...pageBody(path),
    blocks: [
      {
        id: 'picture-1',
        type: 'picture',
        picture: { ...newPictureUse({ id, width: 32, height: 24 }), decoration: true },
        caption: null,
      },
    ],
  })
  async function addPage() {
    const { document } = await editor.call(content.create, { kind: 'page', path: newPath(), title: 'Fees' })
    return { id: document.id, path: document.path }
  }
  /** Publishes a page that shows the picture. */
  async function show(id: string, liveFrom?: string) {
    const page = await addPage()
    await changeDocument(editor, page.id, withPicture(page.path, id), liveFrom)
    return page
  }

  test('a stranger gets for a picture that no live page shows what they get for one that was never uploaded (found A5)', async () => {
    const id = await addPicture(editor)
    const draft = await addPage()
    await saveDraft(draft.id, withPicture(draft.path, id))
    const missing = await open(urlOf('0'.repeat(32)), null)
    assert.equal(missing.status, 404)
    const expected = [404, await missing.text(), [...missing.headers]]
    for (const headers of [{}, { cookie: 'session=made-up' }, { authorization: 'Bearer lf_made-up' }]) {
      const reply = await open(urlOf(id), null, headers)
      assert.deepEqual([reply.status, await reply.text(), [...reply.headers]], expected)
    }
  })

  test('who may read content sees a picture of a draft, which nobody keeps, in the portal and in the preview (found A5)', async () => {
    const id = await addPicture(editor)
    const { token } = await createToken(admin, await createStaff(testApp, 'editor'))
    for (const reply of [
      await open(urlOf(id), viewer),
      await open(urlOf(id), editor),
      await open(urlOf(id), null, { authorization: `Bearer ${token}` }),
    ]) {
      assert.equal(reply.status, 200)
      assert.equal(reply.headers.get('cache-control'), 'no-store')
      assert.equal(reply.headers.get('content-type'), 'image/webp')
      assert.ok((await reply.arrayBuffer()).byteLength > 0)
    }
    await open(urlOf(id), editor)
    assert.equal(await statusOf(id), 404, 'what staff have read is not public for that')
  })

  test('a picture is public from the moment its page is live until it is not (found A5)', async () => {
    const id = await addPicture(editor)
    const page = await show(id)
    const reply = await open(urlOf(id), null)
    assert.deepEqual([reply.status, reply.headers.get('cache-control')], [200, PUBLIC])
    await changeDocument(editor, page.id, pageBody(page.path))
    await until(async () => (await statusOf(id)) === 404)
    assert.equal((await open(urlOf(id), viewer)).headers.get('cache-control'), 'no-store')
  })

  test('a scheduled page shows its picture when its time comes, and one that is taken offline takes it along (found A5)', async () => {
    const id = await addPicture(editor)
    const page = await show(id, isoAfter(services.clock, minutes(5)))
    assert.equal(await statusOf(id), 404)
    testApp.wait(minutes(6))
    assert.equal(await statusOf(id), 200)
    await editor.send('POST', `/api/content/${page.id}/unpublish`)
    await until(async () => (await statusOf(id)) === 404)
  })

  test('the address of a picture says nothing about the file: it is another one in each installation (found A5)', async () => {
    const bytes = drawPng(32, 24, 0)
    const { picture } = await (await upload(editor, bytes)).json()
    assert.match(picture.id, /^[0-9a-f]{32}$/)
    const other = await openTestApp()
    const elsewhere = await signInAs(other, (await createStaff(other, 'editor')).email)
    const { picture: same } = await (await upload(elsewhere, bytes)).json()
    assert.notEqual(same.id, picture.id)
  })

  test('a picture that is uploaded again after it was deleted is the one that older versions show', async () => {
    const bytes = drawPng(32, 24)
    const { picture } = await (await upload(editor, bytes)).json()
    await editor.send('DELETE', `/api/content/pictures/${picture.id}`)
    assert.equal((await open(urlOf(picture.id), editor)).status, 404)
    const { picture: again } = await (await upload(editor, bytes)).json()
    assert.equal(again.id, picture.id)
  })
})
