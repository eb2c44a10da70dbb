import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { days, hours } from '../../platform/clock.ts'
import { enquiries } from '../enquiry-form/contract.ts'
import { deleteExpiredData } from './retention.server.ts'

const DAY = days(1)

suite('Retention', async () => {
  const testApp = await openTestApp()
  const { db, settings, flushLog } = testApp.services

  /** @returns the reference of a new enquiry */
  async function send(): Promise<string> {
    const contact = { email: 'ana.reyes@visitor.test', phone: '+61 400 000 000' }
    const enquiry = { name: 'A visitor', ...contact, message: 'Something quite personal.' }
    return (await testApp.browser().call(enquiries.contact, enquiry)).reference
  }

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
    const read = await send()
    await db.updateTable('messages').set({ is_read: 1 }).execute()
    await send()
    await send()
    const answered = await send()
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
    const young = await send()
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
      await db.deleteFrom('settings').where('key', '=', 'retention_erased_before').execute()
      await db.deleteFrom('messages').execute()
      await send()
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

  test('a period that was changed deletes nothing for a day, by a clock that was wrong either, and writing it again does not add to that (H1)', async () => {
    await db.deleteFrom('settings').execute()
    await db.deleteFrom('messages').execute()
    const [old, oldLog] = [await send(), 'Older than a month']
    testApp.services.log('info', 'API', oldLog)
    await flushLog()
    testApp.wait(33 * DAY)
    const isThere = async () => [
      (await references()).includes(old),
      (await loggedCounts(new RegExp(oldLog))).length === 1,
    ]
    await settings.write('retention_enquiries_months', '1')
    await deleteExpiredData(testApp.services)
    assert.deepEqual(await isThere(), [true, true])
    testApp.wait(hours(23))
    await settings.write('retention_enquiries_months', '1')
    await settings.write('retention_logs_days', '30')
    testApp.wait(hours(2))
    await deleteExpiredData(testApp.services)
    assert.deepEqual(await isThere(), [true, true], 'the second change waits a day of its own')
    await settings.write('retention_logs_days', '30')
    const ahead = '2999-01-01T00:00:00.000Z'
    await db
      .updateTable('settings')
      .set({ updated_at: ahead })
      .where('key', '=', 'retention_enquiries_months')
      .execute()
    await deleteExpiredData(testApp.services)
    testApp.wait(DAY - 1000)
    await settings.write('retention_enquiries_months', '1')
    await deleteExpiredData(testApp.services)
    assert.deepEqual(await isThere(), [true, true], 'a change by a clock that was ahead waits a day from now')
    testApp.wait(2000)
    await deleteExpiredData(testApp.services)
    assert.deepEqual(await isThere(), [false, false])
  })

  test('the default retention period applies when a setting is invalid', async () => {
    await db.deleteFrom('messages').execute()
    await send()
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
