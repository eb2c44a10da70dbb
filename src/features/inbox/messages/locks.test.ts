import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { passUndoTime, signInToInbox, storeMessage } from '../../../../tests/support/conversation.ts'
import { storeMessages } from '../../../../tests/support/messages.ts'
import { createStaff } from '../../../../tests/support/staff.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { until } from '../../../../tests/support/until.ts'
import { untilWaiting } from '../../../../tests/support/waiting.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { users } from '../../users/contract.ts'
import { lockMessage } from '../history/entries.server.ts'
import { mergeInto } from '../merging/merge.server.ts'

/** How often everything is done at once. */
const TIMES = 3

suite('Work on several messages at once', async () => {
  const testApp = await openTestApp()
  const { db, clock } = testApp.services
  const admin = await signInToInbox(testApp, 'admin')
  const { browser } = admin

  const remove = async (id: string) => await browser.send('DELETE', `/api/messages/${id}`)
  const unmerge = async (id: string) => await browser.send('DELETE', `/api/messages/${id}/merge`)
  const bulk = async (ids: readonly string[], change: object) =>
    await browser.send('POST', '/api/messages/bulk', { ids, change })

  /** The id of the merged message comes first in the order of ids. */
  async function storeMerged() {
    const [kept = '', merged = ''] = await storeMessages(testApp, [{}, {}])
    assert.equal((await browser.send('PUT', `/api/messages/${merged}/merge`, { into: kept })).status, 200)
    return { kept, merged }
  }

  /** Holds a message locked until two calls, one after the other, wait for it. @returns what they reply */
  async function queueFor(id: string, first: () => Promise<Response>, second: () => Promise<Response>) {
    const calls: Promise<Response>[] = []
    await inTransaction(db, async transaction => {
      await lockMessage(transaction, id)
      calls.push(first())
      await untilWaiting(db, 1)
      calls.push(second())
      await untilWaiting(db, 2)
    })
    return (await Promise.all(calls)).map(({ status }) => status)
  }

  test('deleting a message and undoing a merge into it do not wait for each other', async () => {
    const { kept, merged } = await storeMerged()
    assert.deepEqual(
      await queueFor(
        kept,
        () => remove(kept),
        () => unmerge(merged),
      ),
      [200, 404],
    )
  })

  test('deleting a message and sending its failed email again do not wait for each other', async () => {
    const id = await storeMessage(testApp)
    const [now, email] = [clock().toISOString(), JSON.stringify({ to: 'staff@agency.test' })]
    const times = { due_at: now, created_at: now }
    await db
      .insertInto('outbox')
      .values({
        id: `of ${id}`,
        message_id: id,
        kind: 'notice',
        email,
        state: 'failed',
        attempts: 9,
        ...times,
      })
      .execute()
    const retry = async () => await browser.send('POST', `/api/messages/${id}/retry`)
    const [removed, retried] = await queueFor(id, () => remove(id), retry)
    assert.deepEqual([removed, retried], [200, 409])
  })

  test('deletions, merges, their undoing, work in bulk and a colleague who leaves never wait for each other in a circle', async () => {
    for (let time = 0; time < TIMES; time++) {
      const colleague = await createStaff(testApp, 'editor', undefined, 'answer')
      const pairs = await Promise.all(Array.from({ length: 4 }, storeMerged))
      const all = pairs.flatMap(({ kept, merged }) => [kept, merged])
      await bulk(all, { assignee: colleague.id })
      const replies = await Promise.all([
        ...pairs.slice(0, 2).flatMap(({ kept, merged }) => [unmerge(merged), remove(kept)]),
        bulk(all.toReversed(), { status: 'waiting', assignee: colleague.id }),
        browser.send('PATCH', `/api/users/${colleague.id}`, { inbox: 'read' }),
        bulk(
          pairs.slice(2, 3).flatMap(({ kept, merged }) => [kept, merged]),
          { delete: true },
        ),
        ...pairs.slice(2).map(({ merged }) => unmerge(merged)),
        bulk(all, { status: 'open' }),
      ])
      assert.deepEqual(
        replies.map(({ status }) => status).filter(status => status >= 500),
        [],
      )
      await browser.call(users.delete, { id: colleague.id })
    }
    assert.deepEqual(
      testApp.console.filter(line => line.includes('deadlock') || line.includes('"error"')),
      [],
    )
  })

  test('a reply that fails while its message is being merged opens the message that is kept', async () => {
    const [kept = '', other = ''] = await storeMessages(testApp, [{}, {}])
    await admin.change(kept, { status: 'closed' })
    const { id } = await admin.reply(other, 'Too large', { status: 'closed' })
    testApp.mailServer.behaviour = 'too large'
    await inTransaction(db, async transaction => {
      await mergeInto({ ...testApp.services, db: transaction }, { id: other, into: kept }, admin.id)
      passUndoTime(testApp)
      await untilWaiting(db, 1)
    })
    const row = db.selectFrom('outbox').select('state').where('id', '=', id)
    await until(async () => (await row.executeTakeFirst())?.state === 'failed')
    testApp.mailServer.behaviour = 'accept'
    const opened = await Promise.all([kept, other].map(each => admin.open(each)))
    assert.deepEqual(
      opened.map(({ message }) => message.status),
      ['open', 'closed'],
    )
  })
})
