import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { signInToInbox, storeMessage } from '../../tests/support/conversation.ts'
import { eraseWhile } from '../../tests/support/erasing.ts'
import { storeMessages } from '../../tests/support/messages.ts'
import { openTestApp } from '../../tests/support/test-app.ts'
import { until } from '../../tests/support/until.ts'
import { isPostgres } from '../database/engine.ts'
import { newId } from '../database/id.ts'
import { inTransaction } from '../database/transaction.ts'
import { cannedReplies } from '../features/inbox/canned/contract.ts'
import { conversation, merge } from '../features/inbox/conversation/contract.ts'
import { undoReply } from '../features/inbox/replies/undo-reply.server.ts'
import { indexAll } from '../features/inbox/search/index.server.ts'
import { erasePerson } from '../features/privacy/erase.server.ts'
import { dispatch } from '../mail/dispatch.ts'
import { DeliveryError } from '../mail/mail.ts'
import { PermanentRejection } from '../mail/transport.ts'
import { isoAfter, minutes } from '../platform/clock.ts'
import { eraseAgain } from './erase-again.ts'
import { hashErased } from './erased-list.ts'
import { eraseNewMentions } from './mentions.ts'

const ANA = 'ana@visitor.test'

suite('An erasure while others work', async () => {
  const testApp = await openTestApp()
  const { services } = testApp
  const { db, clock } = services
  const skip = !isPostgres(db) && 'SQLite has one writer'
  const staff = await signInToInbox(testApp, 'admin')

  test('a person is erased while a reply is taken back, and neither fails', { skip }, async () => {
    const id = await storeMessage(testApp)
    const { id: replyId } = await staff.reply(id, 'Dear Mai')
    const { promise: isHalfDone, resolve } = Promise.withResolvers<void>()
    const undoing = undoReply({ ...services, db: pausedAfterDeletion(resolve) }, { id, replyId }, staff.id)
    await isHalfDone
    await Promise.all([undoing, erasePerson(services, ANA, 'ER-TEST-0001')])
  })

  test('what staff wrote about a person is erased while the tags of its message change, and neither fails', {
    skip,
  }, async () => {
    const message_id = await storeMessage(testApp)
    await indexAll(services)
    await staff.browser.call(conversation.addCall, {
      id: message_id,
      body: `Copy ${ANA}.`,
      outcome: 'reached',
    })
    const changes: Promise<unknown>[] = []
    /** Locks what a search reads of the message, and then writes in its history. */
    async function changeTags(onHalfDone: () => void) {
      await inTransaction(db, async transaction => {
        await transaction.insertInto('message_tags').values({ message_id, tag: 'urgent' }).execute()
        onHalfDone()
        const event = { id: newId(clock()), kind: 'event', body: 'tags', detail: 'urgent' } as const
        const row = { ...event, message_id, seq: 9, created_at: isoAfter(clock) }
        await transaction.insertInto('entries').values(row).execute()
      })
    }
    let locked = 0
    const locks = new WeakSet<object>()
    const slow = db.withPlugin({
      transformQuery({ node, queryId }) {
        if (node.kind === 'RawNode' && node.sqlFragments[0]?.startsWith('lock table')) locks.add(queryId)
        return node
      },
      async transformResult({ result, queryId }) {
        // The history comes after the tags.
        if (!locks.has(queryId) || ++locked !== 2) return result
        await new Promise<void>(resolve => changes.push(changeTags(resolve)))
        await until(isSomebodyWaiting)
        return result
      },
    })
    const since = new Date(clock().getTime() - minutes(1))
    assert.equal(await eraseNewMentions(slow, since, address => address === ANA, ANA), 1)
    assert.equal(changes.length, 1)
    await Promise.all(changes)
  })

  async function isSomebodyWaiting(): Promise<boolean> {
    const waiting = sql<{ count: unknown }>`select count(*) as count from pg_locks
      left join pg_database on pg_database.oid = database
      where not granted and (datname is null or datname = current_database())`
    return Number((await waiting.execute(db)).rows[0]?.count) > 0
  }

  /** Pauses after the first deletion until somebody waits for a lock. */
  function pausedAfterDeletion(onPause: () => void) {
    const deletions = new WeakSet<object>()
    let isOver = false
    return db.withPlugin({
      transformQuery({ node, queryId }) {
        if (node.kind === 'DeleteQueryNode') deletions.add(queryId)
        return node
      },
      async transformResult({ result, queryId }) {
        if (isOver || !deletions.has(queryId)) return result
        isOver = true
        onPause()
        await until(isSomebodyWaiting)
        return result
      },
    })
  }

  for (const isPermanent of [true, false])
    test(`what a provider says about a person who was erased meanwhile is not kept, permanent: ${isPermanent}`, async () => {
      const [id, now] = [newId(clock()), isoAfter(clock)]
      const about = { id, kind: 'reply', message_id: await storeMessage(testApp), attempts: 1 } as const
      const email = JSON.stringify({ to: ['mai@visitor.test'], cc: [ANA] })
      const times = { created_at: now, due_at: '9999', leased_until: isoAfter(clock, 10_000) }
      const row = { ...about, ...times, email, state: 'waiting' } as const
      const stored = await db.insertInto('outbox').values(row).returningAll().executeTakeFirstOrThrow()
      const mail = {
        ...services.mail,
        async send() {
          await erasePerson(services, ANA, 'ER-TEST-0002')
          const words = `550 <${ANA}>: no such mailbox`
          const error = isPermanent ? new PermanentRejection(words) : new Error(words)
          throw new DeliveryError({ words, error, isLate: false, problem: null })
        },
      }
      const sender = { ...services, mail, isStopped: () => true, onFailure: async () => {} }
      await dispatch(sender, stored)
      await services.flushLog()
      const left = await db.selectFrom('outbox').selectAll().where('id', '=', id).execute()
      const words = /somebody who was erased meanwhile/
      assert.equal(left[0]?.state, isPermanent ? 'failed' : 'waiting')
      assert.match(left[0]?.last_error ?? '', words)
      const entries = (await db.selectFrom('logs').select('details').execute()).map(it => it.details)
      assert.ok(entries.some(it => it.includes(id) && words.test(it)))
      assert.ok(!JSON.stringify([left, entries]).includes(ANA))
    })

  test('two people whom one log entry names are erased at the same time, and neither comes back', async () => {
    const phone = '+61 400 111 222'
    const her = 'her@visitor.test'
    const [id = '', into = ''] = await storeMessages(testApp, [
      { email: ANA, phone },
      { email: her, phone },
    ])
    await staff.merge(id, into)
    await staff.browser.call(merge.undo, { id })
    await services.flushLog()
    const second = [() => erasePerson(services, her, 'ER-TEST-0004')]
    const slow = db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if (result.rows.some(row => String(row.details ?? '').includes(into))) await second.pop()?.()
        return result
      },
    })
    await erasePerson({ ...services, db: slow }, ANA, 'ER-TEST-0003')
    const left = JSON.stringify(await db.selectFrom('logs').select('details').execute())
    assert.ok(!left.includes(id) && !left.includes(into))
    assert.equal(second.length, 0)
  })

  test('a merge that is stored while a person is erased does not name their message afterwards', async () => {
    const [into = '', id = ''] = await storeMessages(testApp, [{ email: 'bao@visitor.test' }, { email: ANA }])
    const detail = `LF-${id}`
    await eraseWhile(testApp, ANA, {
      async after(transaction) {
        const event = { kind: 'event', body: 'merged', detail, message_id: into, seq: 9 } as const
        const row = { ...event, id: newId(clock()), created_at: isoAfter(clock) }
        await transaction.insertInto('entries').values(row).execute()
      },
    })
    const left = db.selectFrom('entries').select('id').where('detail', '=', detail)
    assert.deepEqual(await left.execute(), [])
  })

  test('a view that is saved or renamed while the person whom it names is erased goes, and no other', async () => {
    const filters = [{ q: ANA }, { q: 'visa', tag: ANA }, { q: `not-${ANA}` }]
    const id = newId(new Date(0))
    const old = { id, user_id: staff.id, name: 'Old', filter: '{"q":"old"}', updated_at: '' }
    await db.insertInto('saved_views').values(old).execute()
    await eraseWhile(testApp, ANA, {
      async after(transaction) {
        const saved = { user_id: staff.id, updated_at: isoAfter(clock) }
        const rows = filters.map((filter, at) => ({
          ...{ id: newId(clock()), name: `View ${at}`, filter: JSON.stringify(filter) },
          ...saved,
        }))
        await transaction.insertInto('saved_views').values(rows).execute()
        const renamed = { name: `Ask ${ANA}`, updated_at: isoAfter(clock) }
        await transaction.updateTable('saved_views').set(renamed).where('id', '=', id).execute()
      },
    })
    const left = await db.selectFrom('saved_views').select('name').execute()
    assert.deepEqual(
      left.map(({ name }) => name),
      ['View 2'],
    )
  })

  test('a person is erased from the title and the texts of a canned reply', async () => {
    const { cannedReply } = await staff.browser.call(cannedReplies.add, {
      title: `Ask ${ANA}`,
      body: `Please copy ${ANA}.`,
      variants: [{ language: 'fr', body: `En copie à ${ANA}.` }],
    })
    assert.equal((await erasePerson(services, ANA, 'ER-TEST-0005')).mentions, 3)
    const row = db
      .selectFrom('canned_replies')
      .select(['title', 'body', 'variants'])
      .where('id', '=', cannedReply.id)
    assert.deepEqual(
      { ...(await row.executeTakeFirst()) },
      {
        title: 'Ask [erased]',
        body: 'Please copy [erased].',
        variants: '[{"language":"fr","body":"En copie à [erased]."}]',
      },
    )
  })

  test('a restore that deletes a merged message lets the reply clock of the other one be worked out again', async () => {
    const due_at = isoAfter(clock)
    const into = await storeMessage(testApp, { due_at, due_rule: 'rule' })
    const id = await storeMessage(testApp, { merged_into: into })
    const [key] = services.keys.erased
    assert.ok(key)
    const erased = { hash: hashErased(key, 'message', id), kind: 'message', key_id: key.id } as const
    await eraseAgain(db, { since: [{ ...erased, erased_at: due_at }], keys: [key], isForced: false })
    const kept = db.selectFrom('messages').select(['due_at', 'due_rule']).where('id', '=', into)
    assert.deepEqual({ ...(await kept.executeTakeFirst()) }, { due_at: null, due_rule: '' })
  })
})
