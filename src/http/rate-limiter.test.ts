import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { createTestDatabase, dropTestDatabase } from '../../tests/support/database.ts'
import { days, minutes, seconds } from '../clock.ts'
import { openDatabase } from '../database/open.ts'
import { inTransaction } from '../database/transaction.ts'
import { createPostgresRateLimiter, deleteExpiredWindows } from './postgres-rate-limiter.ts'
import { createCounters } from './rate-limit-counters.ts'
import { createMemoryRateLimiter } from './rate-limiter.ts'

const THREE_A_MINUTE = { name: 'three a minute', count: 3, per: minutes(1) }
const ONE_A_MINUTE = { name: 'one a minute', count: 1, per: minutes(1) }

const refused = { status: 429, message: 'Too many requests. Please wait a little and try again.' }

const databaseUrl = await createTestDatabase()
const dataDir = await mkdtemp(join(tmpdir(), 'landfall-limits-'))
const db = await openDatabase({ dataDir, databaseUrl })
const shared = databaseUrl ? db : null
after(async () => {
  await db.destroy()
  await rm(dataDir, { recursive: true })
  if (databaseUrl) await dropTestDatabase(databaseUrl)
})

let strangers = 0

/** In PostgreSQL when there is one, else in memory, with somebody who has never come before. */
function openLimits() {
  let now = Date.parse('2026-07-01T00:00:00Z')
  const clock = () => new Date(now)
  const limits = shared ? createPostgresRateLimiter(shared, clock) : createMemoryRateLimiter(clock)
  const wait = (milliseconds: number) => {
    now += milliseconds
  }
  const somebody = `somebody ${++strangers}`
  const spend = async (key = somebody, limit = THREE_A_MINUTE) => await limits.consume(limit, key)
  return { limits, clock, wait, spend, somebody }
}

suite(`A limit of three a minute, ${shared ? 'shared by nodes' : 'in memory'}`, () => {
  test('a limit of three allows three requests and refuses the fourth', async () => {
    const { spend } = openLimits()
    for (let count = 0; count < 3; count++) await spend()
    await assert.rejects(spend(), refused)
  })

  test('a limit of three allows three of thirty concurrent requests', async () => {
    const { limits, somebody } = openLimits()
    const taken = await Promise.all(
      Array.from({ length: 30 }, () => limits.tryConsume(THREE_A_MINUTE, somebody)),
    )
    assert.equal(taken.filter(Boolean).length, 3)
  })

  test('a limit refuses until a minute after the first request, then allows three again', async () => {
    const { spend, wait } = openLimits()
    await spend()
    wait(seconds(30))
    for (let count = 0; count < 2; count++) await spend()
    await assert.rejects(spend(), refused)
    wait(seconds(30) - 1)
    await assert.rejects(spend(), refused)
    wait(1)
    for (let count = 0; count < 3; count++) await spend()
    await assert.rejects(spend(), refused)
  })

  test('a refusal has the whole seconds to wait, and says whether it was the first', async () => {
    const { spend, wait } = openLimits()
    for (let count = 0; count < 3; count++) await spend()
    wait(500)
    await assert.rejects(spend(), {
      headers: { 'Retry-After': '60' },
      details: { retryAfter: 59.5, reachedLimit: 'three a minute' },
    })
    wait(seconds(59))
    await assert.rejects(spend(), { headers: { 'Retry-After': '1' }, details: { retryAfter: 0.5 } })
  })

  test('a limit counts each address on its own, and so does each other limit', async () => {
    const { spend, somebody } = openLimits()
    for (let count = 0; count < 3; count++) await spend()
    await spend('somebody else')
    await spend(somebody, { ...THREE_A_MINUTE, name: 'another limit' })
    await assert.rejects(spend(), refused)
  })

  test('checking a limit consumes nothing, and is refused once the limit is reached', async () => {
    const { limits, spend, somebody, wait } = openLimits()
    for (let count = 0; count < 10; count++) limits.check(THREE_A_MINUTE, somebody)
    for (let count = 0; count < 3; count++) await spend()
    await assert.rejects(spend(), refused)
    assert.throws(() => limits.check(THREE_A_MINUTE, somebody), refused)
    wait(minutes(1) - 1)
    assert.throws(() => limits.check(THREE_A_MINUTE, somebody), refused)
    wait(1)
    limits.check(THREE_A_MINUTE, somebody)
  })

  test('a limit refunds what was consumed in vain, but never more than that', async () => {
    const { limits, spend, somebody } = openLimits()
    for (let count = 0; count < 5; count++) await limits.refund(THREE_A_MINUTE, somebody)
    for (let count = 0; count < 3; count++) await spend()
    for (let count = 0; count < 3; count++) await assert.rejects(spend(), refused)
    await limits.refund(THREE_A_MINUTE, somebody)
    await spend()
    await assert.rejects(spend(), refused)
  })

  test('a window restarts when the clock was set back by a day', async () => {
    const { spend, wait } = openLimits()
    for (let count = 0; count < 3; count++) await spend()
    wait(-days(1))
    for (let count = 0; count < 3; count++) await spend()
    await assert.rejects(spend(), { headers: { 'Retry-After': '60' } })
  })
})

suite('Rate limits in a transaction', () => {
  test('a transaction consumes from two limits or from none, and nothing when it comes to nothing', async () => {
    const { limits, somebody } = openLimits()
    const both = [THREE_A_MINUTE, ONE_A_MINUTE]
    const within = async (end = () => {}) =>
      await inTransaction(db, async transaction => {
        await limits.consumeInTransaction(transaction, both, somebody)
        end()
      })
    const fail = () => {
      throw new Error('Came to nothing')
    }
    for (let count = 0; count < 5; count++) await assert.rejects(within(fail), /Came to nothing/)
    await within()
    for (let count = 0; count < 5; count++) await assert.rejects(within(), refused)
    for (let count = 0; count < 2; count++) await limits.consume(THREE_A_MINUTE, somebody)
    await assert.rejects(limits.consume(THREE_A_MINUTE, somebody), refused)
  })
})

suite('Expired windows', { skip: !shared && 'in memory they make room by themselves' }, () => {
  test('windows that are over are deleted, and those that run are not', async () => {
    const { limits, clock, wait, somebody } = openLimits()
    wait(days(30))
    await limits.consume(ONE_A_MINUTE, somebody)
    wait(seconds(59))
    await limits.consume(THREE_A_MINUTE, somebody)
    wait(seconds(1))
    if (shared) await deleteExpiredWindows(shared, clock)
    assert.deepEqual(await shared?.selectFrom('rate_limits').select(['most', 'used']).execute(), [
      { most: 3, used: 1 },
    ])
  })
})

suite(`Networks of IPv6, ${shared ? 'shared by nodes' : 'in memory'}`, () => {
  test('an IPv6 network may consume four times as much in a /56 and sixteen times in a /48, and no more (N3)', async () => {
    const { limits } = openLimits()
    const takeFrom = async (site: string, subnets: readonly string[]) => {
      const taken: boolean[] = []
      for (const subnet of subnets)
        for (let count = 0; count < 4; count++)
          taken.push(await limits.tryConsume(THREE_A_MINUTE, `${site}:${subnet}::/64`))
      return taken.filter(Boolean).length
    }
    const oneOf56 = Array.from({ length: 20 }, (_, at) => at.toString(16))
    assert.equal(await takeFrom('2001:db8:a', oneOf56), 12)
    const oneOf48 = Array.from({ length: 20 }, (_, at) => ((at + 1) << 8).toString(16))
    assert.equal(await takeFrom('2001:db8:a', oneOf48), 36, 'beside the twelve')
    assert.equal(await takeFrom('2001:db8:b', oneOf48), 48)
    assert.equal(await takeFrom('2001:db9:a', ['ff00']), 3)
  })

  test('an IPv6 network loses nothing to a client that is refused for itself (N3)', async () => {
    const { limits } = openLimits()
    const takeOf = async (subnet: string) =>
      await limits.tryConsume(THREE_A_MINUTE, `2001:db8:c:${subnet}::/64`)
    for (let count = 0; count < 40; count++) await takeOf('0')
    for (const subnet of ['1', '2', '3'])
      for (let count = 0; count < 3; count++) assert.equal(await takeOf(subnet), true, subnet)
    assert.equal(await takeOf('4'), false)
    // Nor to one that is refused for its /56.
    for (let count = 0; count < 40; count++) await takeOf('5')
    for (let at = 1; at <= 12; at++)
      for (let count = 0; count < 3; count++) assert.equal(await takeOf(`${at.toString(16)}00`), true)
    assert.equal(await takeOf('d00'), false)
  })

  test('every IPv6 network gets a refund of what was consumed in vain (N3)', async () => {
    const { limits, spend, wait } = openLimits()
    for (let round = 0; round < 60; round++) {
      const key = `2001:db8:d:${round.toString(16)}::/64`
      await spend(key)
      await limits.refund(THREE_A_MINUTE, key)
    }
    for (let count = 0; count < 12; count++) await spend(`2001:db8:d:${(count % 4).toString(16)}::/64`)
    await assert.rejects(spend('2001:db8:d:9::/64'), refused)
    assert.throws(() => limits.check(THREE_A_MINUTE, '2001:db8:d:a::/64'), refused)
    await limits.refund(THREE_A_MINUTE, '2001:db8:d:1::/64')
    await spend('2001:db8:d:a::/64')
    wait(-days(1))
    await spend('2001:db8:d:1::/64')
  })

  test('an IPv4 address, an account and a text each count for themselves alone (N3)', async () => {
    const { spend } = openLimits()
    for (const key of ['203.0.113.', 'someone@', '2001:db8:e:0::/64 ', 'x 2001:db8:e:0::/64'])
      for (let at = 0; at < 60; at++) await spend(`${key}${at}`)
  })

  test('an IPv6 network is allowed its exact limit of concurrent requests from all its addresses (N3)', async () => {
    const { limits } = openLimits()
    const key = (at: number) => `2001:db8:f:${at.toString(16)}::/64`
    const taken = await Promise.all(
      Array.from({ length: 60 }, (_, at) => limits.tryConsume(THREE_A_MINUTE, key(at % 15))),
    )
    const count = taken.filter(Boolean).length
    // What a refused one took for a moment may have been missing to another.
    assert.ok(count <= 12 && count >= 9, String(count))
  })
})

suite('Memory of rate limits', () => {
  test('the limits in memory keep refusing a client, however many others come (N3)', async () => {
    const limits = createMemoryRateLimiter(() => new Date('2026-07-01T00:00:00Z'))
    const spend = async (key: string) => await limits.consume(THREE_A_MINUTE, key)
    for (let count = 0; count < 3; count++) await spend('the first')
    await spend('the second')
    for (let count = 0; count < 101_000; count++) await spend(`address ${count}`)
    await assert.rejects(spend('the first'), refused)
    assert.throws(() => limits.check(THREE_A_MINUTE, 'the first'), refused)
    for (let count = 0; count < 3; count++) await spend('the second')
  })

  test('the limits in memory refuse rather too many than too few when their memory is full (N3)', () => {
    let now = Date.parse('2026-07-01T00:00:00Z')
    const counters = createCounters(() => new Date(now), 500)
    const take = (key: string) => {
      const bucket = { limit: THREE_A_MINUTE, key: key }
      const isLeft = (counters.find(bucket)?.used ?? 0) < THREE_A_MINUTE.count
      if (isLeft) counters.add(bucket, 1)
      return isLeft
    }
    for (let at = 0; at < 500; at++) for (let count = 0; count < 3; count++) take(`early ${at}`)
    // A million strangers share 1024 counters of three.
    let taken = 0
    for (let at = 0; at < 50_000; at++) if (take(`late ${at}`)) taken++
    assert.ok(taken > 2500 && taken <= 3 * 1024, String(taken))
    for (let at = 0; at < 500; at++) assert.equal(take(`early ${at}`), false)
    now += minutes(1)
    for (let count = 0; count < 3; count++) assert.equal(take('late 1'), true)
    assert.equal(take('late 1'), false)
  })

  test('the limits in memory have room again as soon as windows have ended, and after the clock was set back (N3)', () => {
    let now = Date.parse('2026-07-01T00:00:00Z')
    const counters = createCounters(() => new Date(now), 100)
    const exhaust = (from: string) => {
      for (let at = 0; at < 100; at++) counters.add({ limit: ONE_A_MINUTE, key: `${from} ${at}` }, 1)
    }
    for (const [round, step] of [minutes(1), -days(1), days(2)].entries()) {
      exhaust(`round ${round}`)
      now += step
    }
    counters.add({ limit: THREE_A_MINUTE, key: 'somebody' }, 1)
    assert.equal(counters.find({ limit: THREE_A_MINUTE, key: 'somebody' })?.used, 1)
    assert.equal(counters.find({ limit: THREE_A_MINUTE, key: 'somebody else' }), undefined)
  })
})
