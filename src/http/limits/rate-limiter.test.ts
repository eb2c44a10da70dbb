import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ONE_A_MINUTE, openLimitStore, refused, THREE_A_MINUTE } from '../../../tests/support/limits.ts'
import { inTransaction } from '../../database/transaction.ts'
import { days, hours, minutes, seconds } from '../../platform/clock.ts'
import { createPostgresRateLimiter, deleteExpiredWindows } from './postgres-rate-limiter.ts'

const { db, shared, openLimits } = await openLimitStore()

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

suite('Two nodes whose clocks differ by five minutes', {
  skip: !shared && 'in memory there is one node',
}, () => {
  test('nodes share a limit: who asks both in turn gets at most one more window, and none of an hour', async () => {
    const { limits, clock, somebody } = openLimits()
    if (!shared) return
    const ahead = createPostgresRateLimiter(shared, () => new Date(clock().getTime() + minutes(5)))
    for (const [limit, most] of [
      [THREE_A_MINUTE, 6],
      [{ name: 'three an hour', count: 3, per: hours(1) }, 3],
    ] as const) {
      let allowed = 0
      for (let round = 0; round < 10; round++)
        for (const node of [limits, ahead]) if (await node.tryConsume(limit, somebody)) allowed++
      assert.ok(allowed >= 3 && allowed <= most, `${limit.name}: ${allowed}`)
    }
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
