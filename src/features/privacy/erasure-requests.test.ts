import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { signInToInbox } from '../../../tests/support/conversation.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { failsWith, openVisitorPages, tokenIn } from '../../../tests/support/visitor-pages.ts'
import { dashboard } from '../dashboard/contract.ts'
import { visitorPage } from '../status/contract.ts'
import { erasureRequests } from './contract.ts'

suite('A visitor who asks to be erased after an answer', async () => {
  const testApp = await openTestApp()
  const { db } = testApp.services
  const { ana, visitor, store, openPage, sendReply, isGone, textsTo, newest } =
    await openVisitorPages(testApp)
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
    const { certificate } = await ada.browser.call(erasureRequests.erase, { id })
    assert.match(certificate.reference, /^ER-/)
    assert.deepEqual([certificate.enquiries, certificate.isEmailed], [1, true])
    const sent = textsTo(email).at(-1) ?? ''
    assert.ok(sent.includes(certificate.reference), 'the certificate comes by email')
    await isGone(token)
    for (const table of ['messages', 'entries', 'outbox', 'logs', 'erasure_requests'] as const)
      assert.ok(!JSON.stringify(await db.selectFrom(table).selectAll().execute()).includes(email), table)
    await assert.rejects(ada.browser.call(erasureRequests.erase, { id }), failsWith(404))
  })

  test('an admin refuses with a reason that the history has, and the visitor may ask again', async () => {
    const { id, email, reference, token, access } = await ask()
    const before = textsTo(email).length
    await assert.rejects(refuse(ada, id, 'No'), failsWith(400))
    await assert.rejects(refuse(ana, id, 'We must keep your file.'), failsWith(403))
    await refuse(ada, id, 'We must keep your file.')
    const { erasure, entries } = await ana.open(id)
    assert.equal(erasure?.reason, 'We must keep your file.')
    const sent = await newest(email, before + 1)
    assert.match(sent, /We must keep your file\./)
    assert.equal((await visitor.call(visitorPage.read, { token: tokenIn(sent) })).status.reference, reference)
    assert.equal(entries.at(-1)?.detail, 'We must keep your file.')
    await assert.rejects(ada.browser.call(erasureRequests.erase, { id }), failsWith(409))
    for (let at = 0; at < 2; at++) await visitor.call(visitorPage.erase, { token, access })
    const again = (await ana.open(id)).entries.filter(({ action }) => action === 'erasure-asked')
    assert.equal(again.length, 2, 'asked twice, and not three times')
    assert.equal((await ana.open(id)).erasure?.refusedAt, null)
  })

  test('a corrected address has asked for nothing, and two admins erase once', async () => {
    const { id } = await ask()
    const other = await store()
    await ana.change(id, { email: other.email })
    assert.ok(!(await ana.open(id)).erasure)
    await assert.rejects(ada.browser.call(erasureRequests.erase, { id }), failsWith(409))
    assert.equal((await ana.open(other.id)).message.email, other.email)
    const asked = await ask()
    const both = await Promise.allSettled(
      [ada, ada].map(({ browser }) => browser.call(erasureRequests.erase, { id: asked.id })),
    )
    assert.deepEqual(both.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
  })

  test('an enquiry that is merged into somebody else’s is decided where it is shown, and nothing else goes', async () => {
    const [asked, kept] = [await ask(), await store()]
    await ana.merge(asked.id, kept.id)
    const { erasure } = await ana.open(kept.id)
    assert.deepEqual([erasure?.messageId, erasure?.email], [asked.id, asked.email])
    await refuse(ada, asked.id, 'We must keep your file.')
    assert.equal((await ana.open(kept.id)).entries.at(-1)?.action, 'erasure-refused')
    await visitor.call(visitorPage.erase, { token: asked.token, access: asked.access })
    await ada.browser.call(erasureRequests.erase, { id: asked.id })
    const left = await ana.open(kept.id)
    assert.equal(left.message.email, kept.email)
    assert.ok(!left.erasure)
  })

  test('the dashboard of an admin counts who waits and leads to the first, and the call says that it is accepted', async () => {
    const before = (await ada.browser.call(dashboard.read, {})).attention?.erasures?.count ?? 0
    const { id, token, access } = await ask()
    const asked = await visitor.fetch('/api/public/status/erasure', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token, access }),
    })
    assert.equal(asked.status, 202)
    const { attention } = await ada.browser.call(dashboard.read, {})
    assert.equal(attention?.erasures?.count, before + 1)
    assert.equal((await ana.browser.call(dashboard.read, {})).attention?.erasures, null)
    for (const { message_id } of await db
      .selectFrom('erasure_requests')
      .select('message_id')
      .where('refused_at', 'is', null)
      .where('message_id', '!=', id)
      .execute())
      await refuse(ada, message_id, 'We must keep your file.')
    const left = (await ada.browser.call(dashboard.read, {})).attention?.erasures
    assert.deepEqual(left, { count: 1, firstId: id })
  })

  test('nobody is erased who has not asked', async () => {
    const { id } = await store()
    await assert.rejects(ada.browser.call(erasureRequests.erase, { id }), failsWith(409))
    await assert.rejects(refuse(ada, id, 'We must keep your file.'), failsWith(409))
  })
})
