import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { openTestApp } from '../../tests/support/test-app.ts'
import { until } from '../../tests/support/until.ts'

suite('Log entry', async () => {
  const testApp = await openTestApp()
  const { db, log, flushLog } = testApp.services

  async function write(details: Record<string, unknown>) {
    const printed = testApp.console.length
    log('warning', 'API', 'A test wrote this', details)
    await flushLog()
    const stored = await db.selectFrom('logs').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirst()
    return { printed: testApp.console.slice(printed), stored, details: JSON.parse(stored?.details ?? '') }
  }

  test('a log entry is printed at once and stored soon after, by itself', async () => {
    log('info', 'Auth', 'Said once')
    assert.ok(testApp.console.some(line => line.includes('Said once')))
    const find = () => db.selectFrom('logs').selectAll().where('message', '=', 'Said once').executeTakeFirst()
    await until(async () => (await find()) !== undefined)
    const row = await find()
    assert.deepEqual([row?.level, row?.source, row?.details], ['info', 'Auth', '{}'])
  })

  test('a debug entry is printed and not stored', async () => {
    log('debug', 'API', 'Only for debugging')
    await flushLog()
    assert.ok(testApp.console.some(line => line.includes('Only for debugging')))
    const kept = db.selectFrom('logs').select('id').where('message', '=', 'Only for debugging')
    assert.deepEqual(await kept.execute(), [])
  })

  test('log entries are stored in the order in which they were written, also within a millisecond', async () => {
    for (let count = 0; count < 300; count++) log('info', 'API', `Number ${String(count).padStart(3, '0')}`)
    await flushLog()
    const rows = await db
      .selectFrom('logs')
      .select('message')
      .where('message', 'like', 'Number %')
      .orderBy('id')
      .execute()
    const messages = rows.map(({ message }) => message)
    assert.equal(messages.length, 300)
    assert.deepEqual(messages, messages.toSorted())
  })

  test('a log entry has the user and the address in columns of their own, and the request in its details', async () => {
    const origin = { requestId: 'r', userId: 'u', ipAddress: '192.0.2.1', userAgent: 'a browser' }
    const { stored } = await write({ ...origin, more: 1 })
    assert.deepEqual(
      [stored?.user_id, stored?.ip_address, stored?.user_agent],
      ['u', '192.0.2.1', 'a browser'],
    )
    assert.equal(stored?.details, '{"requestId":"r","more":1}')
  })

  test('a log entry truncates hostile details to 16 KiB and eight levels (K2)', async () => {
    const deep = (levels: number): object => (levels === 0 ? { bottom: true } : { deeper: deep(levels - 1) })
    const circle: Record<string, unknown> = {}
    circle.itself = circle
    const throws = Object.defineProperty({}, 'trap', {
      enumerable: true,
      get: () => {
        throw new Error('not readable')
      },
    })
    const hostile = {
      'a prototype': JSON.parse('{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}'),
      'a megabyte': { text: 'x'.repeat(1_000_000) },
      'a megabyte of what JSON spells long': { text: '\u0001'.repeat(1_000_000) },
      'many keys': Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`key ${at}`, at])),
      'a long list': { list: Array.from({ length: 100_000 }, () => 'x') },
      'a long key': { ['k'.repeat(100_000)]: 1 },
      'a thousand levels': deep(1000),
      'levels beyond any stack': JSON.parse(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`),
      'a circle': circle,
      'a lone surrogate and NUL': { text: 'a\ud800b\0c', '\0key\udfff': 1 },
      'what JSON cannot hold': {
        big: 10n,
        call: () => 1,
        mark: Symbol('x'),
        not: Number.NaN,
        none: undefined,
      },
      'a getter that throws': throws,
      'an error, a date': { error: new Error('broken'), when: new Date(0), never: new Date(Number.NaN) },
    }
    for (const [name, details] of Object.entries(hostile)) {
      const { printed, stored, details: kept } = await write({ hostile: details })
      assert.equal(printed.length, 1, name)
      assert.ok(Buffer.byteLength(stored?.details ?? '') <= 16 * 1024, `${name}: ${stored?.details.length}`)
      assert.ok(Buffer.byteLength(printed[0] ?? '') <= 17 * 1024, name)
      assert.ok(levels(kept) <= 9, `${name}: ${levels(kept)} levels`)
      assert.ok(stored?.details.isWellFormed(), name)
      assert.doesNotMatch(stored?.details ?? '', /\\u0000|\\ud800|__proto__"/, name)
    }
    const { details } = await write(JSON.parse('{"__proto__":{"admin":true}}'))
    assert.deepEqual(details, { '[__proto__]': { admin: true } })
    assert.ok(!('admin' in Object.assign({}, details)))
    const { details: full } = await write({ text: 'y'.repeat(1_000_000) })
    assert.ok(full.text.length > 15_000 && full.text.endsWith('…'))
  })

  test('a log entry stays on one line, whatever a name, a path or a browser contains (K3)', async () => {
    const forged = '{"time":"2026","level":"info","message":"Signed in"}'
    const hostile = [
      `\r\n${forged}`,
      `\u2028${forged}`,
      '\x1b[2J\x1b]0;owned\x07',
      '\x9b2J',
      '\u202egnp.exe',
      '"}\n{"',
    ]
    for (const text of hostile) {
      const { printed } = await write({ name: text, userAgent: text })
      const [line = ''] = printed
      assert.equal(printed.length, 1)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
      assert.match(line, /^[^\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e]+\n$/)
      assert.equal(JSON.parse(line).name, text)
    }
    const browser = testApp.browser()
    await browser.fetch('/api/logs?x=%0d%0aforged', { headers: { 'user-agent': 'agent \x85 forged' } })
    for (const line of testApp.console) assert.equal(line.trimEnd().split(/[\r\n\u0085\u2028]/).length, 1)
  })
})

function levels(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(levels))
}
