import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { storeMessages } from '../../../../tests/support/messages.ts'
import { createStaff, signInAs } from '../../../../tests/support/staff.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { MAX_PAGE_BYTES } from '../../../http/json.ts'
import { messages } from '../contract.ts'
import type { MessageFilter } from './filter-contract.ts'

suite('Message list', async () => {
  const testApp = await openTestApp()
  const { db } = testApp.services
  const admin = await signInAs(testApp, (await createStaff(testApp, 'admin')).email)

  interface Query extends MessageFilter {
    readonly limit?: number
    readonly cursor?: string
  }
  const list = async (query: Query) => await admin.call(messages.list, query)
  const deleteMessages = async () => await db.deleteFrom('messages').execute()

  async function readAll(query: Query): Promise<string[]> {
    const ids: string[] = []
    let cursor: string | null | undefined
    do {
      const page = await list({ ...query, ...(cursor && { cursor }) })
      ids.push(...page.messages.map(({ id }) => id))
      cursor = page.nextCursor
    } while (cursor)
    return ids
  }

  test('messages are listed newest first, page after page, without a gap or a repeat', async () => {
    await deleteMessages()
    const sent = await storeMessages(testApp, Array(7).fill({}))
    assert.deepEqual(await readAll({}), sent)
    for (const limit of [1, 2, 3, 6, 7, 8])
      assert.deepEqual(await readAll({ limit }), sent, `${limit} per page`)
    assert.equal((await list({ limit: 7 })).nextCursor, null)
    assert.equal((await list({ limit: 6 })).nextCursor, sent[5])
  })

  test('a page of long messages has fewer of them, and the next one goes on without a gap or a repeat in either order (found A2)', async () => {
    await deleteMessages()
    const message = '漢'.repeat(10_000)
    const sent = await storeMessages(testApp, Array(80).fill({ message }))
    const { messages: first, nextCursor } = await list({ limit: 80 })
    assert.equal(first.length, Math.floor(MAX_PAGE_BYTES / Buffer.byteLength(message)))
    assert.equal(nextCursor, first.at(-1)?.id)
    for (const order of [{}, { order: 'activity' }, { q: '漢漢漢' }] as const)
      assert.deepEqual(await readAll({ limit: 80, ...order }), sent, JSON.stringify(order))
    await deleteMessages()
  })

  test('a message that arrives or is deleted during paging moves no other message', async () => {
    await deleteMessages()
    const sent = await storeMessages(testApp, Array(5).fill({}))
    testApp.wait(1)
    const { messages: first, nextCursor } = await list({ limit: 2 })
    await storeMessages(testApp, [{}])
    await admin.call(messages.delete, { id: sent[1] ?? '' })
    const rest = await list({ limit: 5, cursor: nextCursor ?? '' })
    assert.deepEqual(
      [...first, ...rest.messages].map(({ id }) => id),
      sent,
    )
  })

  test('messages can be filtered by type and by whether they were read', async () => {
    await deleteMessages()
    const types = ['visa-assessment', 'tracking', 'contact'] as const
    const [assessment = '', tracking = '', contact = ''] = await storeMessages(
      testApp,
      types.map(form_type => ({ form_type })),
    )
    for (const [at, formType] of types.entries())
      assert.deepEqual(await readAll({ formType }), [[assessment, tracking, contact][at]])
    await admin.call(messages.markRead, { id: tracking })
    assert.deepEqual(await readAll({ isRead: 'true' }), [tracking])
    assert.deepEqual(await readAll({ isRead: 'false' }), [assessment, contact])
    assert.deepEqual(await readAll({ isRead: 'true', formType: 'contact' }), [])
    assert.deepEqual(await readAll({ isRead: 'false', formType: 'contact', limit: 1 }), [contact])
  })

  test('a page has 100 messages by default and 200 at most, and a malformed query gets 400 (G1)', async () => {
    await deleteMessages()
    await storeMessages(testApp, Array(201).fill({}))
    assert.equal((await list({})).messages.length, 100)
    assert.equal((await list({ limit: 200 })).messages.length, 200)
    const malformed = [
      'limit=0',
      'limit=201',
      'limit=1e9',
      'limit=-1',
      'limit=NaN',
      'limit=1.5',
      'limit=',
      'limit=1&limit=2',
    ]
    for (const query of [...malformed, 'cursor=x', 'cursor=', 'formType=spam', 'isRead=1', 'sort=name'])
      assert.equal((await admin.fetch(`/api/messages?${query}`)).status, 400, query)
  })

  test('unread messages are counted up to a thousand', async () => {
    await deleteMessages()
    const [id = ''] = await storeMessages(testApp, [{}, {}])
    assert.equal((await list({ limit: 1 })).unread, 2)
    await admin.call(messages.markRead, { id })
    assert.equal((await list({ formType: 'tracking' })).unread, 1)
    await storeMessages(testApp, Array(999).fill({}))
    assert.equal((await list({ limit: 1 })).unread, 1000)
    await storeMessages(testApp, Array(5).fill({}))
    assert.equal((await list({ limit: 1 })).unread, 1000)
  })
})
