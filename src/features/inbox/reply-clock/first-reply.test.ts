import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  passUndoTime,
  signInToInbox,
  storeMessage,
  untilDelivered,
} from '../../../../tests/support/conversation.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { conversation, merge } from '../conversation/contract.ts'

suite('First reply to a message', async () => {
  const testApp = await openTestApp()
  const { db } = testApp.services
  const ana = await signInToInbox(testApp, 'admin')

  async function hasFirstReply(id: string): Promise<boolean> {
    const row = db.selectFrom('messages').select('first_reply_week').where('id', '=', id)
    return (await row.executeTakeFirstOrThrow()).first_reply_week !== null
  }

  test('a reply that fails once its message is merged into another no longer counts as the first', async context => {
    const [into, id] = [await storeMessage(testApp), await storeMessage(testApp)]
    const { id: replyId } = await ana.reply(id, 'Yes.')
    await ana.browser.call(conversation.addCall, { id: into, body: 'I called' })
    await ana.browser.call(merge.into, { id, into })
    assert.deepEqual([await hasFirstReply(into), await hasFirstReply(id)], [true, true])
    testApp.mailServer.behaviour = 'too large'
    context.after(() => {
      testApp.mailServer.behaviour = 'accept'
    })
    passUndoTime(testApp)
    await untilDelivered(testApp, replyId, 'failed')
    assert.deepEqual([await hasFirstReply(into), await hasFirstReply(id)], [true, false])
  })
})
