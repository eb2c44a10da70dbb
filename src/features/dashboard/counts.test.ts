import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { storeMessages } from '../../../tests/support/messages.ts'
import { createStaff, signInAs } from '../../../tests/support/staff.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { newId } from '../../database/id.ts'
import { days as daysLong, hours, minutes } from '../../platform/clock.ts'
import { messages } from '../inbox/contract.ts'
import { conversation } from '../inbox/conversation/contract.ts'
import { DAYS_SHOWN, dashboard, figures } from './contract.ts'
import { lastDays } from './store.server.ts'

suite('Counts of the dashboard', async () => {
  const testApp = await openTestApp()
  const { db, clock } = testApp.services
  const admin = await signInAs(testApp, (await createStaff(testApp, 'admin')).email)

  async function read() {
    const { attention, enquiries } = await admin.call(dashboard.read, {})
    assert.ok(attention && enquiries)
    return { attention, enquiries }
  }
  const deleteMessages = async () => await db.deleteFrom('messages').execute()

  test('each figure of the dashboard equals the length of the list that it links to', async () => {
    await deleteMessages()
    const unverified = 'unverified:script_failed'
    const ids = await storeMessages(testApp, [
      { verification: unverified, form_type: 'tracking' },
      { verification: unverified, is_read: 1 },
      { verification: 'suspect:0.2' },
      { verification: 'verified', form_type: 'visa-assessment' },
      {},
      { is_read: 1 },
    ])
    const digest = newId(clock())
    await failEmail(digest, 'digest')
    await failEmail(newId(clock()), 'notice', { messageId: ids[5] ?? '' })
    // About accounts: the first two are recent enough to be counted, the third is not.
    await failEmail(newId(clock()), 'account')
    await failEmail(newId(clock()), 'account', { ago: daysLong(7) - minutes(1) })
    await failEmail(newId(clock()), 'account', { ago: daysLong(7) + minutes(1) })
    for (const id of ids.slice(0, 2))
      await db
        .insertInto('digest_items')
        .values({ message_id: id, email_id: digest, created_at: clock().toISOString() })
        .execute()
    const { attention } = await read()
    assert.deepEqual(attention, {
      unread: 4,
      unverified: 1,
      suspect: 1,
      failedEmails: 3,
      failedAccountEmails: 2,
      isMailKeptHere: false,
      erasures: { count: 0, firstId: null },
      fileSpace: null,
    })
    for (const [count, filter] of [
      [attention.unread, { isRead: 'false' }],
      [attention.unverified, { isRead: 'false', verification: 'unverified' }],
      [attention.suspect, { isRead: 'false', verification: 'suspect' }],
      [attention.failedEmails, { letter: 'failed' }],
    ] as const) {
      const { messages: listed } = await admin.call(messages.list, filter)
      assert.equal(listed.length, count, JSON.stringify(filter))
    }
  })

  test('each figure about answers equals the length of the list that it links to', async () => {
    await deleteMessages()
    const now = clock().getTime()
    const before = (ago: number) => new Date(now - ago).toISOString()
    const ages = [0, minutes(1), daysLong(1) + minutes(1), daysLong(4), daysLong(7), daysLong(12)]
    const ids = await storeMessages(
      testApp,
      ages.map(age => ({ created_at: before(age), due_at: before(-hours(1)) })),
    )
    const [first = '', second = '', third = ''] = ids
    await admin.call(conversation.addCall, { id: first, body: 'Called back' })
    await admin.call(conversation.reply, { id: second, body: 'Yes', lastSeq: 0, status: 'waiting' })
    await admin.call(conversation.reply, { id: second, body: 'And no', lastSeq: 9 })
    await db
      .updateTable('messages')
      .set({ due_at: before(minutes(5)) })
      .where('id', 'in', [second, third])
      .execute()
    const { overdue, weeks, ages: groups, answers } = await admin.call(figures.read, {})
    assert.deepEqual(
      groups.map(({ count }) => count),
      [1, 1, 1, 1, 1],
    )
    const [person] = answers.people
    assert.deepEqual([answers.people.length, person?.count, person?.name], [1, 2, 'Robin the admin'])
    assert.deepEqual(
      [overdue.count, overdue.messages[0]?.id, overdue.messages[0]?.assignee],
      [1, third, null],
    )
    for (const [count, filter] of [
      [overdue.count, { overdue: 'true' }],
      [person?.count, { answeredBy: person?.id, answeredSince: answers.since }],
      [0, { answeredBy: person?.id, answeredSince: before(-minutes(1)) }],
      ...weeks.map(({ monday, count }) => [count, { firstReplyWeek: monday }] as const),
      ...groups.map(({ received, count }) => [count, { status: 'open', received }] as const),
    ] as const) {
      const { messages: listed } = await admin.call(messages.list, filter)
      assert.equal(listed.length, count, JSON.stringify(filter))
    }
    assert.equal(
      weeks.reduce((sum, { count }) => sum + count, 0),
      2,
    )
  })

  test('the dashboard counts up to a thousand', async () => {
    await deleteMessages()
    await storeMessages(
      testApp,
      Array.from({ length: 1001 }, (_, at) => ({ form_type: at % 2 ? 'contact' : 'tracking' })),
    )
    assert.equal((await read()).attention.unread, 1000)
  })

  test('the dashboard counts the enquiries of each of the last thirty days by type', async () => {
    await deleteMessages()
    const now = clock()
    const at = (ago: number) => new Date(now.getTime() - ago)
    const { timeZone, days: empty } = (await read()).enquiries
    const shown = lastDays(now, DAYS_SHOWN, timeZone)
    const first = Date.parse(shown[0]?.since ?? '')
    for (const [time, form_type] of [
      [now, 'contact'],
      [now, 'contact'],
      [now, 'tracking'],
      [at(daysLong(10)), 'visa-assessment'],
      [new Date(first), 'auth'],
      [new Date(first - 1), 'contact'],
    ] as const)
      await storeMessages(testApp, [{ form_type, created_at: time.toISOString() }])
    const none = { contact: 0, tracking: 0, 'visa-assessment': 0, email: 0, auth: 0 }
    assert.deepEqual(
      empty,
      shown.map(({ date, since, until }) => ({ date, received: `${since}/${until}`, counts: none })),
    )
    const { days } = (await read()).enquiries
    assert.equal(days.length, DAYS_SHOWN)
    assert.deepEqual(days.at(-1)?.counts, { ...none, contact: 2, tracking: 1 })
    assert.deepEqual(days[0]?.counts, { ...none, auth: 1 })
    const all = days.flatMap(({ counts }) => Object.values(counts)).reduce((sum, count) => sum + count, 0)
    assert.equal(all, 5, 'an enquiry before the first midnight is not counted')
    const { messages: today } = await admin.call(messages.list, { received: days.at(-1)?.received })
    assert.equal(today.length, 3)
  })

  async function failEmail(
    id: string,
    kind: 'notice' | 'digest' | 'account',
    { messageId = null, ago = 0 }: { messageId?: string | null; ago?: number } = {},
  ) {
    const now = new Date(clock().getTime() - ago).toISOString()
    const row = { id, kind, email: '{}', state: 'failed', attempts: 9, due_at: now, created_at: now } as const
    await db
      .insertInto('outbox')
      .values({ ...row, message_id: messageId, leased_until: null, last_error: 'refused', sent_at: null })
      .execute()
  }
})
