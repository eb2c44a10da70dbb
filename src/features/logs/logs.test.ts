import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createStaff, signInAs } from '../../../tests/support/staff.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { days, hours, minutes } from '../../clock.ts'
import { type LogQuery, logs } from './contract.ts'

suite('The system log', async () => {
  const testApp = await openTestApp()
  const { db, log, flushLog } = testApp.services
  const { id: adminId, email } = await createStaff(testApp, 'admin')
  const admin = await signInAs(testApp, email)

  async function forget() {
    await flushLog()
    await db.deleteFrom('logs').execute()
  }

  async function readAll(query: Partial<LogQuery>): Promise<string[]> {
    const messages: string[] = []
    let cursor: string | null = null
    do {
      const page: Awaited<ReturnType<typeof read>> = await read({ ...query, ...(cursor && { cursor }) })
      messages.push(...page.logs.map(({ message }) => message))
      cursor = page.nextCursor
    } while (cursor)
    return messages
  }

  const read = async (query: Partial<LogQuery>) => await admin.call(logs.list, query)

  test('only admins can read the log (K5)', async () => {
    for (const [browser, status] of [
      [testApp.browser(), 401],
      [await signInAs(testApp, (await createStaff(testApp, 'viewer')).email), 403],
      [await signInAs(testApp, (await createStaff(testApp, 'editor')).email), 403],
      [admin, 200],
    ] as const) {
      assert.equal((await browser.fetch('/api/logs')).status, status)
      assert.equal((await browser.send('DELETE', '/api/logs')).status, status)
    }
    assert.equal((await admin.send('DELETE', '/api/logs', undefined, { 'x-csrf-token': null })).status, 403)
  })

  test('an entry shows what happened, where and when, and who asked from where', async () => {
    await forget()
    await admin.send('POST', '/api/auth/logout', undefined, { 'x-forwarded-for': '192.0.2.7' })
    await signInAs(testApp, email, admin)
    const [entry] = (await read({ source: 'Auth' })).logs.filter(({ message }) => message === 'Signed out')
    const { id, createdAt, ipAddress, details, ...rest } = entry ?? assert.fail('Signed out was not logged')
    assert.deepEqual(rest, {
      level: 'info',
      source: 'Auth',
      message: 'Signed out',
      userId: adminId,
      userAgent: 'test browser',
    })
    assert.match(id, /^[0-9a-f-]{36}$/)
    assert.match(String(details.requestId), /^[0-9a-f-]{36}$/)
    assert.match(ipAddress ?? '', /^203\.0\.113\.\d+$/)
    assert.ok(Math.abs(Date.parse(createdAt) - Date.now()) < 5000)
  })

  test('entries are filtered by level, by source and by both, newest first, page by page', async () => {
    await forget()
    const said: { level: 'info' | 'error'; source: 'API' | 'Auth'; message: string }[] = []
    for (let count = 0; count < 12; count++) {
      const level = count % 2 === 0 ? 'info' : 'error'
      const source = count % 3 === 0 ? 'API' : 'Auth'
      said.unshift({ level, source, message: `line ${count}` })
      log(level, source, `line ${count}`)
    }
    const messages = (lines: typeof said) => lines.map(({ message }) => message)
    for (const limit of [1, 2, 5, 11, 12, 13]) {
      assert.deepEqual(await readAll({ limit }), messages(said))
      assert.deepEqual(
        await readAll({ limit, level: 'error' }),
        messages(said.filter(({ level }) => level === 'error')),
      )
      assert.deepEqual(
        await readAll({ limit, level: 'info', source: 'API', environment: 'production' }),
        messages(said.filter(({ level, source }) => level === 'info' && source === 'API')),
      )
      assert.deepEqual(
        await readAll({ limit, source: 'Auth' }),
        messages(said.filter(({ source }) => source === 'Auth')),
      )
    }
    assert.deepEqual(await readAll({ level: 'critical' }), [])
  })

  test('the log accepts known levels and sources only (K1)', async () => {
    const odd = [
      'level=fatal',
      'level=INFO',
      'level=',
      'source=api',
      'source=Database',
      'environment=staging',
      'environment=',
      'level=info&level=error',
      'environment=production&environment=production',
      'limit=0',
      'limit=201',
      'limit=1e9',
      'cursor=x',
      'days=0',
      '__proto__=1',
    ]
    for (const query of odd) assert.equal((await admin.fetch(`/api/logs?${query}`)).status, 400, query)
    assert.equal((await admin.fetch('/api/logs?environment=production&level=debug')).status, 200)
  })

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
