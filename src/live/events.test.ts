import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { passUndoTime, storeMessage, untilDelivered } from '../../tests/support/conversation.ts'
import { openLiveNodes } from '../../tests/support/live-nodes.ts'
import { stopwatch } from '../../tests/support/processor-time.ts'
import { randomFrom } from '../../tests/support/random.ts'
import type { TestApp } from '../../tests/support/test-app.ts'
import { visitor } from '../../tests/support/test-app-with-captcha.ts'
import { until } from '../../tests/support/until.ts'
import { newId } from '../database/id.ts'
import { inTransaction } from '../database/transaction.ts'
import { erasePerson } from '../features/privacy/erase.server.ts'
import { hours, seconds } from '../platform/clock.ts'
import { deleteOldChanges, recordChange } from './record-change.server.ts'

/** An enquiry is seen within a second; the rest is for a busy machine. */
const BOUND = seconds(1) + seconds(0.7)

suite('Event stream', async () => {
  const { a, b, ana, bo, open, kindsOf, untilHeard } = await openLiveNodes()
  const { config, db, clock } = a.services
  const { databaseUrl } = config

  test('a new enquiry is heard on every node within a second', async () => {
    const heard = [await open(ana), await open(bo)]
    const watch = stopwatch()
    const reply = await a.browser().fetch('/api/contact', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(visitor),
    })
    const { reference } = await reply.json()
    const { id } = await db
      .selectFrom('messages')
      .select('id')
      .where('reference', '=', reference)
      .executeTakeFirstOrThrow()
    for (const stream of heard) await untilHeard(stream, id, 'new')
    const [took, tookAtRest] = [watch.passed(), watch.passedAtRest()]
    assert.ok(tookAtRest < BOUND, `${took} ms`)
    for (const stream of heard) await stream.close()
  })

  test('everything that staff do to a message is heard on the other node, and its deletion as one', async () => {
    const id = await storeMessage(a)
    const stream = await open(bo)
    const actions: Record<string, () => Promise<unknown>> = {
      note: () => ana.note(id, 'A note'),
      read: () => ana.change(id, { isRead: false }),
      status: () => ana.change(id, { status: 'waiting' }),
      assign: () => ana.change(id, { assignee: 'me' }),
      tags: () => ana.change(id, { tags: ['urgent'] }),
      call: () => ana.browser.send('POST', `/api/messages/${id}/calls`, { body: 'A call' }),
      forward: () => ana.browser.send('POST', `/api/messages/${id}/forward`),
      async undo() {
        const { id: replyId } = await ana.reply(id, 'Dear Mai')
        await ana.undo(id, replyId)
      },
    }
    const recorded = db.selectFrom('changes').select('id').where('message_id', '=', id)
    const count = async () => (await recorded.execute()).length
    for (const [name, act] of Object.entries(actions)) {
      const before = await count()
      await act()
      assert.ok((await count()) > before, name)
    }
    const { id: replyId } = await ana.reply(id, 'Dear Mai')
    const before = await count()
    passUndoTime(a)
    await untilDelivered(a, replyId)
    assert.equal(await count(), before + 1, 'delivery')
    await bo.browser.send('DELETE', `/api/messages/${id}`)
    await untilHeard(stream, id, 'deleted')
    const heard = stream.events.filter(({ kind, messageId }) => kind === 'changed' && messageId === id)
    // What happens while a stream opens may be heard twice, with the same change in its id.
    assert.equal(new Set(heard.map(event => event.id.split('-')[1])).size, before + 1)
    await stream.close()
  })

  test('a client that comes back gets what it has missed, and an old enquiry that was stored late', async () => {
    const [first, second] = [await storeMessage(a), await storeMessage(a)]
    const before = await open(ana)
    await bo.change(first, { status: 'waiting' })
    await untilHeard(before, first)
    await before.close()
    const last = before.events.at(-1)?.id ?? ''
    await bo.change(second, { status: 'waiting' })
    const late = await storeMessage(a, { id: newId(new Date(clock().getTime() - seconds(50))) })
    const after = await open(ana, { 'last-event-id': last })
    await untilHeard(after, second)
    assert.deepEqual(kindsOf(after, first).includes('changed'), false, 'that is known')
    assert.deepEqual(kindsOf(after, late), ['new'])
    const later = await storeMessage(a, { id: newId(new Date(clock().getTime() - seconds(50))) })
    await untilHeard(after, later, 'new')
    const ids = after.events.map(({ id }) => id)
    assert.deepEqual(ids, [...ids].sort())
    assert.equal(new Set(ids).size, ids.length)
    await after.close()
    for (const odd of ['x', '-1', '1-1', '9999999999999-999999999999999', `${'9'.repeat(400)}-1`]) {
      const stream = await open(ana, { 'last-event-id': odd })
      assert.equal(stream.status, 200, odd)
      await stream.close()
    }
  })

  test('no change is missed, however the transactions that record them overlap', async () => {
    const stream = await open(bo)
    const random = randomFrom('overlapping transactions')
    const ids = Array.from({ length: 40 }, () => newId(clock()))
    const change = async (node: TestApp, id: string) =>
      await inTransaction(node.services.db, async transaction => {
        recordChange(transaction, clock, id)
        await new Promise(resolve => setTimeout(resolve, random() * 30))
        await sql`select 1`.execute(transaction)
      })
    await Promise.all(ids.map((id, at) => change(at % 2 ? a : b, id)))
    await until(() => ids.every(id => kindsOf(stream, id).length > 0))
    assert.ok(ids.every(id => kindsOf(stream, id).length === 1))
    await stream.close()
  })

  test('changes are kept for an hour, and their numbers are never used again', async () => {
    const change = async () =>
      await inTransaction(db, async transaction => recordChange(transaction, clock, newId(clock())))
    const numbers = async () =>
      (await db.selectFrom('changes').select('id').orderBy('id').execute()).map(({ id }) => id)
    await change()
    await change()
    const last = (await numbers()).at(-1) ?? 0
    a.wait(hours(1) - seconds(10))
    await deleteOldChanges(db, clock)
    assert.ok((await numbers()).includes(last - 1))
    a.wait(seconds(20))
    await deleteOldChanges(db, clock)
    assert.ok(!(await numbers()).includes(last - 1))
    await change()
    assert.deepEqual((await numbers()).slice(-2), [last, last + 1])
    a.wait(-hours(1) - seconds(10))
  })

  test('of a person who is erased, only that messages are gone is heard', async () => {
    const email = 'erased@visitor.test'
    const id = await storeMessage(a, { email })
    const stream = await open(bo)
    await erasePerson(a.services, email, 'E-1')
    await untilHeard(stream, id, 'deleted')
    await stream.close()
  })

  test('a change is heard again soon after the connection that listens has broken', {
    skip: !databaseUrl,
  }, async () => {
    const id = await storeMessage(a)
    const stream = await open(bo)
    const listening = sql<{ pid: number }>`select pid from pg_stat_activity
      where datname = current_database() and query like 'listen%'`
    await until(async () => (await listening.execute(db)).rows.length === 1)
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query like 'listen%'`.execute(db)
    await ana.change(id, { status: 'waiting' })
    await untilHeard(stream, id)
    await until(async () => (await listening.execute(db)).rows.length === 1)
    assert.equal(b.console.filter(line => line.includes('Listening for changes failed')).length, 1)
    await stream.close()
    await until(async () => (await listening.execute(db)).rows.length === 0)
  })
})
