import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { signInToInbox, storeMessage } from '../../../../tests/support/conversation.ts'
import { createStaff } from '../../../../tests/support/staff.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { newId } from '../../../database/id.ts'
import { days, isoAfter } from '../../../platform/clock.ts'
import { messages } from '../contract.ts'

suite('Changing a message', async () => {
  const testApp = await openTestApp()
  const { db, clock } = testApp.services
  const ana = await signInToInbox(testApp)
  const bo = await signInToInbox(testApp, 'admin')

  const eventsOf = async (id: string) =>
    (await ana.open(id)).entries.map(({ author, body, detail }) => [author?.id, body, detail])
  const errorsOf = async (id: string, change: object) => {
    const reply = await ana.change(id, change)
    return [reply.status, Object.keys((await reply.json()).errors ?? {})]
  }

  test('a new message is open, nobody has it, and its words are its excerpt', async () => {
    const id = await storeMessage(testApp, { message: `Hello,\n\n${'word '.repeat(100)}` })
    const { message } = await ana.open(id)
    const { status, assignee, tags, snoozedUntil, dueAt, version, excerpt, lastActivityAt } = message
    assert.deepEqual(
      { status, assignee, tags, snoozedUntil, dueAt, version },
      { status: 'open', assignee: null, tags: [], snoozedUntil: null, dueAt: null, version: 1 },
    )
    assert.equal(lastActivityAt, message.createdAt)
    assert.equal(excerpt, `Hello, ${'word '.repeat(31)}`.slice(0, 160))
  })

  test('each change is an event that says who did what, and raises the version', async () => {
    const id = await storeMessage(testApp)
    const until = isoAfter(clock, days(2))
    const replies = [
      await ana.change(id, { assignee: 'me', tags: ['Visa 500', 'urgent', 'URGENT'] }),
      await bo.change(id, { assignee: ana.id, tags: ['urgent'] }),
      await bo.change(id, { snoozedUntil: until, status: 'waiting' }),
      await bo.change(id, { status: 'closed', assignee: null }),
    ]
    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 200, 200, 200],
    )
    const { message } = (await replies.at(1)?.json()) ?? {}
    assert.deepEqual(message.assignee, { id: ana.id, name: ana.name })
    assert.deepEqual([message.tags, message.version], [['urgent'], 3])
    assert.deepEqual(await eventsOf(id), [
      [ana.id, 'assigned', ana.name],
      [ana.id, 'tagged', 'urgent, visa 500'],
      [bo.id, 'untagged', 'visa 500'],
      [bo.id, 'status', 'waiting'],
      [bo.id, 'snoozed', until],
      [bo.id, 'status', 'closed'],
      [bo.id, 'unassigned', null],
      [bo.id, 'unsnoozed', null],
    ])
    assert.deepEqual(
      (await ana.open(id)).entries.map(({ action, statusBefore, statusAfter }) => [
        ...[action, statusBefore, statusAfter],
      ]),
      [
        ['assigned', null, null],
        ['tagged', null, null],
        ['untagged', null, null],
        ['status', 'open', 'waiting'],
        ['snoozed', null, null],
        ['status', 'waiting', 'closed'],
        ['unassigned', null, null],
        ['unsnoozed', null, null],
      ],
    )
    assert.equal((await ana.open(id)).message.version, 5)
  })

  test('a change to what is so already is no event, and reading makes no copy out of date', async () => {
    const id = await storeMessage(testApp)
    await ana.change(id, { status: 'open', assignee: null, tags: [], snoozedUntil: null, isRead: false })
    assert.deepEqual(await eventsOf(id), [])
    await ana.change(id, { isRead: true })
    await ana.change(id, { isRead: false })
    const { message } = await ana.open(id)
    assert.deepEqual([message.isRead, message.version], [false, 1])
    assert.deepEqual(
      (await eventsOf(id)).map(([, event]) => event),
      ['read', 'unread'],
    )
  })

  test('when two assign a message at once, there is one event and the second is refused: case 23 (G13)', async () => {
    for (let round = 0; round < 5; round++) {
      const id = await storeMessage(testApp)
      const replies = await Promise.all(
        [ana, bo].map(colleague => colleague.change(id, { assignee: 'me', version: 1 })),
      )
      assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409])
      const bodies = await Promise.all(replies.map(reply => reply.json()))
      const { code, current } = bodies.find(({ success }) => !success)
      assert.equal(code, 'message_changed')
      const winner = bodies.find(({ success }) => success).message.assignee
      assert.deepEqual(current.assignee, winner)
      assert.deepEqual(
        (await eventsOf(id)).map(([author, event]) => [author, event]),
        [[winner.id, 'assigned']],
      )
    }
  })

  test('only somebody who may answer gets a message, and a wrong value changes nothing', async () => {
    const id = await storeMessage(testApp)
    const reader = await createStaff(testApp, 'viewer', undefined, 'read')
    for (const assignee of [reader.id, newId(clock())])
      assert.deepEqual(await errorsOf(id, { assignee, status: 'closed' }), [400, ['assignee']])
    for (const snoozedUntil of [isoAfter(clock, -1), isoAfter(clock, days(367)), 'tomorrow'])
      assert.deepEqual(await errorsOf(id, { snoozedUntil }), [400, ['snoozedUntil']], snoozedUntil)
    const wrong = ['', '  ', 'a,b', 'a\nb', 'a\u202eb', 'a\u200bb', 'x'.repeat(41)]
    for (const tag of wrong) assert.equal((await ana.change(id, { tags: [tag] })).status, 400, tag)
    const many = Array.from({ length: 21 }, (_, number) => `tag ${number}`)
    assert.equal((await ana.change(id, { tags: many })).status, 400)
    assert.equal((await ana.change(id, { colour: 'red' })).status, 400)
    assert.equal((await ana.change(id, { status: 'lost' })).status, 400)
    assert.equal((await ana.change(newId(clock()), { status: 'open' })).status, 404)
    assert.deepEqual(await eventsOf(id), [])
    assert.equal((await ana.change(id, { tags: many.slice(1) })).status, 200)
  })

  test('a tag is text wherever it is shown', async () => {
    const id = await storeMessage(testApp)
    const tag = `<img src=x> '"; drop table`
    const { message } = await (await ana.change(id, { tags: [tag] })).json()
    assert.deepEqual(message.tags, [tag])
    const found = await ana.browser.call(messages.list, { tag: tag.toUpperCase() })
    assert.deepEqual(
      found.messages.map(it => it.id),
      [id],
    )
    const { tags, staff } = await ana.browser.call(messages.options, {})
    assert.ok(tags.includes(tag))
    assert.deepEqual(tags, tags.toSorted())
    assert.ok(staff.some(it => it.id === ana.id && it.mayAnswer))
    assert.ok(staff.every(({ name }) => name.startsWith('Robin') || name === 'Administrator'))
  })

  test('a deleted user has no messages and no drafts, and what they did stays under their name (found I8)', async () => {
    const id = await storeMessage(testApp)
    const leaver = await signInToInbox(testApp)
    await leaver.change(id, { assignee: 'me' })
    await leaver.draft(id, 'note', 'My draft')
    await leaver.note(id, 'My note')
    await bo.browser.send('DELETE', `/api/users/${leaver.id}`)
    const { message, entries, notes } = await ana.open(id)
    assert.equal(message.assignee, null)
    assert.deepEqual(
      entries.map(({ author, body, detail }) => [author?.id ?? null, body, detail]),
      [
        [null, 'assigned', leaver.name],
        [null, 'released', leaver.name],
      ],
    )
    assert.deepEqual(
      notes.map(({ author, body }) => [author, body]),
      [[{ id: null, name: leaver.name }, 'My note']],
    )
    assert.deepEqual(await db.selectFrom('drafts').select('body').execute(), [])
  })
})
