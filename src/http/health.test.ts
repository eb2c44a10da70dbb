import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { openTestApp } from '../../tests/support/test-app.ts'

suite('Health calls', async () => {
  const testApp = await openTestApp()

  test('the health calls report that the process runs and the database is ready', async () => {
    for (const path of ['/healthz', '/readyz']) {
      const reply = await testApp.browser().fetch(path)
      assert.deepEqual([reply.status, await reply.json()], [200, { success: true }])
    }
  })
})
