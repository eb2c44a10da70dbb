import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { signInToInbox, storeMessage } from '../../../../tests/support/conversation.ts'
import { createStaff, signInAs } from '../../../../tests/support/staff.ts'
import { storeMail } from '../../../../tests/support/stored-mail.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { newId } from '../../../database/id.ts'
import { formattedPath } from './contract.ts'

const POLICY =
  "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'"

suite('A mail with its formatting', async () => {
  const testApp = await openTestApp()
  const { db, clock } = testApp.services
  const ana = await signInToInbox(testApp)
  const html =
    '<h1 onclick="x()">Dear Mei</h1><img src="https://x.test/1.png" alt="Seal"><script>x()</script>'
  const store = async (mail = {}) => {
    const id = await storeMessage(testApp)
    return { id, entryId: await storeMail(db, id, { html, ...mail }) }
  }
  const read = async (id: string, entryId: string, headers = {}) =>
    await ana.browser.fetch(formattedPath(id, entryId), { headers })

  test('it is a document of its own in which nothing runs, and that no browser keeps, sniffs or names elsewhere (G35)', async () => {
    const { id, entryId } = await store()
    const reply = await read(id, entryId)
    assert.equal(reply.status, 200)
    const expected = {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': POLICY,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-dns-prefetch-control': 'off',
      'cache-control': 'no-store',
      'x-frame-options': 'SAMEORIGIN',
      'cross-origin-resource-policy': 'same-origin',
    }
    for (const [name, value] of Object.entries(expected)) assert.equal(reply.headers.get(name), value, name)
    const text = await reply.text()
    assert.match(text, /<body dir="auto"><h1>Dear Mei<\/h1><span>\[Seal\]<\/span><\/body>/)
    assert.doesNotMatch(text, /x\.test|script|onclick/)
  })

  test('it is read in the conversation that shows it, also one that it is merged into, and in no other (G35)', async () => {
    const { id, entryId } = await store()
    const other = await store()
    assert.equal((await read(other.id, entryId)).status, 404)
    await ana.merge(id, other.id)
    assert.equal((await read(other.id, entryId)).status, 200)
    assert.equal((await read(id, newId(clock()))).status, 404)
    const plain = await store({ html: null })
    assert.equal((await read(plain.id, plain.entryId)).status, 404)
    const began = await storeMessage(testApp, { form_type: 'email' })
    await storeMail(db, began, { html, seq: null })
    assert.equal((await read(began, began)).status, 200, 'a message that began as mail')
  })

  test('a refusal is JSON for a program, and words in the same sandbox for the frame', async () => {
    const { id } = await store()
    const program = await read(id, newId(clock()))
    assert.match((await program.json()).message, /no formatting any more/)
    const frame = await read(id, newId(clock()), { 'Sec-Fetch-Dest': 'iframe' })
    assert.deepEqual([frame.status, frame.headers.get('content-security-policy')], [404, POLICY])
    assert.match(await frame.text(), /<p>This email has no formatting any more/)
    const stranger = await testApp
      .browser()
      .fetch(formattedPath(id, newId(clock())), { headers: { 'Sec-Fetch-Dest': 'iframe' } })
    assert.equal(stranger.status, 401)
    assert.match(await stranger.text(), /<p>Please sign in to continue/)
  })

  test('who may not read messages reads no formatting', async () => {
    const { id, entryId } = await store()
    const viewer = await signInAs(testApp, (await createStaff(testApp, 'viewer')).email)
    assert.equal((await viewer.fetch(formattedPath(id, entryId))).status, 403)
    const reader = await signInAs(testApp, (await createStaff(testApp, 'viewer', undefined, 'read')).email)
    assert.equal((await reader.fetch(formattedPath(id, entryId))).status, 200)
  })

  test('an entry says whether its mail can be shown with its formatting, and never has the HTML itself', async () => {
    const { id } = await store({ body_quoted: 'Dear Mai' })
    const { entries } = await ana.open(id)
    assert.deepEqual([entries[0]?.hasFormatting, entries[0]?.quoted], [true, 'Dear Mai'])
    assert.doesNotMatch(JSON.stringify(entries), /<h1/)
  })
})
