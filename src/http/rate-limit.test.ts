import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { minutes, seconds } from '../clock.ts'
import { memoryRateLimits } from './rate-limit.ts'

const THREE_A_MINUTE = { name: 'three a minute', count: 3, per: minutes(1) }

function openLimits() {
  let now = Date.parse('2026-07-01T00:00:00Z')
  const limits = memoryRateLimits(() => new Date(now))
  const wait = (milliseconds: number) => {
    now += milliseconds
  }
  const spend = (whom = 'somebody', limit = THREE_A_MINUTE) => limits.spend(limit, whom)
  return { limits, wait, spend }
}

const refused = { status: 429, message: 'Too many requests. Please wait a little and try again.' }

suite('A limit of three a minute', () => {
  test('lets three through and refuses the fourth', () => {
    const { spend } = openLimits()
    for (let count = 0; count < 3; count++) spend()
    assert.throws(spend, refused)
  })

  test('refuses until a minute after the first, then lets three through again', () => {
    const { spend, wait } = openLimits()
    spend()
    wait(seconds(30))
    for (let count = 0; count < 2; count++) spend()
    wait(seconds(30) - 1)
    assert.throws(() => spend(), refused)
    wait(1)
    for (let count = 0; count < 3; count++) spend()
    assert.throws(() => spend(), refused)
  })

  test('says how many whole seconds to wait', () => {
    const { spend, wait } = openLimits()
    for (let count = 0; count < 3; count++) spend()
    wait(500)
    assert.throws(spend, { headers: { 'Retry-After': '60' } })
    wait(seconds(59))
    assert.throws(spend, { headers: { 'Retry-After': '1' } })
  })

  test('counts each address, and each limit, on its own', () => {
    const { spend } = openLimits()
    for (let count = 0; count < 3; count++) spend()
    spend('somebody else')
    spend('somebody', { ...THREE_A_MINUTE, name: 'another limit' })
    assert.throws(spend, refused)
  })

  test('takes nothing for a look, and refuses it when nothing is left', () => {
    const { limits, spend } = openLimits()
    for (let count = 0; count < 10; count++) limits.check(THREE_A_MINUTE, 'somebody')
    for (let count = 0; count < 3; count++) spend()
    assert.throws(() => limits.check(THREE_A_MINUTE, 'somebody'), refused)
  })

  test('takes back what came to nothing, but never more than was spent', () => {
    const { limits, spend } = openLimits()
    for (let count = 0; count < 5; count++) limits.giveBack(THREE_A_MINUTE, 'somebody')
    for (let count = 0; count < 3; count++) spend()
    limits.giveBack(THREE_A_MINUTE, 'somebody')
    spend()
    assert.throws(spend, refused)
  })

  test('remembers a hundred thousand addresses, and forgets the one that came first', () => {
    const { spend } = openLimits()
    for (let count = 0; count < 3; count++) spend('the first')
    for (let count = 0; count < 3; count++) spend('the second')
    for (let count = 0; count < 99_999; count++) spend(`address ${count}`)
    assert.throws(() => spend('the second'), refused)
    spend('the first')
  })
})
