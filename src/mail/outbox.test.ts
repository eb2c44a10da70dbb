import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { openOutbox, startWithoutPolling } from '../../tests/support/outboxes.ts'
import { until } from '../../tests/support/until.ts'
import { isPostgres } from '../database/engine.ts'
import { inTransaction } from '../database/transaction.ts'
import { isoAfter, seconds } from '../platform/clock.ts'

suite('An email in the outbox', async () => {
  const { testApp, openDispatcher, newEmail, write, rowOf, isSent, messageIdsAbout } = await openOutbox()
  const { mailServer } = testApp
  const { db, clock } = testApp.services

  test('an email is sent after it is written, marked as sent, and leaves no text in the database (H2)', async context => {
    const outbox = openDispatcher(context)
    await outbox.start()
    const id = await write()
    outbox.wake()
    await until(isSent(id))
    const row = await rowOf(id)
    assert.deepEqual([row.attempts, row.leased_until, row.last_error], [1, null, null])
    assert.ok(row.sent_at)
    assert.equal(row.email, '')
    assert.deepEqual(messageIdsAbout(id), [`<${id}@agency.test>`])
  })

  test('an email from before the start is sent at the start, with all others', async context => {
    const ids: string[] = []
    for (let count = 0; count < 25; count++) ids.push(await write())
    await startWithoutPolling(openDispatcher(context), context)
    for (const id of ids) await until(isSent(id))
  })

  test('an email is sent as soon as its transaction is committed', async context => {
    const outbox = openDispatcher(context)
    const before = await write()
    await startWithoutPolling(outbox, context)
    await until(isSent(before))
    const id = await inTransaction(db, async transaction => {
      const id = await outbox.add(transaction, newEmail(), null)
      await pause(50)
      assert.deepEqual(messageIdsAbout(id), [])
      return id
    })
    await until(isSent(id))
  })

  test('an email is never sent when its transaction is rolled back', async context => {
    const outbox = openDispatcher(context)
    await outbox.start()
    const undone = inTransaction(db, async transaction => {
      await outbox.add(transaction, newEmail(), null)
      throw new Error('undone')
    })
    await assert.rejects(undone, /undone/)
    outbox.wake()
    await pause(50)
    assert.deepEqual(await db.selectFrom('outbox').select('id').execute(), [])
  })

  test('an email leased by one dispatcher is claimed by no other for ten seconds', async context => {
    const [first, second] = [openDispatcher(context), openDispatcher(context)]
    await second.start()
    mailServer.behaviour = 'hang'
    await first.start()
    const id = await write()
    first.wake()
    await until(() => mailServer.held === 1)
    assert.ok(Date.parse((await rowOf(id)).leased_until ?? '') > clock().getTime() + seconds(5))
    second.wake()
    await pause(50)
    assert.equal((await rowOf(id)).attempts, 1)
    testApp.wait(seconds(10))
    second.wake()
    await until(() => mailServer.held === 2)
    mailServer.release()
    await until(isSent(id))
    await until(() => messageIdsAbout(id).length === 2)
    assert.deepEqual(new Set(messageIdsAbout(id)), new Set([`<${id}@agency.test>`]))
  })

  test('an email in flight when its process died is sent by the next one', async context => {
    const id = await write({ attempts: 1, leased_until: isoAfter(clock, seconds(10)) })
    const outbox = openDispatcher(context)
    await outbox.start()
    // On PostgreSQL it may be in the hands of another node.
    if (isPostgres(db)) {
      await pause(50)
      assert.equal((await rowOf(id)).state, 'waiting')
      testApp.wait(seconds(10))
      outbox.wake()
    }
    await until(isSent(id))
  })

  test('an email is sent once when two dispatchers poll at the same time', async context => {
    const ids: string[] = []
    for (let count = 0; count < 40; count++) ids.push(await write())
    const dispatchers = [openDispatcher(context), openDispatcher(context)]
    await Promise.all(dispatchers.map(outbox => outbox.start()))
    for (const id of ids) await until(isSent(id))
    for (const id of ids) assert.equal(messageIdsAbout(id).length, 1, id)
  })

  test('emails in flight are finished before a dispatcher stops, and no other is started', async context => {
    const outbox = openDispatcher(context)
    mailServer.behaviour = 'hang'
    await outbox.start()
    const id = await write()
    outbox.wake()
    await until(() => mailServer.held === 1)
    let isStopped = false
    const stopped = outbox.stop().then(() => {
      isStopped = true
    })
    const later = await write()
    outbox.wake()
    await pause(50)
    assert.equal(isStopped, false)
    mailServer.release()
    await stopped
    assert.equal((await rowOf(id)).state, 'sent')
    assert.equal((await rowOf(later)).attempts, 0)
  })

  test('an email is not missed when it is written just as a poll ends', async context => {
    const outbox = openDispatcher(context)
    await startWithoutPolling(outbox, context)
    for (let moments = 0; moments < 40; moments++) {
      outbox.wake()
      for (let moment = 0; moment < moments; moment++) await null
      await inTransaction(db, transaction => outbox.add(transaction, newEmail(), null))
      const waiting = db.selectFrom('outbox').select('id').where('state', '=', 'waiting')
      await until(async () => (await waiting.execute()).length === 0)
    }
  })
})
