import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createStaff, signInAs } from '../../../tests/support/staff.ts'
import { openSystemLog } from '../../../tests/support/system-log.ts'
import { newId } from '../../database/id.ts'
import { hours } from '../../platform/clock.ts'

suite('The system log', async () => {
  const { testApp, adminId, email, admin, forget, readAll, read } = await openSystemLog()
  const { db, log, clock } = testApp.services

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
      user: { name: 'Robin the admin', email, role: 'admin' },
      formerUser: null,
      userAgent: 'test browser',
    })
    assert.match(id, /^[0-9a-f-]{36}$/)
    assert.match(String(details.requestId), /^[0-9a-f-]{36}$/)
    assert.match(ipAddress ?? '', /^203\.0\.113\.\d+$/)
    assert.ok(Math.abs(Date.parse(createdAt) - Date.now()) < 60_000)
  })

  test('a page of long entries has fewer of them, and the next one goes on without a gap or a repeat (found A2)', async () => {
    await forget()
    for (let count = 0; count < 150; count++)
      log('info', 'API', `line ${count}`, { text: Array(9).fill('漢'.repeat(400)) })
    const written = Array.from({ length: 150 }, (_, at) => `line ${149 - at}`)
    const { logs: first, nextCursor } = await read({ limit: 200 })
    assert.ok(first.length < 150, `${first.length}`)
    assert.equal(nextCursor, first.at(-1)?.id)
    assert.deepEqual(await readAll({ limit: 200 }), written)
    assert.deepEqual(await readAll({ limit: 200, q: 'line' }), written)
    await forget()
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

  test('an entry names the user as they are called now, and nobody once they are deleted', async () => {
    const { id } = await createStaff(testApp, 'editor')
    const nameOf = async () =>
      (await read({ userId: id })).logs.map(({ userId, user }) => [userId, user?.name])
    await forget()
    log('info', 'API', 'Somebody did it', { userId: id })
    await db.updateTable('users').set({ name: 'Mina Ito' }).where('id', '=', id).execute()
    assert.deepEqual(await nameOf(), [[id, 'Mina Ito']])
    await db.deleteFrom('users').where('id', '=', id).execute()
    assert.deepEqual(await nameOf(), [[id, undefined]])
  })

  test('entries are filtered by person and by text in message, details and address, in any combination', async () => {
    await forget()
    const { id: other } = await createStaff(testApp, 'editor')
    const said = Array.from({ length: 24 }, (_, at) => ({
      level: at % 2 === 0 ? ('info' as const) : ('error' as const),
      userId: at % 3 === 0 ? adminId : other,
      message: at % 4 === 0 ? `Émail ${at} sent` : `Other ${at}`,
    })).reverse()
    for (const { level, message, userId } of said.toReversed())
      log(level, 'API', message, { userId, ipAddress: '192.0.2.7', about: { reference: `LF-${message}` } })
    const expected = (isWanted: (entry: (typeof said)[number]) => boolean) =>
      said.filter(isWanted).map(({ message }) => message)
    for (const limit of [1, 5, 100]) {
      assert.deepEqual(
        await readAll({ limit, userId: other }),
        expected(({ userId }) => userId === other),
      )
      assert.deepEqual(
        await readAll({ limit, userId: other, level: 'error', source: 'API' }),
        expected(({ userId, level }) => userId === other && level === 'error'),
      )
      assert.deepEqual(
        await readAll({ limit, q: 'SENT émail' }),
        expected(({ message }) => message.startsWith('É')),
      )
      assert.deepEqual(
        await readAll({ limit, q: 'sent', userId: adminId, level: 'info' }),
        expected(({ message, userId }) => message.startsWith('É') && userId === adminId),
      )
    }
    assert.deepEqual(await readAll({ q: 'lf-other 23' }), ['Other 23'])
    assert.equal((await readAll({ q: '192.0.2.7' })).length, 24)
    assert.deepEqual(await readAll({ q: 'sent', level: 'error' }), [])
    assert.deepEqual(await readAll({ q: '%' }), [])
  })

  test('a search of the log for a rare text returns short pages until it has read everything', async () => {
    await forget()
    const time = new Date(clock().getTime() - hours(1))
    const entry = { level: 'info', source: 'API', message: 'common', user_id: adminId } as const
    const rows = Array.from({ length: 2300 }, (_, at) => ({
      ...{
        ...entry,
        id: newId(new Date(time.getTime() + at)),
        details: '{}',
        created_at: time.toISOString(),
      },
      ...{ message: at === 0 ? 'needle' : 'common', ip_address: null, user_agent: null },
    }))
    for (let at = 0; at < rows.length; at += 500)
      await db
        .insertInto('logs')
        .values(rows.slice(at, at + 500))
        .execute()
    for (const query of [{ q: 'needle' }, { q: 'needle', userId: adminId, level: 'info' }] as const)
      assert.deepEqual(await readAll(query), ['needle'])
    assert.deepEqual(await readAll({ userId: adminId, level: 'critical' }), [])
    assert.equal((await readAll({ q: 'common', limit: 200 })).length, 2299)
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
      'q=',
      'q=a%0ab',
      `q=${'x'.repeat(201)}`,
      'userId=1',
      'userId=',
      'days=0',
      '__proto__=1',
    ]
    for (const query of odd) assert.equal((await admin.fetch(`/api/logs?${query}`)).status, 400, query)
    assert.equal((await admin.fetch('/api/logs?environment=production&level=debug')).status, 200)
  })
})
