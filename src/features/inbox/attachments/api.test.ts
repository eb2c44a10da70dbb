import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { add, attached, bytesOf, nameOf } from '../../../../tests/support/attached-files.ts'
import { signInToInbox, storeMessage } from '../../../../tests/support/conversation.ts'
import { drawJpeg } from '../../../../tests/support/pictures.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { inspectPicture } from '../../../pictures/inspect-picture.ts'
import { MAX_SENT_BYTES } from './contract.ts'

suite('Calls with files of conversations', async () => {
  const testApp = await openTestApp()

  test('a picture is looked at as our encoder draws it, and what is none is only downloaded', async () => {
    const id = await storeMessage(testApp)
    const admin = await signInToInbox(testApp, 'admin')
    const look = async (fileId: string) =>
      await admin.browser.fetch(`/api/messages/${id}/attachments/${fileId}/preview`)
    const photo = new Uint8Array(await drawJpeg(1200, 800))
    const { id: fileId } = await attached(await add(admin, id, photo, { name: 'Passport.jpg' }))
    const shown = await look(fileId)
    assert.deepEqual(
      ['content-type', 'x-content-type-options', 'content-security-policy'].map(name =>
        shown.headers.get(name),
      ),
      ['image/webp', 'nosniff', "sandbox; default-src 'none'"],
    )
    assert.equal(shown.headers.get('cache-control'), 'no-store')
    const bytes = new Uint8Array(await shown.arrayBuffer())
    const inspected = inspectPicture(bytes)
    assert.deepEqual(inspected, { format: 'webp', width: 960, height: 640 })
    for (const [name, content] of [
      [
        'Page.jpg',
        new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'),
      ],
      ['Half.jpg', photo.slice(0, 900)],
    ] as const) {
      const other = await attached(await add(admin, id, content, { name }))
      assert.equal((await look(other.id)).status, 415)
    }
    const reader = await signInToInbox(testApp)
    const hidden = await reader.browser.fetch(`/api/messages/${id}/attachments/${fileId}/preview`)
    assert.equal(hidden.status, 404, 'it is a draft of somebody else')
  })

  test('uploads that would fill the memory are refused before they are read, and parts are not', async () => {
    const id = await storeMessage(testApp)
    const admin = await signInToInbox(testApp, 'admin')
    const { csrfToken } = await (await admin.browser.fetch('/api/csrf-token')).json()
    const held: (() => void)[] = []
    /** A body that does not end by itself. */
    const whole = () => {
      const body = new ReadableStream({
        start: controller => void held.push(() => controller.error(new Error('gone'))),
      })
      const headers = { 'content-disposition': nameOf('Large.pdf'), 'content-length': `${MAX_SENT_BYTES}` }
      const init = {
        method: 'POST',
        headers: { 'x-csrf-token': csrfToken, ...headers },
        body,
        duplex: 'half',
      }
      return admin.browser.fetch(`/api/messages/${id}/attachments`, init)
    }
    const two = [whole(), whole()]
    while (held.length < 2) await new Promise(resolve => setImmediate(resolve))
    await new Promise(resolve => setTimeout(resolve, 50))
    assert.equal((await add(admin, id, bytesOf(10))).status, 503)
    for (const end of held) end()
    await Promise.all(two)
    assert.equal((await add(admin, id, bytesOf(10))).status, 201)
  })
})
