// In a process of its own: it measures turns of the event loop.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { atLength } from '../../../../tests/support/at-length.ts'
import { signInToInbox, storeMessage } from '../../../../tests/support/conversation.ts'
import { longestTurn } from '../../../../tests/support/longest-turn.ts'
import { storeMessages } from '../../../../tests/support/messages.ts'
import { createStaff } from '../../../../tests/support/staff.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { until } from '../../../../tests/support/until.ts'
import { newId } from '../../../database/id.ts'
import { days, isoAfter } from '../../../platform/clock.ts'
import { type BulkResult, bulk, MAX_BULK } from './contract.ts'

/** Milliseconds for which no call may block other requests. */
const MAX_BLOCKED = 50

/** What a call holds up others for, all of them do; a garbage collection meets one of them. */
const CALLS = 3

suite('Changing many messages', async () => {
  const testApp = await openTestApp()
  const { db, clock } = testApp.services
  const ana = await signInToInbox(testApp)
  const admin = await signInToInbox(testApp, 'admin')

  async function change(
    ids: string[],
    wanted: object,
    who = ana,
  ): Promise<Pick<BulkResult, 'changed' | 'failed'>> {
    const { changed, failed } = await who.browser.call(bulk.change, { ids, change: wanted })
    return { changed, failed }
  }
  const send = async (body: object, who = ana) => await who.browser.send('POST', '/api/messages/bulk', body)
  const storeSome = async (count: number) => await storeMessages(testApp, Array(count).fill({}))
  const eventsOf = async (id: string) =>
    (await ana.open(id)).entries.map(({ author, body, detail }) => [author?.id, body, detail])

  const count = atLength(300, MAX_BULK)
  test(`${count} messages are changed in one call, which blocks nobody for 50 ms and loses none (N6)`, async () => {
    const turns: number[] = []
    for (let call = 0; call < CALLS; call++) {
      const ids = await storeSome(count)
      let result: Pick<BulkResult, 'changed' | 'failed'> | undefined
      const turn = await longestTurn(async () => {
        result = await change(ids, { status: 'spam' })
      })
      turns.push(turn)
      assert.deepEqual(result, { changed: ids, failed: [] })
    }
    assert.ok(Math.min(...turns) < MAX_BLOCKED, `${turns} ms`)
    const spam = db.selectFrom('messages').select('id').where('status', '=', 'spam')
    assert.equal((await spam.execute()).length, CALLS * count)
    const events = db.selectFrom('entries').select('id').where('body', '=', 'status')
    assert.equal((await events.execute()).length, CALLS * count)
  })

  test('each changed message has one event for each difference, and a repeat of the call adds none', async () => {
    const ids = await storeSome(12)
    const [first = '', second = ''] = ids
    await ana.change(first, { status: 'closed' })
    await ana.change(second, { tags: ['old'] })
    const wanted = { status: 'closed', assignee: 'me', addTags: ['New'], isRead: true }
    for (let round = 0; round < 2; round++)
      assert.deepEqual(await change(ids, wanted), { changed: ids, failed: [] })
    const events = [
      [ana.id, 'status', 'closed'],
      [ana.id, 'assigned', ana.name],
      [ana.id, 'tagged', 'new'],
      [ana.id, 'read', null],
    ]
    assert.deepEqual(await eventsOf(first), events)
    assert.deepEqual(await eventsOf(second), [[ana.id, 'tagged', 'old'], ...events])
    assert.deepEqual((await ana.open(second)).message.tags, ['new', 'old'])
    await change(ids, { removeTags: ['new', 'none'] })
    assert.deepEqual((await ana.open(second)).message.tags, ['old'])
  })

  test('a message that is gone, or cannot be changed, is named with its reason, and the others are changed (G20)', async () => {
    const [full = '', gone = '', good = ''] = await storeSome(3)
    const unknown = newId(clock())
    await ana.change(full, { tags: Array.from({ length: 20 }, (_, number) => `tag ${number}`) })
    await admin.browser.send('DELETE', `/api/messages/${gone}`)
    assert.deepEqual(await change([full, gone, good, unknown, good], { addTags: ['one more'] }), {
      changed: [good],
      failed: [
        { id: full, status: 400, message: 'A message has at most 20 tags' },
        { id: gone, status: 404, message: 'This enquiry no longer exists' },
        { id: unknown, status: 404, message: 'This enquiry no longer exists' },
      ],
    })
    assert.equal((await ana.open(full)).message.tags.length, 20)
  })

  test('a message whose change fails unexpectedly is named and logged, and the others are changed', async () => {
    const [first = '', broken = '', last = ''] = await storeSome(3)
    await db.updateTable('messages').set({ details: '{' }).where('id', '=', broken).execute()
    assert.deepEqual(await change([first, broken, last], { status: 'closed' }), {
      changed: [first, last],
      failed: [{ id: broken, status: 500, message: 'Something went wrong on our side. Please try again.' }],
    })
    assert.ok(testApp.console.some(line => line.includes('Message not changed') && line.includes(broken)))
    const row = db.selectFrom('messages').select('status').where('id', '=', broken)
    assert.equal((await row.executeTakeFirstOrThrow()).status, 'open')
  })

  test('messages cannot be given to somebody who has lost the right to answer, and stay as they are', async () => {
    const ids = await storeSome(2)
    const leaver = await createStaff(testApp, 'editor', undefined, 'answer')
    assert.deepEqual((await change(ids, { assignee: leaver.id })).changed, ids)
    await db.updateTable('users').set({ inbox: 'read' }).where('id', '=', leaver.id).execute()
    const others = await storeSome(2)
    const { changed, failed } = await change(others, { assignee: leaver.id, status: 'closed' })
    assert.deepEqual(changed, [])
    assert.deepEqual(
      failed.map(({ id, status }) => [id, status]),
      others.map(id => [id, 400]),
    )
    const { message, entries } = await ana.open(others[0] ?? '')
    assert.deepEqual([message.status, message.assignee, entries], ['open', null, []])
  })

  test('only an admin deletes messages together, each is logged, and a second deletion finds them gone (G20)', async () => {
    const ids = await storeSome(3)
    const denied = await send({ ids, change: { delete: true } })
    assert.equal(denied.status, 403)
    assert.equal((await ana.open(ids[0] ?? '')).message.id, ids[0])
    assert.deepEqual(await change(ids, { delete: true }, admin), { changed: ids, failed: [] })
    for (const id of ids) {
      assert.equal((await ana.browser.fetch(`/api/messages/${id}`)).status, 404)
      assert.ok(testApp.console.some(line => line.includes('Message deleted') && line.includes(id)))
    }
    const again = await change(ids, { delete: true }, admin)
    assert.deepEqual([again.changed, again.failed.map(({ status }) => status)], [[], [404, 404, 404]])
  })

  test('a change of many messages ends with the session that asked for it', async () => {
    const eve = await signInToInbox(testApp)
    const ids = await storeSome(500)
    const reply = eve.browser.send('POST', '/api/messages/bulk', { ids, change: { status: 'closed' } })
    const closed = () =>
      db.selectFrom('messages').select('id').where('id', 'in', ids).where('status', '=', 'closed').execute()
    await until(async () => (await closed()).length > 0)
    await db.deleteFrom('sessions').where('user_id', '=', eve.id).execute()
    const { changed, failed }: BulkResult = await (await reply).json()
    assert.deepEqual(new Set(changed), new Set((await closed()).map(({ id }) => id)))
    assert.equal(changed.length + failed.length, ids.length)
    assert.ok(failed.length > 0 && failed.every(({ status }) => status === 403))
  })

  test('messages stay from the moment on in which the person who deletes them may no longer do so', async t => {
    const sweep = t.mock.method(testApp.services.mailboxSweep, 'request')
    const eve = await signInToInbox(testApp, 'admin')
    const ids = await storeSome(500)
    const reply = eve.browser.send('POST', '/api/messages/bulk', { ids, change: { delete: true } })
    const left = async () =>
      (await db.selectFrom('messages').select('id').where('id', 'in', ids).execute()).length
    await until(async () => (await left()) < ids.length)
    const demoted = { role: 'viewer', inbox: 'answer' } as const
    await db.updateTable('users').set(demoted).where('id', '=', eve.id).execute()
    const { changed, failed }: BulkResult = await (await reply).json()
    assert.ok(failed.length > 0)
    assert.equal(await left(), failed.length)
    assert.equal(sweep.mock.callCount(), 1, 'the emails of those that are gone')
    const counts = `"changed":${changed.length},"failed":${failed.length}`
    assert.ok(
      testApp.console.some(line => line.includes('Messages changed together') && line.includes(counts)),
    )
  })

  test('a call without messages, with too many, or with an unclear change is refused and changes nothing', async () => {
    const id = await storeMessage(testApp)
    const ids = [id]
    const wrong = [
      { ids: [], change: { status: 'closed' } },
      { ids: ['x'], change: { status: 'closed' } },
      { ids: Array(MAX_BULK + 1).fill(id), change: { status: 'closed' } },
      { ids, change: {} },
      { ids, change: { delete: false } },
      { ids, change: { delete: true, status: 'closed' } },
      { ids, change: { status: 'closed', version: 1 } },
      { ids, change: { status: 'gone' } },
      { ids, change: { addTags: ['a,b'] } },
      { ids, change: { status: 'closed' }, versions: { [id]: 0 } },
      { ids, change: { status: 'closed' }, versions: { x: 1 } },
      { ids },
    ]
    for (const body of wrong)
      assert.equal((await send(body, admin)).status, 400, JSON.stringify(body).slice(0, 90))
    const late = await change(ids, { snoozedUntil: isoAfter(clock, days(400)) })
    assert.deepEqual([late.changed, late.failed[0]?.status], [[], 400])
    assert.deepEqual(await eventsOf(id), [])
  })
})
