import assert from 'node:assert/strict'
import { mock, suite, test } from 'node:test'
import { createStaff, signInAs } from '../../tests/support/staff.ts'
import { openTestApp } from '../../tests/support/test-app.ts'
import { createTokenClient, startProgram } from '../../tests/support/token-client.ts'
import { until } from '../../tests/support/until.ts'
import { serveApi } from '../api.ts'
import { inTransaction } from '../database/transaction.ts'
import { minutes, seconds } from '../platform/clock.ts'
import { openServices } from '../services.ts'

suite('Recorded use of an API token', async () => {
  const testApp = await openTestApp()
  const { db, clock } = testApp.services
  const owner = await createStaff(testApp, 'admin')
  const admin = await signInAs(testApp, owner.email)

  const start = async (user = owner) => await startProgram(testApp, admin, user)
  const lastUse = async (id: string) => {
    const row = await db
      .selectFrom('api_tokens')
      .select('last_used_at')
      .where('id', '=', id)
      .executeTakeFirst()
    return row?.last_used_at ?? null
  }

  test('the use of a token is recorded at most once a minute, however many calls are concurrent (A10)', async () => {
    const { id, client } = await start()
    const updates = mock.method(db, 'updateTable')
    const countUpdates = () =>
      updates.mock.calls.filter(({ arguments: [table] }) => table === 'api_tokens').length
    const burst = async () => {
      const replies = await Promise.all(Array.from({ length: 40 }, () => client('GET', '/healthz')))
      for (const { status } of replies) assert.equal(status, 200)
    }
    await burst()
    await burst()
    await until(async () => (await lastUse(id)) !== null)
    assert.equal(countUpdates(), 1)
    const first = await lastUse(id)
    testApp.wait(seconds(30))
    await burst()
    assert.equal(countUpdates(), 1)
    testApp.wait(seconds(30))
    await burst()
    await until(async () => (await lastUse(id)) !== first)
    assert.equal(countUpdates(), 2)
    updates.mock.restore()
  })

  test('all nodes together record the use of a token once a minute (A10)', async () => {
    const services = await openServices(testApp.services.config, { print: () => {}, clock })
    const { id, token, client } = await start()
    await client('GET', '/healthz')
    await until(async () => (await lastUse(id)) !== null)
    const updates = mock.method(services.db, 'updateTable')
    const there = createTokenClient({ app: serveApi(services).app, services }, token)
    assert.equal((await there('GET', '/healthz')).status, 200)
    assert.equal(updates.mock.callCount(), 0)
    testApp.wait(minutes(1))
    assert.equal((await there('GET', '/healthz')).status, 200)
    assert.equal(updates.mock.callCount(), 1)
    await services.close()
  })

  test('the use of a token is recorded only when a call succeeds (A10)', async () => {
    const { id, client } = await start(await createStaff(testApp, 'viewer'))
    assert.equal((await client('GET', '/api/messages')).status, 403)
    assert.equal((await client('POST', '/api/auth/logout')).status, 403)
    await new Promise(resolve => setTimeout(resolve, 50))
    assert.equal(await lastUse(id), null)
    assert.equal((await client('GET', '/api/auth/me')).status, 200)
    await until(async () => (await lastUse(id)) !== null)
  })

  test('a call does not wait until the use of its token is recorded (A10)', async () => {
    const { id, client } = await start()
    await inTransaction(db, async transaction => {
      await transaction
        .updateTable('api_tokens')
        .set({ description: 'in use' })
        .where('id', '=', id)
        .execute()
      const reply = client('GET', '/api/messages').then(({ status }) => status)
      const timeout = new Promise(resolve => setTimeout(resolve, 2000))
      assert.equal(await Promise.race([reply, timeout]), 200)
      assert.equal(await lastUse(id), null)
    })
    await until(async () => (await lastUse(id)) !== null)
  })
})
