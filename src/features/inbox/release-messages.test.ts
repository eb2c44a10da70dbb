import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { signInToInbox, storeMessage } from '../../../tests/support/conversation.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { users } from '../users/contract.ts'
import { messages } from './contract.ts'

suite('Messages of somebody who can no longer answer', async () => {
  const testApp = await openTestApp()
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
})
