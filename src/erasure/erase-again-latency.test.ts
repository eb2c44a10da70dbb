import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { stopwatch } from '../../tests/support/processor-time.ts'
import { openTestApp } from '../../tests/support/test-app.ts'
import { eraseAgain } from './erase-again.ts'

suite('A restore with long log entries', async () => {
  const { services } = await openTestApp()

  test('log entries of one long word each are searched in linear time (H2)', async () => {
    for (let count = 0; count < 60; count++)
      services.log('info', 'API', 'A long word', { word: 'a'.repeat(16_000) })
    await services.flushLog()
    const watch = stopwatch()
    await eraseAgain(services.db, { since: [], keys: services.keys.erased, isForced: false })
    const time = watch.passedAtRest()
    assert.ok(time < 2000, `${time} ms`)
  })
})
