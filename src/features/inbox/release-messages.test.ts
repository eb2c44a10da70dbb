import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { signInToInbox, storeMessage } from '../../../tests/support/conversation.ts'
import { longestTurn } from '../../../tests/support/longest-turn.ts'
import { storeMessages } from '../../../tests/support/messages.ts'
import { createStaff } from '../../../tests/support/staff.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { untilWaiting } from '../../../tests/support/waiting.ts'
import { lockUser } from '../../auth/lock-user.ts'
import { inTransaction } from '../../database/transaction.ts'
import { users } from '../users/contract.ts'
import { messages } from './contract.ts'
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
    'becomes a viewer': async (id: string) => await admin.browser.call(users.change, { id, role: 'viewer' }),
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
        assert.deepEqual([assignee, last?.body, last?.author?.id], [undefined, 'unassigned', admin.id])
      }
      assert.equal((await read(open)).version, before.version + 1)
      assert.equal((await read(closed)).assignee, loss === 'is deleted' ? undefined : id)
      const { messages: free } = await admin.browser.call(messages.list, { assignee: 'none', status: 'open' })
      assert.ok(free.some(message => message.id === open))
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
    const events = db.selectFrom('entries').select('id').where('body', '=', 'unassigned')
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
