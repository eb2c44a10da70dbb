import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { signInToInbox } from '../../../tests/support/conversation.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { failsWith, openVisitorPages } from '../../../tests/support/visitor-pages.ts'
import { visitorPage } from '../status/contract.ts'
import { erasureRequests } from './contract.ts'

suite('A visitor who asks to be erased after an answer', async () => {
  const testApp = await openTestApp()
  const { db } = testApp.services
  const { ana, visitor, store, openPage, sendReply, isGone } = await openVisitorPages(testApp)
  const ada = await signInToInbox(testApp, 'admin')

  async function ask() {
    const enquiry = await store()
    await sendReply(enquiry.id, 'Yes.')
    const { token, access } = await openPage(enquiry)
    const asked = await visitor.call(visitorPage.erase, { token, access })
    assert.equal(asked.certificate, undefined)
    return { ...enquiry, token, access }
  }
  const refuse = async (who: typeof ada, id: string, reason: string) =>
    await who.browser.call(erasureRequests.refuse, { id, reason })

  test('an admin erases, and nobody else; nothing of the visitor is left', async () => {
    const { id, email, token } = await ask()
    const { message, erasure, entries } = await ana.open(id)
    assert.deepEqual([message.status, message.isRead, erasure?.refusedAt], ['open', false, null])
    assert.ok(entries.some(({ action }) => action === 'erasure-asked'))
    await assert.rejects(ana.browser.call(erasureRequests.erase, { id }), failsWith(403))
    const { reference, messages } = await ada.browser.call(erasureRequests.erase, { id })
    assert.match(reference, /^ER-/)
    assert.equal(messages, 1)
    await isGone(token)
    for (const table of ['messages', 'entries', 'outbox', 'logs', 'erasure_requests'] as const)
      assert.ok(!JSON.stringify(await db.selectFrom(table).selectAll().execute()).includes(email), table)
    await assert.rejects(ada.browser.call(erasureRequests.erase, { id }), failsWith(404))
  })

  test('an admin refuses with a reason that the history has, and the visitor may ask again', async () => {
    const { id, token, access } = await ask()
    await assert.rejects(refuse(ada, id, 'No'), failsWith(400))
    await assert.rejects(refuse(ana, id, 'We must keep your file.'), failsWith(403))
    await refuse(ada, id, 'We must keep your file.')
    const { erasure, entries } = await ana.open(id)
    assert.equal(erasure?.reason, 'We must keep your file.')
    assert.equal(entries.at(-1)?.detail, 'We must keep your file.')
    await assert.rejects(ada.browser.call(erasureRequests.erase, { id }), failsWith(409))
    for (let at = 0; at < 2; at++) await visitor.call(visitorPage.erase, { token, access })
    const again = (await ana.open(id)).entries.filter(({ action }) => action === 'erasure-asked')
    assert.equal(again.length, 2, 'asked twice, and not three times')
    assert.equal((await ana.open(id)).erasure?.refusedAt, null)
  })

  test('nobody is erased who has not asked', async () => {
    const { id } = await store()
    await assert.rejects(ada.browser.call(erasureRequests.erase, { id }), failsWith(409))
    await assert.rejects(refuse(ada, id, 'We must keep your file.'), failsWith(409))
  })
})
