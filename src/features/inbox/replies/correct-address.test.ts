import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  emailsTo,
  passUndoTime,
  signInToInbox,
  storeMessage,
  untilDelivered,
} from '../../../../tests/support/conversation.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { startProgram } from '../../../../tests/support/token-client.ts'
import { newId } from '../../../database/id.ts'
import { eraseMentions } from '../../../erasure/mentions.ts'
import type { Email } from '../../../mail/email.ts'
import { readdress } from './send-again.server.ts'

suite('Correcting the address of a visitor', async () => {
  const testApp = await openTestApp()
  const { db, clock } = testApp.services
  const { mailServer } = testApp
  const ana = await signInToInbox(testApp)
  const someone = (name: string) => `${name}-${newId(clock())}@visitor.test`

  /** A reply to an address that nobody has, with a copy that arrives. */
  async function replyToNobody() {
    const [wrong, right, copy] = [someone('mia'), someone('mai'), someone('copy')]
    mailServer.refusedRecipients.set(wrong, '550 5.1.1 No such mailbox')
    const id = await storeMessage(testApp, { email: wrong })
    const { id: replyId } = await ana.reply(id, 'Hello', { cc: [copy] })
    passUndoTime(testApp)
    await untilDelivered(testApp, replyId, 'failed')
    const retry = async () => await ana.browser.send('POST', `/api/messages/${id}/replies/${replyId}/retry`)
    const entryOf = async () => (await ana.open(id)).entries.find(entry => entry.id === replyId)
    return { id, replyId, wrong, right, copy, retry, entryOf }
  }

  test('a reply says who got it and who did not, and when its provider took it', async () => {
    const { wrong, copy, entryOf } = await replyToNobody()
    const failed = await entryOf()
    assert.deepEqual([failed?.to, failed?.cc, failed?.lacking], [wrong, [copy], [wrong]])
    assert.match(failed?.deliveryError ?? '', /550 5\.1\.1/)
    const id = await storeMessage(testApp, { email: someone('mai') })
    const { id: replyId } = await ana.reply(id, 'Hello')
    assert.equal((await ana.open(id)).entries[0]?.lacking, undefined, 'nobody knows yet')
    passUndoTime(testApp)
    await untilDelivered(testApp, replyId)
    const [sent] = (await ana.open(id)).entries
    assert.deepEqual([typeof sent?.deliveredAt, sent?.to, sent?.lacking], ['string', undefined, undefined])
  })

  test('who corrects it sends what has failed to the new address, and to nobody twice; the history keeps the old one (G36)', async () => {
    const { id, replyId, wrong, right, copy, retry, entryOf } = await replyToNobody()
    const changed = await ana.change(id, { email: right })
    assert.equal(changed.status, 200)
    assert.equal((await changed.json()).message.email, right)
    const { entries } = await ana.open(id)
    const event = entries.find(({ action }) => action === 'address-corrected')
    assert.deepEqual([event?.detail, event?.author?.id], [wrong, ana.id])
    assert.equal((await entryOf())?.to, wrong, 'until it is sent again, it is what has failed')
    assert.equal((await retry()).status, 200)
    await untilDelivered(testApp, replyId)
    const [letter, ...more] = emailsTo(testApp, right)
    assert.deepEqual([letter?.recipients, more], [[right], []])
    assert.equal(letter?.to?.[0]?.address, right)
    assert.equal(emailsTo(testApp, copy).length, 1)
    const found = await ana.browser.fetch(`/api/messages?q=${right}`)
    assert.equal((await found.json()).messages.length, 1, 'the search knows it')
  })

  test('a reply that waits goes to the new address, and one that is sent stays as it was', async () => {
    const [wrong, right] = [someone('mia'), someone('mai')]
    const id = await storeMessage(testApp, { email: wrong })
    const { id: sent } = await ana.reply(id, 'First')
    passUndoTime(testApp)
    await untilDelivered(testApp, sent)
    const { id: waiting } = await ana.reply(id, 'Second')
    assert.equal((await ana.change(id, { email: right })).status, 200)
    passUndoTime(testApp)
    await untilDelivered(testApp, waiting)
    assert.deepEqual([emailsTo(testApp, wrong).length, emailsTo(testApp, right).length], [1, 1])
  })

  test('what is merged into it from the same address gets the new one, and what came from another keeps its own', async () => {
    const [wrong, right, other] = [someone('mia'), someone('mai'), someone('sister')]
    const [id, same, apart] = [
      await storeMessage(testApp, { email: wrong }),
      await storeMessage(testApp, { email: wrong.toUpperCase() }),
      await storeMessage(testApp, { email: other }),
    ]
    for (const merged of [same, apart]) await ana.merge(merged, id)
    assert.equal((await ana.change(id, { email: right })).status, 200)
    const { merged, entries } = await ana.open(id)
    const emails = new Map(merged?.map(it => [it.id, [it.email, it.isSameAddress]]))
    assert.deepEqual(
      [emails.get(same), emails.get(apart)],
      [
        [right, true],
        [other, false],
      ],
    )
    assert.equal(entries.filter(({ action }) => action === 'address-corrected').length, 1)
  })

  test('a colleague who has changed the message is not passed over, and what is no address is refused', async () => {
    const { id, right, wrong } = await replyToNobody()
    const { message } = await ana.open(id)
    assert.equal((await ana.change(id, { status: 'closed' })).status, 200)
    assert.equal((await ana.change(id, { email: right, version: message.version })).status, 409)
    const refused = await ana.change(id, { email: 'mai at visitor.test' })
    assert.deepEqual([refused.status, Object.keys((await refused.json()).errors)], [400, ['email']])
    const bulk = await ana.browser.send('POST', '/api/messages/bulk', { ids: [id], change: { email: right } })
    assert.equal(bulk.status, 400, 'of one message at a time')
    assert.equal((await ana.open(id)).message.email, wrong)
  })

  test('a program with a token changes no address, although it may change the rest (G36)', async () => {
    const { id, right, wrong } = await replyToNobody()
    const admin = await signInToInbox(testApp, 'admin')
    const { client } = await startProgram(testApp, admin.browser, ana)
    const refused = await client('PATCH', `/api/messages/${id}`, { email: right, status: 'closed' })
    assert.deepEqual([refused.status, (await refused.json()).code], [403, 'session_required'])
    const { message } = await ana.open(id)
    assert.deepEqual([message.email, message.status], [wrong, 'open'])
    assert.equal((await client('PATCH', `/api/messages/${id}`, { status: 'closed' })).status, 200)
  })

  test('the old address goes from the history with the person who has it', async () => {
    const { id, wrong, right } = await replyToNobody()
    await ana.change(id, { email: right })
    await eraseMentions(db, address => address === wrong, wrong)
    assert.doesNotMatch(JSON.stringify(await ana.open(id)), new RegExp(wrong))
  })
})

suite('A reply that is written to another address', () => {
  const email: Email = {
    ...{ to: 'old@a.test', cc: ['two@a.test', 'New@a.test'], fromName: 'A', subject: 'A', text: 'A' },
  }

  test('it goes to whom it lacks, and a copy at the new address is not a second one', () => {
    const { to, cc, lacking } = readdress(email, 'new@a.test')
    assert.deepEqual([to, cc, lacking], ['new@a.test', ['two@a.test'], undefined])
    const some = readdress({ ...email, lacking: ['old@a.test', 'two@a.test'] }, 'new@a.test')
    assert.deepEqual(some.lacking, ['two@a.test'], 'that copy has arrived')
    const none = readdress({ ...email, lacking: ['OLD@a.test', 'New@a.test'] }, 'new@a.test')
    assert.deepEqual(none.lacking, ['new@a.test'])
  })

  test('one that the visitor has got stays as it was', () => {
    const partly = { ...email, lacking: ['two@a.test'] }
    assert.equal(readdress(partly, 'other@a.test'), partly)
  })
})
