import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { storeMessages } from '../../tests/support/messages.ts'
import { openSite } from '../../tests/support/site.ts'
import { createStaff } from '../../tests/support/staff.ts'
import { openTestApp } from '../../tests/support/test-app.ts'
import { until } from '../../tests/support/until.ts'
import { createSession } from '../auth/session.ts'
import { days } from '../platform/clock.ts'
import { startPeriodicJob } from './periodic-job.ts'

suite('Periodic job', () => {
  test('a job starts immediately, repeats, never overlaps itself, and ends early when it is stopped', async () => {
    let [begun, inFlight] = [0, 0]
    const counts: number[] = []
    const rounds = startPeriodicJob(5, async isStopped => {
      begun++
      counts.push(++inFlight)
      await pause(20)
      if (begun === 2) await until(isStopped)
      inFlight--
    })
    assert.equal(begun, 1)
    await until(() => begun === 2)
    await rounds.stop()
    await pause(30)
    assert.deepEqual({ begun, inFlight, counts }, { begun: 2, inFlight: 0, counts: [1, 1] })
  })
})

suite('Jobs of a new process', async () => {
  const testApp = await openTestApp()
  const { db } = testApp.services

  test('a new process runs each job immediately', async () => {
    const longAgo = new Date(Date.now() - days(3000)).toISOString()
    await storeMessages(testApp, [{ created_at: longAgo, id: '00a00000-0000-7000-8000-000000000000' }])
    const { id } = await createStaff(testApp, 'viewer')
    await createSession(db, () => new Date(Date.now() - days(100)), id, 'old')
    const yesterday = new Date(Date.now() - days(1)).toISOString()
    await db
      .insertInto('settings')
      .values({ key: 'retention_last_run', value: yesterday, updated_at: yesterday })
      .execute()
    await openSite(testApp)
    await until(async () => (await db.selectFrom('messages').select('id').execute()).length === 0)
    await until(async () => (await db.selectFrom('sessions').select('token_hash').execute()).length === 0)
  })
})
