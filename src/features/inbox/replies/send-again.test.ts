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
import { newId } from '../../../database/id.ts'
import { eraseMentions } from '../../../erasure/mentions.ts'
import { REPLIES_PER_USER } from './reply.server.ts'

suite('Sending a failed reply again', async () => {
  const testApp = await openTestApp()
  const { db, clock, rateLimiter } = testApp.services
  const { mailServer } = testApp
  const someone = (name: string) => `${name}-${newId(clock())}@visitor.test`

  /** A reply with copies of which the mail server refuses one. */
  async function replyToNine() {
    const [email, refused] = [someone('mai'), someone('refused')]
    const reached = Array.from({ length: 9 }, (_, number) => someone(`copy-${number}`))
    mailServer.refusedRecipients.set(refused, '550 5.1.1 No such mailbox')
    const ana = await signInToInbox(testApp)
    const id = await storeMessage(testApp, { email })
    const { id: replyId } = await ana.reply(id, 'To all', { cc: [...reached, refused] })
    passUndoTime(testApp)
    await untilDelivered(testApp, replyId, 'failed')
    const retry = async () => await ana.browser.send('POST', `/api/messages/${id}/replies/${replyId}/retry`)
    const errorOf = async () =>
      (await ana.open(id)).entries.find(entry => entry.id === replyId)?.deliveryError
    return { ana, replyId, refused, reached: [email, ...reached], retry, errorOf }
  }

  test('a reply that one of eleven recipients did not get is sent again to that one, and to nobody twice (G26)', async () => {
    const { replyId, refused, reached, retry, errorOf } = await replyToNine()
    assert.match((await errorOf()) ?? '', new RegExp(`^Sent, but not to ${refused}: 550 5.1.1`))
    for (let count = 0; count < 3; count++) {
      assert.equal((await retry()).status, 200)
      await untilDelivered(testApp, replyId, 'failed')
    }
    mailServer.refusedRecipients.clear()
    assert.equal((await retry()).status, 200)
    await untilDelivered(testApp, replyId)
    for (const address of reached) assert.equal(emailsTo(testApp, address).length, 1, address)
    const [late, ...more] = emailsTo(testApp, refused)
    assert.deepEqual([late?.recipients, more], [[refused], []])
    assert.equal(late?.to?.[0]?.address, reached[0], 'who reads it sees whom it was written to')
    assert.equal(late?.cc?.length, 10)
  })

  test('what is sent again counts as what is sent, by its recipients (G26)', async () => {
    const { ana, retry } = await replyToNine()
    for (let count = 11; count < REPLIES_PER_USER.count - 1; count++)
      await rateLimiter.consume(REPLIES_PER_USER, ana.id)
    assert.equal((await retry()).status, 200)
    const { replyId, ana: other, retry: retryOther } = await replyToNine()
    for (let count = 11; count < REPLIES_PER_USER.count; count++)
      await rateLimiter.consume(REPLIES_PER_USER, other.id)
    assert.equal((await retryOther()).status, 429)
    const row = db.selectFrom('outbox').select('state').where('id', '=', replyId)
    assert.equal((await row.executeTakeFirst())?.state, 'failed', 'it can be sent again in an hour')
  })

  test('a reply that only somebody erased has not got is sent to nobody (G26)', async () => {
    const { replyId, refused, reached, retry, errorOf } = await replyToNine()
    await eraseMentions(db, address => address === refused, refused)
    mailServer.refusedRecipients.clear()
    assert.equal((await retry()).status, 200)
    await untilDelivered(testApp, replyId, 'failed')
    assert.equal(await errorOf(), 'Nobody is left who lacks this email')
    for (const address of [refused, ...reached])
      assert.equal(emailsTo(testApp, address).length, address === refused ? 0 : 1, address)
  })
})
