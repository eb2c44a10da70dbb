import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { signInAs } from '../../../tests/support/staff.ts'
import { openSystemLog } from '../../../tests/support/system-log.ts'
import { days, hours, minutes } from '../../platform/clock.ts'
import { logs } from './contract.ts'

suite('Old entries of the log', async () => {
  const { testApp, adminId, email, admin, forget, readAll, read } = await openSystemLog()
  const { db, log, flushLog } = testApp.services

  test('an admin who deletes old entries deletes only those older than thirty days (K5)', async () => {
    await forget()
    log('info', 'API', 'just old enough')
    await flushLog()
    testApp.wait(minutes(2))
    log('info', 'API', 'just too young')
    await flushLog()
    // The clock goes on by itself as well; a minute each way is more than a busy machine takes for this.
    testApp.wait(days(30) - minutes(1))
    await signInAs(testApp, email, admin)
    await flushLog()
    await db.deleteFrom('logs').where('source', '!=', 'API').execute()
    const before = await read({ source: 'API' })
    assert.equal(before.logs.length, 2)
    for (const body of [{ days: 0 }, { olderThan: '2999-01-01' }])
      assert.equal((await admin.send('DELETE', '/api/logs', body)).status, 400)
    const reply = await admin.send('DELETE', '/api/logs?days=0')
    assert.deepEqual(await reply.json(), { success: true, count: 1 })
    const left = (await read({ source: 'API' })).logs
    assert.deepEqual(
      left.map(({ message }) => message),
      ['Old log entries deleted', 'just too young'],
    )
    assert.equal(left[0]?.userId, adminId)
    assert.equal(left[0]?.details.count, 1)
    assert.ok(testApp.console.some(line => line.includes('Old log entries deleted')))
  })

  test('old entries are deleted a thousand at a time, so that a visitor does not wait for all', async () => {
    await forget()
    for (let round = 0; round < 3; round++) {
      for (let count = 0; count < 835; count++) log('info', 'API', 'old')
      await flushLog()
    }
    testApp.wait(days(30) + hours(1))
    await signInAs(testApp, email, admin)
    const deleting = admin.call(logs.deleteOld, {})
    let turns = 0
    let isDone = false
    deleting.finally(() => {
      isDone = true
    })
    while (!isDone) {
      await db.updateTable('settings').set({ value: '' }).where('key', '=', 'nothing').execute()
      if (!isDone) turns++
      await new Promise(resolve => setImmediate(resolve))
    }
    assert.equal((await deleting).count, 2505)
    assert.ok(turns >= 2, `somebody else wrote ${turns} times meanwhile`)
    assert.deepEqual(await readAll({ source: 'API' }), ['Old log entries deleted'])
  })
})
