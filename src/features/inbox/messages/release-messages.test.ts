// In a process of its own: it measures turns of the event loop.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { signInToInbox, storeMessage } from '../../../../tests/support/conversation.ts'
import { longestTurn } from '../../../../tests/support/longest-turn.ts'
import { storeMessages } from '../../../../tests/support/messages.ts'
import { createStaff } from '../../../../tests/support/staff.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { untilWaiting } from '../../../../tests/support/waiting.ts'
import { lockUser } from '../../../auth/lock-user.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { logs } from '../../logs/contract.ts'
import { users } from '../../users/contract.ts'
import { messages } from '../contract.ts'
import { giveDrafts, MAX_DRAFT } from '../drafts/drafts.server.ts'
import { releaseLost } from './release-messages.server.ts'

/** Milliseconds for which nothing may block other requests. */
const MAX_BLOCKED = 50

suite('Messages of somebody who can no longer answer', async () => {
  const testApp = await openTestApp()
  const { db } = testApp.services
  const admin = await signInToInbox(testApp, 'admin')

  async function assign(userId: string) {
    const ids = []
    for (const status of ['open', 'waiting', 'closed'] as const) {
      const id = await storeMessage(testApp)
      await admin.change(id, { status, assignee: userId })
      ids.push(id)
    }
    return ids
  }

  async function read(id: string) {
    const { message, entries } = await admin.open(id)
    return { assignee: message.assignee?.id, version: message.version, last: entries.at(-1) }
  }

  const losses = {
    'loses the permission to answer': async (id: string) =>
      await admin.browser.call(users.change, { id, inbox: 'read' }),
    'becomes a viewer': async (id: string) =>
      await admin.browser.call(users.change, { id, role: 'viewer', inbox: 'read' }),
    'is deleted': async (id: string) => await admin.browser.call(users.delete, { id }),
  }

  for (const [loss, lose] of Object.entries(losses))
    test(`nobody has the open and waiting messages of a colleague who ${loss}, and their history says so`, async () => {
      const { id } = await signInToInbox(testApp)
      const [open = '', waiting = '', closed = ''] = await assign(id)
      const before = await read(open)
      await admin.browser.call(users.change, { id, name: 'Another name' })
      assert.equal((await read(open)).assignee, id, 'another change leaves them')
      await lose(id)
      for (const message of [open, waiting]) {
        const { assignee, last } = await read(message)
        assert.deepEqual([assignee, last?.body, last?.author], [undefined, 'released', null])
        assert.equal(last?.detail, 'Another name')
      }
      assert.equal((await read(open)).version, before.version + 1)
      assert.equal((await read(closed)).assignee, loss === 'is deleted' ? undefined : id)
      const { messages: free } = await admin.browser.call(messages.list, { assignee: 'none', status: 'open' })
      assert.ok(free.some(message => message.id === open))
    })

  test('what a colleague who leaves has to do is given to another, with the drafts, and their name stays (found I8)', async () => {
    const ravi = await signInToInbox(testApp)
    const mei = await signInToInbox(testApp)
    await admin.browser.call(users.change, { id: ravi.id, name: 'Ravi Shah' })
    const [open = '', waiting = '', closed = ''] = await assign(ravi.id)
    const { id: replyId } = await ravi.reply(closed, 'Here is the list.')
    await ravi.note(open, 'Rings at four')
    await ravi.draft(open, 'reply', 'Dear Mai')
    await ravi.draft(waiting, 'note', 'Ask her')
    await mei.draft(open, 'reply', 'Mine')
    assert.deepEqual(await admin.browser.call(users.work, { id: ravi.id }), {
      success: true,
      ...{ enquiries: 2, drafts: 2 },
    })
    for (const assignTo of [ravi.id, (await createStaff(testApp, 'editor')).id, 'nobody']) {
      const refused = await admin.browser.send('DELETE', `/api/users/${ravi.id}`, { assignTo })
      assert.equal(refused.status, 400)
    }
    await admin.browser.call(users.delete, { id: ravi.id, assignTo: mei.id })
    const [first, second, third] = await Promise.all([open, waiting, closed].map(id => mei.open(id)))
    assert.deepEqual([first?.message.assignee?.id, second?.message.assignee?.id], [mei.id, mei.id])
    assert.equal(third?.message.assignee, null)
    const given = first?.entries.at(-1)
    assert.deepEqual([given?.body, given?.author?.id, given?.detail], ['assigned', admin.id, mei.name])
    assert.deepEqual(
      [first?.drafts.map(it => it.body), second?.drafts.map(it => [it.kind, it.body])],
      [['Mine\n\nDear Mai'], [['note', 'Ask her']]],
    )
    const gone = { id: null, name: 'Ravi Shah' }
    assert.deepEqual(
      first?.notes.map(it => it.author),
      [gone],
    )
    assert.deepEqual(third?.entries.find(it => it.id === replyId)?.author, gone)
    const assigned = first?.entries.find(it => it.body === 'assigned')
    assert.equal(assigned?.detail, 'Ravi Shah')
    assert.equal(third?.entries.at(-1)?.detail, 'Ravi Shah')
    const { logs: entries } = await admin.browser.call(logs.list, { userId: ravi.id })
    assert.ok(entries.length > 0)
    for (const entry of entries) assert.deepEqual([entry.user, entry.formerUser], [null, 'Ravi Shah'])
  })

  test('a change of access that takes away answering can give the work to a colleague, too (found I8)', async () => {
    const ravi = await signInToInbox(testApp)
    const mei = await signInToInbox(testApp)
    const [open = ''] = await assign(ravi.id)
    await ravi.draft(open, 'reply', 'Dear Mai')
    await admin.browser.call(users.change, { id: ravi.id, inbox: 'read', assignTo: mei.id })
    const { message, drafts } = await mei.open(open)
    assert.deepEqual([message.assignee?.id, drafts.map(it => it.body)], [mei.id, ['Dear Mai']])
  })

  test('a draft for which a colleague has no room is lost by no change of access and no deletion, and the admin learns whom to ask (found I8)', async () => {
    const ravi = await signInToInbox(testApp)
    const mei = await signInToInbox(testApp)
    const [open = '', waiting = ''] = await assign(ravi.id)
    await ravi.draft(waiting, 'reply', 'Dear Mai')
    await ravi.draft(open, 'note', 'Ask her')
    await mei.draft(open, 'note', 'Mine')
    const { reference } = (await mei.open(open)).message
    const fill = async (body: string) =>
      await db.updateTable('drafts').set({ body }).where('user_id', '=', mei.id).execute()
    await fill('漢'.repeat(MAX_DRAFT))
    for (const [method, body] of [
      ['PATCH', { inbox: 'read', assignTo: mei.id }],
      ['DELETE', { assignTo: mei.id }],
    ] as const) {
      const refused = await admin.browser.send(method, `/api/users/${ravi.id}`, body)
      const { code, message } = await refused.json()
      assert.deepEqual([refused.status, code], [409, 'draft_full'])
      assert.ok(message.includes(`${mei.name}'s draft about ${reference}`), message)
      assert.equal((await ravi.open(open)).drafts.length, 1, 'nothing has changed')
    }
    await fill('Mine')
    await admin.browser.call(users.delete, { id: ravi.id, assignTo: mei.id })
    assert.deepEqual(
      (await mei.open(open)).drafts.map(it => it.body),
      ['Mine\n\nAsk her'],
    )
  })

  test('drafts go to nobody who may no longer answer, and all that have room go while one has none (found I8)', async () => {
    const ravi = await signInToInbox(testApp)
    const mei = await signInToInbox(testApp)
    const ids = await assign(ravi.id)
    for (const id of ids) await ravi.draft(id, 'reply', 'Dear Mai')
    const [, full = ''] = ids.toSorted()
    await mei.draft(full, 'reply', 'Mine')
    // Counted as characters it has room, and as what a draft holds it has none.
    const body = '😀'.repeat(MAX_DRAFT / 2)
    await db.updateTable('drafts').set({ body }).where('user_id', '=', mei.id).execute()
    const giving = { from: ravi.id, to: mei.id }
    await assert.rejects(giveDrafts(testApp.services, giving), { status: 409 })
    const left = async () => {
      const rows = await db.selectFrom('drafts').selectAll().where('user_id', '=', ravi.id).execute()
      return rows.map(row => row.message_id)
    }
    assert.deepEqual(await left(), [full])
    await db.deleteFrom('drafts').where('user_id', '=', mei.id).execute()
    await db.updateTable('users').set({ inbox: 'read' }).where('id', '=', mei.id).execute()
    await assert.rejects(giveDrafts(testApp.services, giving), { status: 409 })
    assert.deepEqual(await left(), [full])
  })

  /** A message of somebody who loses the permission once it is as `prepare` makes it. */
  async function storeLeft(prepare: (id: string) => Promise<unknown>) {
    const { id: userId } = await createStaff(testApp, 'editor', undefined, 'answer')
    const id = await storeMessage(testApp)
    await admin.change(id, { assignee: userId })
    await prepare(id)
    await admin.browser.call(users.change, { id: userId, inbox: 'read' })
    assert.equal((await read(id)).assignee, userId, 'what is done with keeps its assignee')
    return id
  }
  const mergeAway = async (id: string) => {
    const into = await storeMessage(testApp)
    await admin.browser.send('PUT', `/api/messages/${id}/merge`, { into })
  }

  const comebacks: Record<string, readonly ((id: string) => Promise<unknown>)[]> = {
    'opened again': [
      async id => await admin.change(id, { status: 'closed' }),
      async id => await admin.change(id, { status: 'open' }),
    ],
    'no spam after all': [
      async id => await admin.change(id, { status: 'spam' }),
      async id => await admin.change(id, { status: 'waiting' }),
    ],
    'not merged any more': [
      mergeAway,
      async id => await admin.browser.send('DELETE', `/api/messages/${id}/merge`),
    ],
    'what an open one is merged into': [
      async id => await admin.change(id, { status: 'closed' }),
      async id =>
        await admin.browser.send('PUT', `/api/messages/${await storeMessage(testApp)}/merge`, { into: id }),
    ],
    'closed by a reply that is taken back': [
      async id => await admin.reply(id, 'Done', { status: 'closed' }),
      async id => {
        const { entries } = await admin.open(id)
        await admin.undo(id, entries.find(({ kind }) => kind === 'reply')?.id ?? '')
      },
    ],
  }

  for (const [comeback, [prepare, comeBack]] of Object.entries(comebacks))
    test(`nobody has a message of a colleague who can no longer answer when it is ${comeback}`, async () => {
      const id = await storeLeft(async message => await prepare?.(message))
      await comeBack?.(id)
      const { message, entries } = await admin.open(id)
      assert.deepEqual([message.assignee, message.status === 'closed'], [null, false])
      assert.ok(entries.some(({ body, author }) => body === 'unassigned' && author?.id === admin.id))
    })

  test('a message that is opened again keeps a colleague who may answer', async () => {
    const { id } = await createStaff(testApp, 'editor', undefined, 'answer')
    const [, , closed = ''] = await assign(id)
    await admin.change(closed, { status: 'open' })
    assert.equal((await read(closed)).assignee, id)
  })

  test('messages of somebody who can no longer answer are released a few at a time, also after an interruption', async () => {
    const { id } = await createStaff(testApp, 'editor', undefined, 'read')
    const ids = await storeMessages(testApp, Array(250).fill({ assignee_id: id }))
    const left = db.selectFrom('messages').select('id').where('assignee_id', '=', id)
    let asked = 0
    await releaseLost(testApp.services, () => asked++ > 0)
    assert.equal((await left.execute()).length, 150, 'the process ended')
    const blocked = await longestTurn(() => releaseLost(testApp.services, () => false))
    assert.ok(blocked < MAX_BLOCKED, `${blocked} ms`)
    assert.deepEqual(await left.execute(), [])
    const events = db.selectFrom('entries').select('id').where('body', '=', 'released')
    assert.equal((await events.where('message_id', 'in', ids).execute()).length, 250)
  })

  test('nobody is given a message while they lose the permission to answer', async () => {
    const { id } = await createStaff(testApp, 'editor', undefined, 'answer')
    const message = await storeMessage(testApp)
    let assigned: Promise<Response> | undefined
    await inTransaction(db, async transaction => {
      await lockUser(transaction, id)
      await transaction.updateTable('users').set({ inbox: 'read' }).where('id', '=', id).execute()
      assigned = admin.change(message, { assignee: id })
      await untilWaiting(db, 1)
    })
    assert.equal((await assigned)?.status, 400)
    assert.equal((await read(message)).assignee, undefined)
  })
})
