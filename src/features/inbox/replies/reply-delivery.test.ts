import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import {
  emailsTo,
  passUndoTime,
  signInToInbox,
  storeMessage,
  untilDelivered,
} from '../../../../tests/support/conversation.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { until } from '../../../../tests/support/until.ts'
import { isPostgres } from '../../../database/engine.ts'
import { newId } from '../../../database/id.ts'
import type { Mail } from '../../../mail/mail.ts'
import { createOutbox } from '../../../mail/outbox.ts'
import { hours, minutes, seconds } from '../../../platform/clock.ts'
import { reopenAfterFailure } from './undo-reply.server.ts'

suite('Delivering a reply', async () => {
  const testApp = await openTestApp()
  const { db, clock, mail, outbox } = testApp.services
  const { mailServer } = testApp
  const ana = await signInToInbox(testApp)
  const visitor = () => `${newId(clock())}@visitor.test`
  const entryOf = async (id: string, entryId: string) =>
    (await ana.open(id)).entries.find(entry => entry.id === entryId)

  test('a process that dies after the provider said yes sends no second reply: case 21 (G12)', async context => {
    const email = visitor()
    const id = await storeMessage(testApp, { email })
    await outbox.stop()
    const { id: replyId } = await ana.reply(id, 'Once', { status: 'closed' })
    const { promise: end, resolve: die } = Promise.withResolvers<void>()
    const neverReturns: Mail = {
      ...mail,
      async send(...email) {
        const transport = await mail.send(...email)
        await end
        return transport
      },
    }
    testApp.wait(seconds(11))
    assert.equal((await ana.undo(id, replyId)).status, 409, 'too late, although nobody has begun to send it')
    const dying = createOutbox({ ...testApp.services, mail: neverReturns })
    await dying.start()
    await until(() => emailsTo(testApp, email).length === 1)
    const next = createOutbox(testApp.services)
    next.afterFailure((transaction, row) => reopenAfterFailure(transaction, testApp.services, row))
    context.after(async () => {
      await next.stop()
      die()
      await dying.stop()
      await outbox.start()
    })
    await next.start()
    if (isPostgres(db)) {
      assert.equal((await entryOf(id, replyId))?.delivery, 'waiting', 'another node may be sending it')
      testApp.wait(seconds(11))
      next.wake()
    }
    await untilDelivered(testApp, replyId, 'failed')
    testApp.wait(hours(1))
    next.wake()
    await new Promise(resolve => setTimeout(resolve, 200))
    assert.equal(emailsTo(testApp, email).length, 1)
    const colleague = await signInToInbox(testApp)
    const { entries, message } = await colleague.open(id)
    assert.match(entries[0]?.deliveryError ?? '', /may have arrived/)
    assert.equal(message.status, 'open', 'somebody has to ask')
    assert.ok(entries.some(({ body, author }) => body === 'reply-failed' && author === null))
  })

  test('the yes of the provider is stored once the database is back (case 21)', async () => {
    const email = visitor()
    const colleague = await signInToInbox(testApp)
    const id = await storeMessage(testApp, { email })
    mailServer.behaviour = 'hang'
    const { id: replyId } = await colleague.reply(id, 'Once')
    passUndoTime(testApp)
    await until(() => mailServer.held === 1)
    await sql`alter table outbox rename column sent_at to away`.execute(db)
    mailServer.release()
    await until(() => emailsTo(testApp, email).length === 1)
    await new Promise(resolve => setTimeout(resolve, 200))
    await sql`alter table outbox rename column away to sent_at`.execute(db)
    await untilDelivered(testApp, replyId)
    assert.equal(emailsTo(testApp, email).length, 1)
  })

  test('a provider that got the reply and says nothing gets no second one, until staff want that (case 21)', async () => {
    const email = visitor()
    const colleague = await signInToInbox(testApp)
    const id = await storeMessage(testApp, { email })
    mailServer.behaviour = 'vanish'
    const { id: replyId } = await colleague.reply(id, 'Perhaps')
    passUndoTime(testApp)
    await untilDelivered(testApp, replyId, 'failed')
    mailServer.behaviour = 'accept'
    testApp.wait(minutes(40))
    outbox.wake()
    await new Promise(resolve => setTimeout(resolve, 200))
    assert.equal(emailsTo(testApp, email).length, 1)
    const later = await signInToInbox(testApp)
    assert.match((await later.open(id)).entries[0]?.deliveryError ?? '', /\(it may have arrived\)/)
    const retry = async () => await later.browser.send('POST', `/api/messages/${id}/replies/${replyId}/retry`)
    assert.equal((await retry()).status, 200)
    await untilDelivered(testApp, replyId)
    assert.equal((await retry()).status, 409)
    const [one, other] = emailsTo(testApp, email)
    assert.equal(one?.messageId, other?.messageId, 'so that it can be recognised as the same')
  })

  test('a refusal for size fails at once and says so (case 25)', async () => {
    const email = visitor()
    const colleague = await signInToInbox(testApp)
    const id = await storeMessage(testApp, { email })
    mailServer.behaviour = 'too large'
    const { id: replyId } = await colleague.reply(id, 'Too large', { status: 'closed' })
    passUndoTime(testApp)
    await untilDelivered(testApp, replyId, 'failed')
    mailServer.behaviour = 'accept'
    const { entries, message } = await colleague.open(id)
    assert.match(entries[0]?.deliveryError ?? '', /552 Message size exceeds the limit/)
    assert.equal(message.status, 'open')
    const failed = await colleague.browser.fetch('/api/messages?letter=failed')
    assert.ok((await failed.json()).messages.some((it: { id: string }) => it.id === id))
    await colleague.change(id, { status: 'closed' })
    const dismissed = await colleague.browser.fetch('/api/messages?letter=failed')
    assert.ok((await dismissed.json()).messages.every((it: { id: string }) => it.id !== id))
  })

  test('a reply is tried again while the provider is away, and sent once when it is back', async () => {
    const email = visitor()
    const colleague = await signInToInbox(testApp)
    const id = await storeMessage(testApp, { email })
    mailServer.behaviour = 'later'
    const { id: replyId } = await colleague.reply(id, 'Later')
    passUndoTime(testApp)
    await until(async () => (await colleague.open(id)).entries[0]?.deliveryError !== null)
    const { delivery, sendsAt } = (await colleague.open(id)).entries[0] ?? {}
    assert.deepEqual([delivery, sendsAt], ['waiting', null])
    assert.equal((await colleague.undo(id, replyId)).status, 409)
    mailServer.behaviour = 'accept'
    testApp.wait(minutes(31))
    outbox.wake()
    await untilDelivered(testApp, replyId)
    assert.equal(emailsTo(testApp, email).length, 1)
  })
})

suite('Replies without a mail provider', async () => {
  const testApp = await openTestApp()
  const { services } = testApp
  const ana = await signInToInbox(testApp)

  test('a reply is refused, and one that waits is not kept in the local mailbox instead', async () => {
    const withoutProvider = await openTestApp({ smtpUrl: null })
    const { mail } = withoutProvider.services
    const email = { to: 'a@b.test', fromName: 'A', subject: 'A', text: 'A', needsProvider: true }
    await assert.rejects(mail.send(email, seconds(1)), /No mail provider is set up/)
    Object.assign(services.mail, { transport: async () => 'mailbox' })
    const id = await storeMessage(testApp)
    const reply = await ana.send(id, { body: 'x', lastSeq: 0 })
    assert.deepEqual([reply.status, (await reply.json()).code], [409, 'no_mail'])
  })
})
