import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { signInToInbox } from '../../../../tests/support/conversation.ts'
import { storeMessages } from '../../../../tests/support/messages.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import type { Database } from '../../../database/tables.ts'
import { selectMessages } from './select-messages.server.ts'

suite('A message that is changed while it is read', async () => {
  const testApp = await openTestApp()
  const { db } = testApp.services
  const { browser } = await signInToInbox(testApp, 'admin')

  /** Does something when the first statement has its rows. */
  function afterFirst(work: () => Promise<unknown>): Database {
    let isFirst = true
    return db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if (isFirst) {
          isFirst = false
          await work()
        }
        return result
      },
    })
  }

  test('never has old tags with the new version, which would undo those of a colleague', async () => {
    const [id = ''] = await storeMessages(testApp, [{}])
    const tag = async () => {
      const reply = await browser.send('PATCH', `/api/messages/${id}`, { version: 1, tags: ['urgent'] })
      assert.equal(reply.status, 200, await reply.text())
    }
    const [before] = await selectMessages(db, [id])
    const [during] = await selectMessages(afterFirst(tag), [id])
    const [after] = await selectMessages(db, [id])
    assert.equal(during?.message.version, before?.message.version)
    assert.notEqual(after?.message.version, before?.message.version)
    assert.deepEqual(after?.message.tags, ['urgent'])
  })
})
