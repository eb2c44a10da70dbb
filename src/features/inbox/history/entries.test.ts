import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { storeMessages } from '../../../../tests/support/messages.ts'
import { createStaff, signInAs } from '../../../../tests/support/staff.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { newId } from '../../../database/id.ts'
import { messages } from '../contract.ts'

suite('History of a message', async () => {
  const testApp = await openTestApp()
  const { db, clock } = testApp.services
  const { id: adminId, email } = await createStaff(testApp, 'admin')
  const admin = await signInAs(testApp, email)
  const open = async (id: string) => await admin.call(messages.read, { id })
  const store = async () => (await storeMessages(testApp, [{}]))[0] ?? ''

  async function storeFailedEmail(messageId: string) {
    const now = clock().toISOString()
    const email = { to: 'desk@agency.test', fromName: 'A', subject: 'Failed', text: 'A', html: 'A' }
    const row = { message_id: messageId, state: 'failed', attempts: 9, due_at: now, created_at: now } as const
    await db
      .insertInto('outbox')
      .values({ id: newId(clock()), kind: 'notice', email: JSON.stringify(email), ...row })
      .execute()
  }

  test('a new message has no history', async () => {
    const { entries, lastSeq } = await open(await store())
    assert.deepEqual([entries, lastSeq], [[], 0])
  })

  test('the history records who read a message first, sent its failed email again and forwarded it', async () => {
    const id = await store()
    const other = await signInAs(testApp, (await createStaff(testApp, 'admin')).email)
    await storeFailedEmail(id)
    await admin.call(messages.markRead, { id })
    await other.call(messages.markRead, { id })
    await admin.call(messages.retry, { id })
    await admin.call(messages.forward, { id })
    const { entries, lastSeq } = await open(id)
    const author = { id: adminId, name: 'Robin the admin' }
    assert.deepEqual(
      entries.map(({ id: _, createdAt: __, ...entry }) => entry),
      ['read', 'retried', 'forwarded'].map((body, at) => ({
        seq: at + 1,
        kind: 'event',
        author,
        body,
        ...{ action: body, statusBefore: null, statusAfter: null },
        detail: null,
        cc: [],
        delivery: null,
        deliveryError: null,
        sendsAt: null,
      })),
    )
    assert.equal(lastSeq, 0, 'events do not make a reply late')
    assert.ok(entries.every(({ createdAt }) => createdAt <= clock().toISOString()))
  })

  test('events that happen at the same time get different numbers', async () => {
    const id = await store()
    await storeFailedEmail(id)
    const changes = [messages.markRead, messages.retry, messages.forward]
    await Promise.all(changes.map(change => admin.call(change, { id })))
    const { entries } = await open(id)
    assert.deepEqual(
      entries.map(({ seq }) => seq),
      entries.map((_, at) => at + 1),
    )
    assert.ok(entries.length >= 2)
  })

  test('the history stays when its author is deleted, and goes with the message', async () => {
    const id = await store()
    const { id: leaverId, email: leaver } = await createStaff(testApp, 'admin')
    await (await signInAs(testApp, leaver)).call(messages.markRead, { id })
    await db.deleteFrom('users').where('id', '=', leaverId).execute()
    const [entry] = (await open(id)).entries
    assert.deepEqual([entry?.author, entry?.body], [null, 'read'])
    await admin.call(messages.delete, { id })
    const left = db.selectFrom('entries').select('id').where('message_id', '=', id)
    assert.deepEqual(await left.execute(), [])
  })
})
