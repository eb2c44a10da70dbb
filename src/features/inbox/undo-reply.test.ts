import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { emailsTo, signInToInbox, storeMessage, untilDelivered } from '../../../tests/support/conversation.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { until } from '../../../tests/support/until.ts'
import { seconds } from '../../clock.ts'
import { createOutbox } from '../../mail/outbox.ts'

suite('Taking back a reply', async () => {
  const testApp = await openTestApp()
  const { mailServer, services } = testApp
  const { db, clock, mail, log } = services
  const ana = await signInToInbox(testApp)

  test('a reply that a dispatcher has claimed is not taken back, also while there is time to undo', async context => {
    const id = await storeMessage(testApp, { email: 'claimed@visitor.test' })
    mailServer.behaviour = 'hang'
    // Another node, whose clock is ahead.
    const ahead = createOutbox(db, mail, () => new Date(clock().getTime() + seconds(11)), log)
    context.after(() => ahead.stop())
    await ahead.start()
    const { id: replyId, sendsAt } = await ana.reply(id, 'On its way')
    ahead.wake()
    await until(() => mailServer.held === 1)
    const undo = await ana.undo(id, replyId)
    assert.ok(clock().toISOString() < sendsAt)
    mailServer.release()
    assert.deepEqual([undo.status, (await undo.json()).message], [409, 'This reply is on its way already'])
    await untilDelivered(testApp, replyId)
    const { entries, drafts } = await ana.open(id)
    assert.deepEqual([entries.map(({ kind, body }) => [kind, body]), drafts], [[['reply', 'On its way']], []])
    assert.equal(emailsTo(testApp, 'claimed@visitor.test').length, 1)
  })
})
