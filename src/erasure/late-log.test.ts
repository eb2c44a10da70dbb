import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { eraseWhile } from '../../tests/support/erasing.ts'
import { storeMessages } from '../../tests/support/messages.ts'
import { openTestApp } from '../../tests/support/test-app.ts'
import { erasePerson } from '../features/privacy/erase.server.ts'

const ANA = 'ana@visitor.test'

suite('Log entries that are written while their person is erased', async () => {
  const testApp = await openTestApp()
  const { services } = testApp
  const { db, log, flushLog } = services

  async function isInLog(id: string) {
    await flushLog()
    return JSON.stringify(await db.selectFrom('logs').select('details').execute()).includes(id)
  }

  test('a log entry that a server has not yet stored goes with its person', async () => {
    const [messageId = ''] = await storeMessages(testApp, [{ email: ANA }])
    await eraseWhile(testApp, ANA, {
      after: async transaction => transaction.afterCommit(() => log('info', 'API', 'Late', { messageId })),
    })
    assert.equal(await isInLog(messageId), false)
  })

  test('after a failure at the end of an erasure, another run finds the log entries that name only an id', async () => {
    const [messageId = '', other = ''] = await storeMessages(testApp, [{ email: ANA }, {}])
    let isOver = false
    const failing = db.withPlugin({
      transformQuery({ node }) {
        if (isOver) throw new Error('the database is away')
        return node
      },
      transformResult: async ({ result }) => result,
    })
    const meanwhile = eraseWhile({ services: { ...services, db: failing } }, ANA, {
      after: async transaction =>
        transaction.afterCommit(() => {
          for (const id of [messageId, other]) log('info', 'API', 'Late', { messageId: id })
          isOver = true
        }),
    })
    await assert.rejects(meanwhile, /the database is away/)
    assert.equal(await isInLog(messageId), true)
    const { messages, deletedEntries } = await erasePerson(services, ANA, 'ER-TEST-0002')
    assert.deepEqual([messages, deletedEntries], [0, 1])
    assert.deepEqual([await isInLog(messageId), await isInLog(other)], [false, true])
  })
})
