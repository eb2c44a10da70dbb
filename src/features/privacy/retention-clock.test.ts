import assert from 'node:assert/strict'
import { beforeEach, suite, test } from 'node:test'
import { storeMessages } from '../../../tests/support/messages.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { firstIdAt } from '../../database/id.ts'
import { days, hours, minutes } from '../../platform/clock.ts'
import { createRetention } from './retention-clock.server.ts'

const NOW = Date.parse('2027-03-01T00:00:00.000Z')
const skip = !process.env.TEST_DATABASE_URL && 'SQLite has no clock of its own'

/** Of an enquiry that came 84 months and a half day before the second run. */
const OLD_SINCE = firstIdAt(new Date('2020-03-02T12:00:00.000Z'))

suite('Retention when the clock may be wrong', async () => {
  const testApp = await openTestApp()
  const { services } = testApp
  const { db, flushLog } = services

  let [now, uptime] = [NOW, 0]
  const clock = () => new Date(now)
  const start = () =>
    createRetention({ ...services, clock }, { uptime: () => uptime, readDatabaseTime: async () => null })
  const pass = (milliseconds: number) => {
    now += milliseconds
    uptime += milliseconds
  }

  const old = { created_at: '2018-01-01T00:00:00.000Z', id: '00a00000-0000-7000-8000-000000000000' }

  /** Unread, and older than eight years, as if no run had come to it yet. */
  async function storeOldEnquiry() {
    await db.deleteFrom('settings').where('key', '=', 'retention_erased_before').execute()
    await db.deleteFrom('messages').execute()
    await storeMessages(testApp, [old])
  }

  async function setLastRun(time: number) {
    const value = new Date(time).toISOString()
    await db.deleteFrom('settings').where('key', '=', 'retention_last_run').execute()
    await db.insertInto('settings').values({ key: 'retention_last_run', value, updated_at: value }).execute()
  }

  const isKept = async () => (await db.selectFrom('messages').select('id').execute()).length === 1

  async function warnings() {
    await flushLog()
    const rows = await db
      .selectFrom('logs')
      .select('details')
      .where('message', 'like', 'Nothing is%')
      .execute()
    return rows.map(({ details }) => JSON.parse(details).reason)
  }

  beforeEach(async () => {
    now = NOW
    await storeOldEnquiry()
    await flushLog()
    await db.deleteFrom('logs').execute()
    await db.deleteFrom('settings').where('key', '=', 'retention_last_run').execute()
  })

  test('an enquiry that came while the clock was behind is kept when the clock is right again', async () => {
    const run = start()
    await db.deleteFrom('messages').execute()
    await run()
    pass(days(1))
    await storeMessages(testApp, [old])
    await run()
    assert.ok(await isKept())
    // What has grown old since the last run goes, whatever came by a wrong clock before it.
    await db.deleteFrom('messages').execute()
    await storeMessages(testApp, [{ created_at: '2020-03-01T12:00:00.000Z', id: OLD_SINCE }])
    pass(days(1))
    await run()
    assert.ok(!(await isKept()))
  })

  test('retention runs at a start within a week of its last run, and then once a day', async () => {
    await setLastRun(NOW - days(6))
    const run = start()
    await run()
    assert.ok(!(await isKept()))
    await storeOldEnquiry()
    pass(hours(1))
    await run()
    assert.ok(await isKept())
    pass(hours(23))
    await run()
    assert.ok(!(await isKept()))
    assert.deepEqual(await warnings(), [])
  })

  test('retention deletes nothing for a day when the clock is more than a week after the last run, and warns once', async () => {
    await setLastRun(NOW - days(31))
    for (let starts = 0; starts < 3; starts++) await start()()
    const run = start()
    for (let passed = 0; passed < 24; passed++) {
      await run()
      assert.ok(await isKept())
      pass(hours(1))
    }
    const reasons = await warnings()
    assert.equal(reasons.length, 4)
    assert.match(reasons[0], /long ago, at 2027-01-29/)
    await run()
    assert.ok(!(await isKept()))
  })

  test('retention deletes nothing when the clock is before the last run', async () => {
    await setLastRun(NOW + days(3))
    await start()()
    assert.ok(await isKept())
    assert.match((await warnings())[0], /was later, at 2027-03-04/)
    await setLastRun(NOW + minutes(1))
    await start()()
    assert.ok(!(await isKept()))
  })

  test('a clock that jumps again while it is watched is watched for another day', async () => {
    await setLastRun(NOW - days(31))
    const run = start()
    pass(hours(23))
    await run()
    now += days(400)
    pass(hours(1))
    await run()
    assert.ok(await isKept())
    pass(hours(24))
    await run()
    assert.ok(!(await isKept()))
  })

  test('retention deletes nothing for a day when enquiries are stored and no run is known', async () => {
    const run = start()
    await run()
    assert.ok(await isKept())
    assert.match((await warnings())[0], /not known/)
    pass(days(1))
    await run()
    assert.ok(!(await isKept()))
  })

  test('a new installation has nothing to wait for', async () => {
    await db.deleteFrom('messages').execute()
    await start()()
    await storeOldEnquiry()
    await start()()
    assert.ok(!(await isKept()))
    assert.deepEqual(await warnings(), [])
  })

  test('retention deletes nothing while the clock is more than five minutes from that of PostgreSQL', {
    skip,
  }, async () => {
    await setLastRun(Date.now())
    const ahead = () => new Date(Date.now() + minutes(6))
    await createRetention({ ...services, clock: ahead })()
    assert.ok(await isKept())
    assert.match((await warnings())[0], /clock of the database/)
    await createRetention({ ...services, clock: () => new Date() })()
    assert.ok(!(await isKept()))
  })
})
