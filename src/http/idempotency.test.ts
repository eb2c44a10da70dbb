import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import * as z from 'zod/mini'
import { openBrowser } from '../../tests/support/browser.ts'
import { openTestApp, PUBLIC_URL } from '../../tests/support/test-app.ts'
import { isPostgres } from '../database/engine.ts'
import { inTransaction } from '../database/transaction.ts'
import { days } from '../platform/clock.ts'
import { createApiRouter, serve } from './api-router.ts'
import { endpoint } from './endpoint.ts'
import { throwHttpError } from './http-error.ts'
import { keyFromHeader, replyOnce } from './idempotency.ts'
import { claimKey } from './idempotency-store.ts'

suite('An endpoint that honours Idempotency-Key', async () => {
  const testApp = await openTestApp()
  const { services } = testApp
  const { db, clock } = services
  const reply = z.object({ number: z.number() })
  const input = z.object({ note: z.string() })
  let done = 0
  /** What the work does first. */
  let begin = async () => {}

  const router = createApiRouter(services)
  const notes = endpoint({
    method: 'POST',
    path: '/api/notes',
    access: 'public',
    csrf: 'origin',
    input,
    reply,
  })
  serve(router, notes, async ({ note }, { header }) => {
    const key = keyFromHeader('notes', header('idempotency-key'), note)
    return await replyOnce(services, key, reply, async attempt => {
      await begin()
      if (note === 'used up') {
        await attempt.awaitFirstReply()
        throwHttpError(400, 'It was used up')
      }
      const received = { number: ++done }
      await inTransaction(db, transaction => attempt.storeReply(transaction, received))
      return received
    })
  })
  const browser = openBrowser(router.app, PUBLIC_URL, '203.0.113.200')

  async function post(note: string, key?: string) {
    const headers = { 'content-type': 'application/json', ...(key && { 'idempotency-key': key }) }
    const body = JSON.stringify({ note })
    const response = await browser.fetch('/api/notes', { method: 'POST', headers, body })
    return [response.status, await response.json()] as const
  }

  async function storeElsewhere(header: string, content: string, number: number) {
    const key = keyFromHeader('notes', header, content)
    assert.ok(key)
    await claimKey(db, clock, { ...key, reply: { number } })
  }

  test('a request without an idempotency key is never a repeat', async () => {
    const before = done
    await post('without a key')
    await post('without a key')
    assert.equal(done, before + 2)
  })

  test('repeats under one key are done once and get one reply, at the same time and later', async () => {
    const before = done
    const replies = await Promise.all(Array.from({ length: 5 }, () => post('again', 'five-at-once')))
    replies.push(await post('again', 'five-at-once'))
    assert.equal(done, before + 1)
    for (const each of replies) assert.deepEqual(each, [200, { success: true, number: done }])
  })

  test('another request under the same idempotency key is rejected', async () => {
    await post('one', 'one-key-for-two')
    const [status, { message }] = await post('two', 'one-key-for-two')
    assert.deepEqual([status, message], [422, 'This Idempotency-Key was used for another request'])
  })

  test('an idempotency key of a request that came while the clock was ahead is free when it is set back', async () => {
    testApp.wait(days(400))
    await post('ahead', 'used-while-ahead')
    testApp.wait(-days(400))
    const before = done
    for (const _ of [1, 2]) assert.equal((await post('now', 'used-while-ahead'))[1].number, before + 1)
  })

  test('an idempotency key stays free when the work fails', async () => {
    begin = async () => throwHttpError(409, 'Not now')
    assert.equal((await post('failing', 'the-first-one-fails'))[0], 409)
    begin = async () => {}
    assert.equal((await post('failing', 'the-first-one-fails'))[0], 200)
  })

  test('a request gets the reply that another node stores while it is being done', async () => {
    begin = async () => await storeElsewhere('on-two-nodes', 'slow', 77)
    const [status, { number }] = await post('slow', 'on-two-nodes')
    begin = async () => {}
    assert.deepEqual([status, number], [200, 77])
  })

  test('a repeat waits for the reply of the node that used up what works only once', {
    skip: !isPostgres(db) && 'SQLite has one node',
  }, async () => {
    assert.equal((await post('used up', 'nobody-stores-it'))[0], 400)
    const waiting = post('used up', 'used-up-elsewhere')
    await storeElsewhere('used-up-elsewhere', 'used up', 88)
    assert.deepEqual((await waiting)[1].number, 88)
  })
})
