import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { signInToInbox, storeMessage } from '../../../../tests/support/conversation.ts'
import { readMessages, storeMessages } from '../../../../tests/support/messages.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { days, isoAfter, minutes } from '../../../platform/clock.ts'
import { dashboard } from '../../dashboard/contract.ts'
import { deleteExpiredData } from '../../privacy/retention.server.ts'
import { messages } from '../contract.ts'
import { findSamePerson } from '../merging/merge.server.ts'
import { notices } from '../notices/contract.ts'
import { scheduledReplies } from '../replies/contract.ts'

suite('List of conversations', async () => {
  const testApp = await openTestApp()
  const { db, clock } = testApp.services
  const ana = await signInToInbox(testApp, 'admin')
  const list = async (filter: object) => (await readMessages(ana.browser, filter)).ids
  const clear = async () => await db.deleteFrom('messages').execute()

  test('messages can be filtered by status, assignee, tag and snooze', async () => {
    await clear()
    const [fresh = '', waiting = '', closed = '', spam = ''] = await storeMessages(testApp, Array(4).fill({}))
    await ana.change(waiting, { status: 'waiting', assignee: 'me', tags: ['vip'] })
    await ana.change(closed, { status: 'closed', tags: ['vip'] })
    await ana.change(spam, { status: 'spam', tags: ['vip'] })
    await ana.change(fresh, { snoozedUntil: isoAfter(clock, minutes(5)) })
    await ana.browser.call(notices.follow, { id: closed })
    const later = { id: waiting, body: 'Later', lastSeq: 0, sendsAt: isoAfter(clock, minutes(9)) }
    await ana.browser.call(scheduledReplies.schedule, later)
    assert.deepEqual(await list({}), [fresh, waiting, closed], 'everything but spam')
    for (const [filter, expected] of [
      [{ status: 'open' }, [fresh]],
      [{ status: 'waiting' }, [waiting]],
      [{ status: 'closed' }, [closed]],
      [{ status: 'spam' }, [spam]],
      [{ assignee: 'me' }, [waiting]],
      [{ assignee: ana.id }, [waiting]],
      [{ assignee: 'none' }, [fresh, closed]],
      [{ tag: 'vip' }, [waiting, closed]],
      [{ tag: 'vip', status: 'spam' }, [spam]],
      [{ tag: 'vi' }, []],
      [{ snoozed: 'true' }, [fresh]],
      [{ following: 'true' }, [closed]],
      [{ scheduled: 'true' }, [waiting]],
      [{ overdue: 'true' }, []],
    ] as const)
      assert.deepEqual(await list(filter), expected, JSON.stringify(filter))
    testApp.wait(minutes(6))
    assert.deepEqual(await list({ snoozed: 'true' }), [], 'a snooze ends by itself')
  })

  test('an open message is overdue after its time, unless it waits or is snoozed', async () => {
    await clear()
    const ids = await storeMessages(testApp, Array(4).fill({}))
    const [late = '', later = '', waiting = '', snoozed = ''] = ids
    await db
      .updateTable('messages')
      .set({ due_at: isoAfter(clock, -1) })
      .execute()
    await db
      .updateTable('messages')
      .set({ due_at: isoAfter(clock, minutes(1)) })
      .where('id', '=', later)
      .execute()
    await ana.change(waiting, { status: 'waiting' })
    await ana.change(snoozed, { snoozedUntil: isoAfter(clock, minutes(9)) })
    assert.deepEqual(await list({ overdue: 'true' }), [late])
    testApp.wait(minutes(2))
    assert.deepEqual(await list({ overdue: 'true' }), [late, later])
  })

  test('the list by activity has what was said last first, in pages without a gap or a repeat', async () => {
    await clear()
    const ids = await storeMessages(testApp, Array(7).fill({}))
    testApp.wait(10)
    for (const at of [4, 2, 5]) {
      await ana.note(ids[at] ?? '', 'Said')
      testApp.wait(10)
    }
    const expected = [5, 2, 4, 0, 1, 3, 6].map(at => ids[at])
    for (const limit of [1, 2, 3, 6, 7, 8]) {
      const read = await readMessages(ana.browser, { order: 'activity' } as object, limit)
      assert.deepEqual(read.ids, expected, `${limit} per page`)
    }
    const { newer, older } = await ana.open(ids[2] ?? '', { order: 'activity' })
    assert.deepEqual([newer, older], [ids[5], ids[4]])
    const wrong = await ana.browser.fetch(`/api/messages?order=activity&cursor=${ids[0]}`)
    assert.equal(wrong.status, 400)
    const { nextCursor } = await ana.browser.call(messages.list, { order: 'activity', limit: 1 })
    assert.match(nextCursor ?? '', /^\d{4}-.*Z_/)
  })

  test('spam counts nowhere as unread, and is back when it is no spam', async () => {
    await clear()
    const id = await storeMessage(testApp, { verification: 'suspect:0.1' })
    const figures = async () => {
      const { unread } = await ana.browser.call(messages.list, {})
      const { attention, newest, enquiries } = await ana.browser.call(dashboard.read, {})
      const today = enquiries?.days.at(-1)?.counts.contact
      return [unread, attention?.unread, attention?.suspect, newest?.length, today]
    }
    assert.deepEqual(await figures(), [1, 1, 1, 1, 1])
    await ana.change(id, { status: 'spam' })
    assert.deepEqual(await figures(), [0, 0, 0, 0, 0])
    await ana.change(id, { status: 'open' })
    assert.deepEqual(await figures(), [1, 1, 1, 1, 1])
  })

  test('an open message names the other messages of the same address or number', async () => {
    await clear()
    const person = { email: 'Mai@Visitor.test', phone: '+61 (0)412 345 678' }
    const others = { email: 'other@visitor.test', phone: '0499 999 999' }
    const [id = '', byEmail = '', byPhone = '', , , short = ''] = await storeMessages(testApp, [
      person,
      { ...others, email: 'mai@visitor.TEST' },
      { ...others, phone: '0412-345-678' },
      others,
      { ...others, phone: 'none of yours' },
      { ...others, phone: '345678' },
      { ...others, email: 'short@visitor.test', phone: '345 678' },
    ])
    const { samePerson } = await ana.open(id)
    assert.deepEqual(
      samePerson.map(it => it.id),
      [byEmail, byPhone],
    )
    assert.deepEqual(Object.keys(samePerson[0] ?? {}).sort(), [
      ...['createdAt', 'email', 'excerpt', 'formType', 'id', 'isSameAddress', 'name', 'reference', 'status'],
    ])
    const related = (await ana.open(short)).samePerson.map(it => it.id)
    assert.ok(!related.includes(id), 'a few digits are no number')
    await storeMessages(testApp, Array(30).fill({ email: 'mai@visitor.test', phone: others.phone }))
    assert.equal((await ana.open(id)).samePerson.length, 20)
  })

  test('of the other messages of a person, no more is read than a list shows (found I2)', async () => {
    await clear()
    const email = 'mai@visitor.test'
    const message = 'Of many words. '.repeat(600)
    const [id = ''] = await storeMessages(testApp, Array(45).fill({ email, phone: '0412 345 678', message }))
    let characters = 0
    const reader = db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        characters += JSON.stringify(result.rows).length
        return result
      },
    })
    const listed = await findSamePerson(reader, { id, email, phone: '0412 345 678' })
    assert.equal(listed.length, 20)
    assert.ok(characters < 4 * JSON.stringify(listed).length, `${characters} characters were read`)
  })

  test('a query of another form gets 400', async () => {
    const malformed = ['status=lost', 'assignee=x', 'tag=', 'overdue=1', 'snoozed=false', 'order=name']
    for (const query of [...malformed, 'cursor=2026-01-01', `cursor=x_${ana.id}`])
      assert.equal((await ana.browser.fetch(`/api/messages?${query}`)).status, 400, query)
  })

  test('spam is erased thirty days after it was marked, read or not, and nothing else is', async () => {
    await clear()
    const ids = await storeMessages(testApp, Array(5).fill({ created_at: isoAfter(clock, -days(100)) }))
    const [read = '', unread = '', recent = '', back = '', closed = ''] = ids
    for (const id of [read, unread, recent, back]) await ana.change(id, { status: 'spam' })
    await ana.change(read, { isRead: true })
    await ana.change(back, { status: 'open' })
    await ana.change(closed, { status: 'closed' })
    const since = async (time: number, id: string) =>
      await db
        .updateTable('messages')
        .set({ status_since: isoAfter(clock, -time) })
        .where('id', '=', id)
        .execute()
    for (const id of [read, unread, back, closed]) await since(days(30) + minutes(1), id)
    await since(days(30) - minutes(1), recent)
    await deleteExpiredData(testApp.services)
    assert.deepEqual(await list({ status: 'spam' }), [recent])
    assert.deepEqual(await list({}), [back, closed])
  })
})
