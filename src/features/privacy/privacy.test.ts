import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { createStaff, signInAs } from '../../../tests/support/staff.ts'
import { openTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { until } from '../../../tests/support/until.ts'
import { days } from '../../clock.ts'
import { enquiries } from '../enquiry-form/contract.ts'
import { messages } from '../inbox/contract.ts'
import { erasePerson } from './erase.server.ts'
import { deleteExpiredData } from './retention.server.ts'

const ANA = 'ana.reyes@visitor.test'
const DAY = days(1)

async function send(testApp: TestApp, email: string, key?: string): Promise<string> {
  const body = { name: 'A visitor', email, phone: '+61 400 000 000', message: 'Something quite personal.' }
  const headers: Record<string, string> = key ? { 'idempotency-key': key } : {}
  const reply = await testApp.browser().send('POST', '/api/contact', body, headers)
  return (await reply.json()).reference
}

suite('Erasure of a person', async () => {
  const testApp = await openTestApp()
  const { db, flushLog } = testApp.services

  test('a person is erased from messages, emails, stored replies and the log, and nobody else is', async () => {
    const own = [
      await send(testApp, ANA, 'the-key-of-this-request'),
      await send(testApp, ANA.toUpperCase()),
      await send(testApp, 'Ana.Reyes@visitor.test'),
    ]
    const others = [
      await send(testApp, 'ana_reyes@visitor.test'),
      await send(testApp, `x${ANA}`),
      await send(testApp, 'bao@visitor.test', 'the-key-of-another'),
    ]
    const admin = await signInAs(testApp, (await createStaff(testApp, 'admin')).email)
    const { messages: list } = await admin.call(messages.list, {})
    const mine = list.filter(({ reference }) => own.includes(reference))
    await admin.call(messages.forward, { id: mine[0]?.id ?? '' })
    testApp.services.log('warning', 'EmailService', 'The provider complained', {
      error: `550 ${ANA.toUpperCase()} is unknown`,
    })
    await until(
      async () =>
        (await db.selectFrom('outbox').select('id').where('state', '=', 'waiting').execute()).length === 0,
    )
    await flushLog()

    const { when, ...record } = await erasePerson(testApp.services, ANA, 'ER-TEST-0001')
    assert.ok(Math.abs(Date.parse(when) - Date.now()) < 5000)
    assert.deepEqual(record, {
      reference: 'ER-TEST-0001',
      messages: 3,
      emails: 3,
      replies: 1,
      mentions: 0,
      // Received and sent of each, and the complaint.
      deletedEntries: 7,
      redactedEntries: 1,
      files: 0,
      isRewritten: true,
    })
    await flushLog()
    const left = JSON.stringify([
      await db.selectFrom('messages').selectAll().execute(),
      await db.selectFrom('outbox').selectAll().execute(),
      await db.selectFrom('idempotency_keys').selectAll().execute(),
      await db.selectFrom('logs').selectAll().execute(),
    ])
    for (const name of [...own, ...mine.map(({ id }) => id)]) assert.ok(!left.includes(name), name)
    assert.doesNotMatch(left, /"ana\.reyes@|[^x]ana\.reyes@visitor/i)
    for (const reference of others) assert.ok(left.includes(reference), reference)
    assert.match(left, /Message forwarded","details":"\{[^}]*\[erased\]/)
    assert.match(left, /Person erased on the server.*ER-TEST-0001/)

    const again = await erasePerson(testApp.services, ANA, 'ER-TEST-0002')
    const { reference: _r, when: _w, isRewritten: _i, ...counts } = again
    assert.deepEqual([...new Set(Object.values(counts))], [0])
  })

  test('a person is erased from the emails in the local mailbox', async () => {
    const submitter = await openTestApp({ smtpUrl: null })
    await send(submitter, ANA)
    await send(submitter, 'bao@visitor.test')
    const folder = join(submitter.services.config.dataDir, 'mail')
    await until(async () => (await readdir(folder).catch(() => [])).length === 2)
    assert.equal((await erasePerson(submitter.services, ANA, 'ER-TEST-0003')).files, 1)
    assert.equal((await readdir(folder)).length, 1)
  })
})

suite('Retention', async () => {
  const testApp = await openTestApp()
  const { db, settings, flushLog } = testApp.services

  async function references(): Promise<string[]> {
    const rows = await db.selectFrom('messages').select('reference').orderBy('id').execute()
    return rows.map(({ reference }) => reference)
  }

  async function loggedCounts(message: RegExp) {
    await flushLog()
    const rows = await db.selectFrom('logs').select(['message', 'details']).orderBy('id').execute()
    return rows.filter(row => message.test(row.message)).map(({ details }) => JSON.parse(details).count)
  }

  test('an enquiry is erased at the end of its retention period only if nobody has read it', async () => {
    await settings.write('retention_enquiries_months', '1')
    const read = await send(testApp, ANA)
    await db.updateTable('messages').set({ is_read: 1 }).execute()
    await send(testApp, ANA)
    await send(testApp, ANA)
    const answered = await send(testApp, ANA)
    await db
      .updateTable('messages')
      .set({ last_activity_at: testApp.services.clock().toISOString() })
      .where('reference', '=', answered)
      .execute()
    // A month has 31 days at most.
    testApp.wait(27 * DAY)
    await deleteExpiredData(testApp.services)
    assert.equal((await references()).length, 4)
    testApp.wait(5 * DAY)
    const young = await send(testApp, ANA)
    await deleteExpiredData(testApp.services)
    assert.deepEqual(await references(), [read, answered, young])
    await deleteExpiredData(testApp.services)
    assert.deepEqual(await loggedCounts(/Unread enquiries erased/), [2])
    assert.deepEqual(
      await db
        .selectFrom('outbox')
        .select('id')
        .execute()
        .then(rows => rows.length),
      3,
    )
  })

  test('months are calendar months, also from the last day of a longer month', async () => {
    await settings.write('retention_enquiries_months', '1')
    for (const [now, before] of [
      ['2027-03-31T10:00:00.000Z', '2027-02-28T10:00:00.000Z'],
      ['2027-01-15T10:00:00.000Z', '2026-12-15T10:00:00.000Z'],
    ] as const) {
      await db.deleteFrom('messages').execute()
      await send(testApp, ANA)
      await db.deleteFrom('outbox').execute()
      await db.updateTable('messages').set({ id: '00000000-0000-7000-8000-000000000001' }).execute()
      await deleteExpiredData({ ...testApp.services, clock: () => new Date(now) })
      const line = testApp.console.findLast(line => line.includes('Unread enquiries erased'))
      assert.equal(JSON.parse(line ?? '{}').before, before)
    }
  })

  test('log entries are deleted after their retention period, to the day', async () => {
    await settings.write('retention_logs_days', '40')
    testApp.services.log('info', 'API', 'Old by then')
    await flushLog()
    testApp.wait(40 * DAY - 60_000)
    await deleteExpiredData(testApp.services)
    assert.equal((await loggedCounts(/Old by then/)).length, 1)
    const before = (await loggedCounts(/Log entries deleted/)).length
    testApp.wait(120_000)
    await deleteExpiredData(testApp.services)
    assert.equal((await loggedCounts(/Old by then/)).length, 0)
    assert.equal((await loggedCounts(/Log entries deleted/)).length, before + 1)
  })

  test('the default retention period applies when a setting is invalid', async () => {
    await db.deleteFrom('messages').execute()
    await send(testApp, ANA)
    for (const odd of ['0', '-1', '', 'never', '1e9', '0.5']) {
      await settings.write('retention_enquiries_months', odd)
      await settings.write('retention_logs_days', odd)
      testApp.wait(DAY)
      await deleteExpiredData(testApp.services)
      assert.equal((await references()).length, 1, odd)
    }
    testApp.wait(84 * 31 * DAY)
    await deleteExpiredData(testApp.services)
    assert.deepEqual(await references(), [])
  })
})

suite('An interrupted erasure', async () => {
  const testApp = await openTestApp()

  test('nothing is erased when the database fails halfway or the work is interrupted', async () => {
    const { db } = testApp.services
    await testApp.browser().call(enquiries.contact, {
      name: 'Ana',
      email: ANA,
      phone: '+61 400 000 000',
      message: 'Something quite personal.',
    })
    const log = Object.assign(() => {}, {
      within: async () => {
        throw new Error('the disk is full')
      },
    })
    await assert.rejects(erasePerson({ ...testApp.services, log }, ANA, 'ER-TEST-0004'), /disk is full/)
    const giveUp = () => {
      throw new Error('given up')
    }
    await assert.rejects(erasePerson(testApp.services, ANA, 'ER-TEST-0005', giveUp), /given up/)
    assert.equal((await db.selectFrom('messages').select('id').execute()).length, 1)
  })
})
