import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  type Colleague,
  emailsTo,
  passUndoTime,
  signInToInbox,
  storeMessage,
  untilDelivered,
} from '../../../../tests/support/conversation.ts'
import { storeMessages } from '../../../../tests/support/messages.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { newId } from '../../../database/id.ts'
import { days } from '../../../platform/clock.ts'
import { erasePerson } from '../../privacy/erase.server.ts'
import { deleteExpiredData } from '../../privacy/retention.server.ts'
import { MAX_MERGED } from './merge.server.ts'

suite('Merged messages: replies, deletion, and what is refused', async () => {
  const testApp = await openTestApp()
  const { db, clock, settings } = testApp.services
  const { mailServer } = testApp
  const ana = await signInToInbox(testApp)
  const admin = await signInToInbox(testApp, 'admin')

  const sendMerge = async (id: string, into: string, who: Colleague = ana) =>
    await who.browser.send('PUT', `/api/messages/${id}/merge`, { into })
  const merge = ana.merge
  async function storePair(change = {}) {
    const [other = '', kept = ''] = await storeMessages(testApp, [change, change])
    return { other, kept }
  }
  const exists = async (id: string) => (await ana.browser.fetch(`/api/messages/${id}`)).status === 200

  test('a reply that waits when its message is merged is sent once, and the answers that follow name it', async () => {
    const email = 'waiting@visitor.test'
    const { other, kept } = await storePair({ email })
    const { id } = await ana.reply(other, 'It waits')
    await merge(other, kept)
    passUndoTime(testApp)
    await untilDelivered(testApp, id)
    const [sent, ...more] = emailsTo(testApp, email)
    assert.deepEqual([sent?.text?.includes('It waits'), more.length], [true, 0])
    assert.equal((await ana.open(kept)).entries.find(entry => entry.id === id)?.delivery, 'sent')
    const before = mailServer.emails.length
    const { id: next } = await ana.reply(kept, 'And more')
    passUndoTime(testApp)
    await untilDelivered(testApp, next)
    const [mailId] = await db.selectFrom('mail_ids').select('mail_id').where('entry_id', '=', id).execute()
    assert.ok(mailServer.emails[before]?.raw.includes(`References: ${mailId?.mail_id}`))
  })

  test('a waiting reply of a merged message can be taken back, and its text is a draft of the kept one', async () => {
    const { other, kept } = await storePair()
    const { id } = await ana.reply(other, 'Not yet', { status: 'waiting' })
    await merge(other, kept)
    assert.equal((await ana.undo(newId(clock()), id)).status, 404)
    assert.equal((await ana.undo(kept, id)).status, 200)
    assert.deepEqual(
      (await ana.open(kept)).drafts.map(({ body }) => body),
      ['Not yet'],
    )
    assert.equal((await ana.open(other)).message.status, 'closed')
  })

  test('a reply of a merged message that fails opens the kept one', async () => {
    const { other, kept } = await storePair({ email: 'fails@visitor.test' })
    await ana.change(kept, { status: 'closed' })
    mailServer.behaviour = 'too large'
    const { id } = await ana.reply(other, 'Too large', { status: 'closed' })
    await merge(other, kept)
    await ana.change(kept, { status: 'closed' })
    passUndoTime(testApp)
    await untilDelivered(testApp, id, 'failed')
    mailServer.behaviour = 'accept'
    assert.equal((await ana.open(kept)).message.status, 'open')
    assert.equal((await ana.open(other)).message.status, 'closed')
  })

  test('who deletes a message deletes what is merged into it, and a merged one goes alone', async () => {
    const [first, second] = [await storePair(), await storePair()]
    for (const { other, kept } of [first, second]) await merge(other, kept)
    await admin.browser.send('DELETE', `/api/messages/${first.kept}`)
    assert.deepEqual([await exists(first.kept), await exists(first.other)], [false, false])
    await admin.browser.send('DELETE', `/api/messages/${second.other}`)
    assert.deepEqual([await exists(second.kept), await exists(second.other)], [true, false])
    const erased = await db.selectFrom('erased').select('hash').where('kind', '=', 'message').execute()
    assert.equal(erased.length, 3, 'a restored backup brings none of them back')
  })

  test('erasing a person, and the end of the retention of spam, include what is merged', async () => {
    const person = await storePair({ email: 'erase@visitor.test' })
    await merge(person.other, person.kept)
    const { messages } = await erasePerson(testApp.services, 'erase@visitor.test', 'ER-TEST')
    assert.deepEqual([messages, await exists(person.other)], [2, false])
    const spam = await storePair()
    await merge(spam.other, spam.kept)
    await ana.change(spam.kept, { status: 'spam' })
    testApp.wait(days(31))
    await deleteExpiredData(testApp.services)
    assert.equal(
      await db.selectFrom('messages').select('id').where('id', '=', spam.other).executeTakeFirst(),
      undefined,
    )
  })

  test('a new enquiry is not deleted with the old unread one into which it is merged', async () => {
    await settings.write('retention_enquiries_months', '1')
    const kept = await storeMessage(testApp)
    testApp.wait(days(60))
    const other = await storeMessage(testApp)
    const reader = await signInToInbox(testApp)
    assert.equal((await sendMerge(other, kept, reader)).status, 200)
    await reader.change(kept, { isRead: false })
    await deleteExpiredData(testApp.services)
    const left = db.selectFrom('messages').select('id').where('id', 'in', [kept, other])
    assert.equal((await left.execute()).length, 2)
  })

  test('a message that would be shown nowhere is listed: one whose kept message a restore has left out', async () => {
    const { other } = await storePair()
    const reader = await signInToInbox(testApp)
    await db
      .updateTable('messages')
      .set({ merged_into: newId(clock()), status: 'closed' })
      .where('id', '=', other)
      .execute()
    const { messages } = await (await reader.browser.fetch('/api/messages?status=closed')).json()
    assert.ok(
      messages.some(({ id, mergedInto }: { id: string; mergedInto?: string }) => id === other && !mergedInto),
    )
  })

  test('merges that make no sense are refused, and change nothing', async () => {
    const colleague = await signInToInbox(testApp)
    const ids = await storeMessages(testApp, Array(6).fill({}))
    const [a = '', b = '', c = '', spam = '', d = '', e = ''] = ids
    await colleague.change(spam, { status: 'spam' })
    const attempt = async (id: string, into: string) => (await sendMerge(id, into, colleague)).status
    assert.equal(await attempt(a, a), 409, 'into itself')
    assert.equal(await attempt(a, newId(clock())), 404)
    assert.equal(await attempt(newId(clock()), a), 404)
    assert.equal(await attempt(a, spam), 409, 'into spam')
    assert.equal(await attempt(a, b), 200)
    assert.equal(await attempt(a, b), 200, 'a repeat')
    assert.equal(await attempt(a, c), 409, 'merged already')
    assert.equal(await attempt(b, c), 409, 'others are merged into it')
    assert.equal(await attempt(c, a), 409, 'into one that is merged')
    const both = await Promise.all([attempt(d, e), attempt(e, d)])
    assert.deepEqual(both.sort(), [200, 409], 'each into the other at once')
    const merged = await db
      .selectFrom('entries')
      .select('id')
      .where('body', '=', 'merged-into')
      .where('message_id', 'in', ids)
      .execute()
    assert.equal(merged.length, 2)
    const many = await storeMessages(testApp, Array(MAX_MERGED + 1).fill({}))
    const outcomes = []
    for (const id of many) outcomes.push(await attempt(id, c))
    assert.deepEqual(outcomes, [...Array(MAX_MERGED).fill(200), 409])
  })
})
