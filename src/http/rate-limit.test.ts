import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { days, minutes, seconds } from '../clock.ts'
import { openDatabase } from '../database/open.ts'
import { createTestDatabase, dropTestDatabase } from '../testing/database.ts'
import { memoryRateLimits } from './rate-limit.ts'
import { forgetEndedWindows, sharedRateLimits } from './shared-rate-limits.ts'

const THREE_A_MINUTE = { name: 'three a minute', count: 3, per: minutes(1) }
const ONE_A_MINUTE = { name: 'one a minute', count: 1, per: minutes(1) }

const refused = { status: 429, message: 'Too many requests. Please wait a little and try again.' }

const databaseUrl = await createTestDatabase()
const shared = databaseUrl ? await openDatabase({ dataDir: '', databaseUrl }) : null
after(async () => {
  await shared?.destroy()
  if (databaseUrl) await dropTestDatabase(databaseUrl)
})

let strangers = 0

/** In PostgreSQL when there is one, else in memory, with somebody who has never come before. */
function openLimits() {
  let now = Date.parse('2026-07-01T00:00:00Z')
  const clock = () => new Date(now)
  const limits = shared ? sharedRateLimits(shared, clock) : memoryRateLimits(clock)
  const wait = (milliseconds: number) => {
    now += milliseconds
  }
  const somebody = `somebody ${++strangers}`
  const spend = async (whom = somebody, limit = THREE_A_MINUTE) => await limits.spend(limit, whom)
  return { limits, clock, wait, spend, somebody }
}

suite(`A limit of three a minute, ${shared ? 'shared by nodes' : 'in memory'}`, () => {
  test('lets three through and refuses the fourth', async () => {
    const { spend } = openLimits()
    for (let count = 0; count < 3; count++) await spend()
    await assert.rejects(spend(), refused)
  })

  test('lets three of thirty through that come at once', async () => {
    const { limits, somebody } = openLimits()
    const taken = await Promise.all(Array.from({ length: 30 }, () => limits.take(THREE_A_MINUTE, somebody)))
    assert.equal(taken.filter(Boolean).length, 3)
  })

  test('refuses until a minute after the first, then lets three through again', async () => {
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

  test('says how many whole seconds to wait, and which refusal was the first', async () => {
    const { spend, wait } = openLimits()
    for (let count = 0; count < 3; count++) await spend()
    wait(500)
    await assert.rejects(spend(), {
      headers: { 'Retry-After': '60' },
      particulars: { retryAfter: 59.5, reachedLimit: 'three a minute' },
    })
    wait(seconds(59))
    await assert.rejects(spend(), { headers: { 'Retry-After': '1' }, particulars: { retryAfter: 0.5 } })
  })

  test('counts each address, and each limit, on its own', async () => {
    const { spend, somebody } = openLimits()
    for (let count = 0; count < 3; count++) await spend()
    await spend('somebody else')
    await spend(somebody, { ...THREE_A_MINUTE, name: 'another limit' })
    await assert.rejects(spend(), refused)
  })

  test('takes nothing for a look, and refuses it once somebody was refused', async () => {
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

  test('takes back what came to nothing, but never more than was spent', async () => {
    const { limits, spend, somebody } = openLimits()
    for (let count = 0; count < 5; count++) await limits.giveBack(THREE_A_MINUTE, somebody)
    for (let count = 0; count < 3; count++) await spend()
    for (let count = 0; count < 3; count++) await assert.rejects(spend(), refused)
    await limits.giveBack(THREE_A_MINUTE, somebody)
    await spend()
    await assert.rejects(spend(), refused)
  })

  test('begins anew when the clock was set back by a day', async () => {
    const { spend, wait } = openLimits()
    for (let count = 0; count < 3; count++) await spend()
    wait(-days(1))
    for (let count = 0; count < 3; count++) await spend()
    await assert.rejects(spend(), { headers: { 'Retry-After': '60' } })
  })
})

suite('A part of a transaction', { skip: !shared && 'in memory there is none' }, () => {
  test('takes of two limits or of none, and nothing when it comes to nothing', async () => {
    const { limits, somebody } = openLimits()
    const both = [THREE_A_MINUTE, ONE_A_MINUTE]
    const within = async (end = () => {}) =>
      await shared?.transaction().execute(async transaction => {
        await limits.spendWithin(transaction, both, somebody)
        end()
      })
    const fail = () => {
      throw new Error('Came to nothing')
    }
    for (let count = 0; count < 5; count++) await assert.rejects(within(fail), /Came to nothing/)
    await within()
    for (let count = 0; count < 5; count++) await assert.rejects(within(), refused)
    for (let count = 0; count < 2; count++) await limits.spend(THREE_A_MINUTE, somebody)
    await assert.rejects(limits.spend(THREE_A_MINUTE, somebody), refused)
  })
})

suite('Windows that are over', { skip: !shared && 'in memory they make room by themselves' }, () => {
  test('are removed, and those that run are not', async () => {
    const { limits, clock, wait, somebody } = openLimits()
    wait(days(30))
    await limits.spend(ONE_A_MINUTE, somebody)
    wait(seconds(59))
    await limits.spend(THREE_A_MINUTE, somebody)
    wait(seconds(1))
    if (shared) await forgetEndedWindows(shared, clock)
    assert.deepEqual(await shared?.selectFrom('rate_limits').select(['most', 'used']).execute(), [
      { most: 3, used: 1 },
    ])
  })
})

test('Memory holds a hundred thousand addresses, and forgets the one that came first', async () => {
  const limits = memoryRateLimits(() => new Date('2026-07-01T00:00:00Z'))
  const spend = async (whom: string) => await limits.spend(THREE_A_MINUTE, whom)
  for (let count = 0; count < 3; count++) await spend('the first')
  for (let count = 0; count < 3; count++) await spend('the second')
  for (let count = 0; count < 99_999; count++) await spend(`address ${count}`)
  await assert.rejects(spend('the second'), refused)
  await spend('the first')
})
