import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { emailsTo, signInToInbox, storeMessage, untilDelivered } from '../tests/support/conversation.ts'
import { openTestApp } from '../tests/support/test-app.ts'
import { visitor } from '../tests/support/test-app-with-captcha.ts'
import { until } from '../tests/support/until.ts'
import { otherClocks } from './database/shared-clock.ts'
import { enquiries } from './features/enquiry-form/contract.ts'
import { presence } from './features/inbox/presence/contract.ts'
import { isoAfter, minutes, seconds } from './platform/clock.ts'

const skip = !process.env.TEST_DATABASE_URL && 'SQLite has one node, so one clock'

suite('Two nodes whose clocks differ by four minutes', { skip }, async () => {
  if (skip) return
  const template = await openTestApp({}, { otherClocks })
  const { databaseUrl, secretKey, smtpUrl } = template.services.config
  const { mailServer } = template
  await template.services.outbox.stop()

  /** @param skew milliseconds by which its clock is ahead of the database's */
  const openNode = async (skew: number) => {
    const dependencies = { clock: () => new Date(Date.now() + skew), otherClocks }
    const node = await openTestApp({ databaseUrl, secretKey, smtpUrl }, dependencies)
    return { ...node, mailServer }
  }
  const [ahead, behind] = [await openNode(minutes(2)), await openNode(-minutes(2))]

  for (const [name, writer, other] of [
    ['behind', behind, ahead],
    ['ahead', ahead, behind],
  ] as const) {
    test(`a reply of a node that is ${name} waits for its undo on both, and can be taken back (found K2)`, async () => {
      const email = `undone-${name}@visitor.test`
      const ana = await signInToInbox(writer)
      const id = await storeMessage(writer, { status: 'open', email })
      const { id: replyId } = await ana.reply(id, 'Dear Mai')
      await pollTwice(other)
      await pollTwice(writer)
      assert.equal((await ana.undo(id, replyId)).status, 200)
      assert.deepEqual(emailsTo(writer, email), [])
    })

    test(`a reply in flight on a node that is ${name} is not given up by the other, and arrives once (found K2)`, async () => {
      const email = `in-flight-${name}@visitor.test`
      const ana = await signInToInbox(writer)
      const id = await storeMessage(writer, { status: 'open', email })
      await other.services.outbox.stop()
      mailServer.behaviour = 'hang'
      const { id: replyId } = await ana.reply(id, 'Dear Mai')
      const { db, sharedClock, outbox } = writer.services
      const due_at = isoAfter(sharedClock.now)
      await db.updateTable('outbox').set({ due_at }).where('id', '=', replyId).execute()
      outbox.wake()
      await until(() => mailServer.held === 1)
      await other.services.outbox.start()
      await pollTwice(other)
      const deliveryOf = async () =>
        (await ana.open(id)).entries.find(entry => entry.id === replyId)?.delivery
      assert.equal(await deliveryOf(), 'waiting')
      mailServer.release()
      await untilDelivered(writer, replyId)
      await pollTwice(other)
      assert.equal(await deliveryOf(), 'sent')
      assert.equal(emailsTo(writer, email).length, 1)
    })
  }

  test('a failed reply that is sent again on a node that is ahead waits for no clock (found K2)', async () => {
    const email = 'again@visitor.test'
    const ana = await signInToInbox(ahead)
    const id = await storeMessage(ahead, { status: 'open', email })
    const { id: replyId } = await ana.reply(id, 'Dear Mai')
    const { db } = ahead.services
    await db.updateTable('outbox').set({ state: 'failed', attempts: 1 }).where('id', '=', replyId).execute()
    assert.equal((await ana.browser.send('POST', `/api/messages/${id}/replies/${replyId}/retry`)).status, 200)
    await untilDelivered(behind, replyId)
    assert.equal(emailsTo(ahead, email).length, 1)
  })

  test('an enquiry is stored without asking the database for its time (found K2)', async () => {
    let asked = 0
    const readDatabaseTime = async (...args: Parameters<typeof otherClocks.readDatabaseTime>) => {
      asked++
      return await otherClocks.readDatabaseTime(...args)
    }
    const dependencies = { otherClocks: { ...otherClocks, readDatabaseTime } }
    const node = await openTestApp({ databaseUrl, secretKey, smtpUrl }, dependencies)
    await node.services.outbox.stop()
    const before = asked
    await node.browser().call(enquiries.contact, visitor)
    assert.deepEqual([before > 0, asked - before], [true, 0])
  })

  test('who looks at an enquiry on one node is seen on the other (found K2)', async () => {
    const [ana, bo] = [await signInToInbox(behind), await signInToInbox(ahead)]
    const id = await storeMessage(behind, { email: 'seen@visitor.test' })
    await ana.browser.call(presence.look, { id, isWriting: true })
    const { others } = await bo.browser.call(presence.look, { id })
    assert.deepEqual(others, [{ id: ana.id, name: ana.name, isWriting: true }])
  })

  /** Until a poll has passed that began after this call. */
  async function pollTwice({ services: { outbox } }: typeof ahead) {
    for (let count = 0; count < 2; count++) {
      outbox.wake()
      await pause(seconds(0.1))
    }
  }
})
