import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { addPage } from '../../../tests/support/content.ts'
import { storeMessages } from '../../../tests/support/messages.ts'
import { createStaff, signInAs } from '../../../tests/support/staff.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { days as daysLong, hours, isoAfter, minutes } from '../../clock.ts'
import { newId } from '../../database/id.ts'
import { reviews } from '../content-editor/contract-reviews.ts'
import { messages } from '../inbox/contract.ts'
import { conversation } from '../inbox/conversation-contract.ts'
import { DAYS_SHOWN, dashboard, EXCERPT_LENGTH } from './contract.ts'
import { figures } from './contract-figures.ts'
import { lastDays } from './days.server.ts'

suite('Dashboard', async () => {
  const testApp = await openTestApp()
  const { db, clock } = testApp.services
  const admin = await signInAs(testApp, (await createStaff(testApp, 'admin')).email)

  async function read() {
    const { attention, enquiries } = await admin.call(dashboard.read, {})
    assert.ok(attention && enquiries)
    return { attention, enquiries }
  }
  const deleteMessages = async () => await db.deleteFrom('messages').execute()

  test('the dashboard shows figures to admins only', async () => {
    for (const role of ['editor', 'viewer'] as const) {
      const browser = await signInAs(testApp, (await createStaff(testApp, role)).email)
      const { attention, newest, enquiries } = await browser.call(dashboard.read, {})
      assert.deepEqual([attention, newest, enquiries], [null, null, null])
    }
    assert.equal((await testApp.browser().fetch('/api/dashboard')).status, 401)
  })

  test('the dashboard lists the reviews that wait for the reader, and what goes live next', async () => {
    const author = await signInAs(testApp, (await createStaff(testApp, 'editor')).email)
    const viewer = await signInAs(testApp, (await createStaff(testApp, 'viewer')).email)
    const tasksOf = async (who: typeof admin) => {
      const { content: tasks } = await who.call(dashboard.read, {})
      assert.ok(tasks)
      const ids = tasks.scheduled.map(({ id, liveFrom }) => [id, liveFrom])
      return { waiting: tasks.reviews.map(({ id }) => id), count: tasks.reviewCount, scheduled: ids }
    }
    const nothing = { waiting: [], count: 0, scheduled: [] }
    assert.deepEqual(await tasksOf(admin), nothing)
    await testApp.services.settings.write('content_needs_review', 'true')
    const { id, revision } = await addPage(author)
    const liveFrom = isoAfter(clock, minutes(30))
    const { review } = await author.call(reviews.ask, { id, revision, liveFrom })
    assert.deepEqual(await tasksOf(admin), { waiting: [id], count: 1, scheduled: [] })
    for (const who of [author, viewer]) assert.deepEqual(await tasksOf(who), nothing)
    await admin.call(reviews.approve, { id, number: review.number })
    for (const who of [admin, author, viewer])
      assert.deepEqual(await tasksOf(who), { ...nothing, scheduled: [[id, liveFrom]] })
    await author.send('DELETE', `/api/content/${id}`)
    assert.deepEqual(await tasksOf(admin), nothing)
    await testApp.services.settings.write('content_needs_review', 'false')
  })

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

  test('the dashboard lists the five newest unread messages, with the beginning of what was written', async () => {
    await deleteMessages()
    const ids = await storeMessages(testApp, [
      {},
      { name: 'Mai Nguyen', form_type: 'tracking', message: `Two\n\n lines  ${'and 😀'.repeat(60)}` },
      { is_read: 1 },
      { message: 'x'.repeat(160) },
      { message: `${'😀'.repeat(160)}y` },
      {},
      {},
    ])
    const { newest } = await admin.call(dashboard.read, {})
    assert.deepEqual(
      newest?.map(({ id }) => id),
      [0, 1, 3, 4, 5].map(at => ids[at]),
    )
    const [, long, exact, emoji] = newest ?? []
    assert.equal(exact?.excerpt, 'x'.repeat(160))
    assert.equal(emoji?.excerpt, `${'😀'.repeat(159)}…`)
    assert.deepEqual([long?.name, long?.formType], ['Mai Nguyen', 'tracking'])
    assert.match(long?.excerpt ?? '', /^Two lines and 😀and .*…$/u)
    assert.equal([...(long?.excerpt ?? '')].length, EXCERPT_LENGTH)
    const viewer = await signInAs(testApp, (await createStaff(testApp, 'viewer', undefined, 'read')).email)
    assert.equal((await viewer.call(dashboard.read, {})).newest?.length, 5)
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
    const none = { contact: 0, tracking: 0, 'visa-assessment': 0, auth: 0 }
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

suite('Calendar days of the office', () => {
  const lengthOf = ({ since, until }: { since: string; until: string }) =>
    (Date.parse(until) - Date.parse(since)) / hours(1)

  test('a day starts at midnight in the office’s time zone, wherever the server is', () => {
    const evening = new Date('2026-11-20T13:30:00Z')
    const [yesterday, today] = lastDays(evening, 2, 'Australia/Sydney')
    assert.deepEqual(today, {
      date: '2026-11-21',
      since: '2026-11-20T13:00:00.000Z',
      until: '2026-11-21T13:00:00.000Z',
    })
    assert.equal(yesterday?.until, today?.since)
    assert.equal(lastDays(evening, 1, 'Australia/Perth')[0]?.date, '2026-11-20')
    assert.equal(lastDays(evening, 1, 'Australia/Adelaide')[0]?.since, '2026-11-20T13:30:00.000Z')
  })

  test('a day has 23 hours when daylight saving starts and 25 when it ends', () => {
    const spring = lastDays(new Date('2026-10-05T00:00:00Z'), 3, 'Australia/Sydney')
    assert.deepEqual(spring.map(lengthOf), [24, 23, 24])
    const autumn = lastDays(new Date('2026-04-06T00:00:00Z'), 3, 'Australia/Sydney')
    assert.deepEqual(autumn.map(lengthOf), [24, 25, 24])
  })

  test('each day of a year starts when the day before it ends', () => {
    for (const zone of ['Australia/Sydney', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'America/St_Johns']) {
      const year = lastDays(new Date('2026-12-31T12:00:00Z'), 365, zone)
      assert.equal(new Set(year.map(({ date }) => date)).size, 365, zone)
      for (const [at, day] of year.entries())
        assert.equal(day.until, year[at + 1]?.since ?? day.until, `${zone} ${day.date}`)
    }
  })
})
