import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { undoBulk } from '../../../../tests/support/bulk.ts'
import { signInToInbox } from '../../../../tests/support/conversation.ts'
import { storeMessages } from '../../../../tests/support/messages.ts'
import { createStaff, signInAs } from '../../../../tests/support/staff.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { days, isoAfter } from '../../../platform/clock.ts'
import { listFilterOf } from '../messages/list.server.ts'
import { findMessages } from './bulk.server.ts'
import { type Bulk, type BulkChange, type BulkResult, bulk } from './contract.ts'
import { findAll } from './run-bulk.ts'

suite('Changing many messages while others work on them', async () => {
  const testApp = await openTestApp()
  const { db, clock } = testApp.services
  const ana = await signInToInbox(testApp)
  const admin = await signInToInbox(testApp, 'admin')

  const storeSome = async (count: number) => await storeMessages(testApp, Array(count).fill({}))
  async function undo(result: Pick<BulkResult, 'undo'>) {
    const { changed, failed } = await undoBulk(ana.browser, result)
    return [changed, failed] as const
  }
  const stateOf = async (id: string) => {
    const { status, assignee, tags, snoozedUntil, isRead } = (await ana.open(id)).message
    return [status, assignee?.name ?? null, tags.join(), snoozedUntil, isRead]
  }
  const alone = (id: string) => ({ id, status: 409, message: 'Somebody else has changed this enquiry' })

  test('undoing gives each message what it had before the action, also what the screen had not shown', async () => {
    const later = isoAfter(clock, days(3))
    const open = { is_read: 0, status: 'open', assignee_id: null, snoozed_until: null } as const
    const ids = await storeMessages(testApp, [
      { ...open, is_read: 1, status: 'waiting' },
      { ...open, assignee_id: admin.id, snoozed_until: later },
      { ...open, snoozed_until: isoAfter(clock, -1) },
      { ...open, status: 'closed', assignee_id: ana.id, is_read: 1 },
    ])
    await ana.change(ids[0] ?? '', { tags: ['new', 'old'] })
    const before = await Promise.all(ids.map(stateOf))
    const wanted: BulkChange = { status: 'closed', assignee: 'me', addTags: ['new'], isRead: true }
    const result = await ana.browser.call(bulk.change, { ids, change: wanted })
    for (const id of ids.slice(1))
      assert.deepEqual(await stateOf(id), ['closed', ana.name, 'new', null, true])
    assert.deepEqual(await undo(result), [result.undo.map(({ id }) => id), []])
    before[2]?.splice(3, 1, null)
    assert.deepEqual(await Promise.all(ids.map(stateOf)), before, 'but a snooze that had ended has ended')
    const closed = await ana.browser.call(bulk.change, { ids, change: { status: 'closed' } })
    assert.ok(!closed.undo.some(({ id }) => id === ids[3]), 'what was closed already has nothing to undo')
  })

  test('undoing leaves alone what a colleague has changed since, and says of how many messages (G20)', async () => {
    const ids = await storeSome(6)
    const [reopened = '', given = '', tagged = '', same = '', read = '', gone = ''] = ids
    const result = await ana.browser.call(bulk.change, { ids, change: { status: 'spam' } })
    await admin.change(reopened, { status: 'waiting' })
    await admin.change(given, { assignee: 'me' })
    await admin.change(tagged, { tags: ['keep'] })
    await admin.change(same, { status: 'open' })
    await admin.change(read, { isRead: true })
    await admin.browser.send('DELETE', `/api/messages/${gone}`)
    const [changed, failed] = await undo(result)
    assert.deepEqual(changed, [same, read], 'what is so already counts, and reading is no change')
    const notFound = { id: gone, status: 404, message: 'This enquiry no longer exists' }
    assert.deepEqual(failed, [alone(reopened), alone(given), alone(tagged), notFound])
    assert.deepEqual(await stateOf(reopened), ['waiting', null, '', null, false])
    assert.deepEqual(await stateOf(given), ['spam', admin.name, '', null, false])
    assert.deepEqual(await stateOf(tagged), ['spam', null, 'keep', null, false])
    assert.deepEqual(await stateOf(read), ['open', null, '', null, true])
  })

  test('a repeat of an undo whose reply was lost says that all is undone', async () => {
    const ids = await storeSome(3)
    const result = await ana.browser.call(bulk.change, { ids, change: { addTags: ['x'], status: 'closed' } })
    for (let round = 0; round < 2; round++) assert.deepEqual(await undo(result), [ids, []])
    assert.deepEqual(
      (await ana.open(ids[0] ?? '')).entries.map(({ body }) => body),
      ['status', 'tagged', 'status', 'untagged'],
    )
  })

  test('all messages that match are found once, and what arrives or is changed later is left alone (G20)', async () => {
    await db.deleteFrom('messages').execute()
    const ids = await storeMessages(testApp, [
      ...Array(1203).fill({ form_type: 'tracking', status: 'open' }),
      { form_type: 'tracking', status: 'spam' },
      { form_type: 'contact', status: 'open' },
    ])
    const read = (cursor?: string) => ana.browser.call(bulk.find, { formType: 'tracking', cursor })
    const found = await findAll({ read, onProgress: () => {}, isStopped: () => false })
    const { ids: all = [], versions = {}, isWhole } = found ?? {}
    assert.deepEqual([all, isWhole], [ids.slice(0, 1203), true])
    const [late = ''] = await storeMessages(testApp, [{ form_type: 'tracking' }])
    const [answered = '', looked = '', third = ''] = ids
    await ana.change(answered, { assignee: 'me' })
    await ana.change(looked, { isRead: true })
    const some = [answered, looked, third]
    const removed = await admin.browser.call(bulk.change, { ids: some, change: { delete: true }, versions })
    assert.deepEqual([removed.changed, removed.failed], [[looked, third], [alone(answered)]])
    const closing: Bulk = { ids: [answered, ids[3] ?? ''], change: { status: 'closed' }, versions }
    const closed = await ana.browser.call(bulk.change, closing)
    assert.deepEqual([closed.changed, closed.failed], [[ids[3]], [alone(answered)]])
    assert.deepEqual((await ana.browser.call(bulk.change, closing)).changed, [ids[3]], 'and so at a repeat')
    assert.deepEqual([(await stateOf(answered))[0], (await stateOf(late))[0]], ['open', 'open'])
  })

  test('a message is found with the version that matched, also when it is changed at that moment', async () => {
    const [id = ''] = await storeSome(1)
    const { version } = (await ana.open(id)).message
    const work = [async () => await admin.change(id, { status: 'closed' })]
    const watched = db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        await work.pop()?.()
        return result
      },
    })
    const filter = listFilterOf({ status: 'open' }, ana.id, clock)
    const { found } = await findMessages(watched, filter, undefined)
    assert.deepEqual(
      found.filter(message => message.id === id),
      [{ id, version }],
    )
    assert.equal(work.length, 0)
  })

  test('a deletion that does not know of a merge, or of its undoing, leaves the conversation alone', async () => {
    const [kept = '', other = ''] = await storeSome(2)
    const versionsOf = async () => {
      const { found } = await ana.browser.call(bulk.find, {})
      return Object.fromEntries(found.map(({ id, version }) => [id, version]))
    }
    const remove = async (versions: Record<string, number>) => {
      const { changed, failed } = await admin.browser.call(bulk.change, {
        ids: [kept, other],
        change: { delete: true },
        versions,
      })
      assert.deepEqual([changed, failed], [[], [alone(kept), alone(other)]])
    }
    const apart = await versionsOf()
    const path = `/api/messages/${other}/merge`
    assert.equal((await admin.browser.send('PUT', path, { into: kept })).status, 200)
    await remove(apart)
    const { found } = await ana.browser.call(bulk.find, { q: 'sister' })
    assert.ok(!found.some(({ id }) => id === other), 'nobody changes by itself what is merged')
    const together = { [other]: (await ana.open(other)).message.version, ...(await versionsOf()) }
    assert.equal((await admin.browser.send('DELETE', path)).status, 200)
    await remove(together)
  })

  test('who may not read messages finds none to change, and a wrong filter is refused', async () => {
    const stranger = await createStaff(testApp, 'viewer')
    const browser = await signInAs(testApp, stranger.email)
    assert.equal((await browser.fetch('/api/messages/ids')).status, 403)
    for (const query of ['?status=gone', '?cursor=x', '?limit=5', '?order=activity'])
      assert.equal((await ana.browser.fetch(`/api/messages/ids${query}`)).status, 400, query)
  })
})
