import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { eraseWhile } from '../../tests/support/erasing.ts'
import { storeMessages } from '../../tests/support/messages.ts'
import { openTestApp } from '../../tests/support/test-app.ts'
import { newId } from '../database/id.ts'
import type { Database } from '../database/tables.ts'
import { inTransaction, type Transaction } from '../database/transaction.ts'
import { erasePerson } from '../features/privacy/erase.server.ts'
import { isoAfter, minutes } from '../platform/clock.ts'
import { eraseAgain } from './erase-again.ts'
import { MAX_DELAY } from './erased-list.ts'

const ANA = 'ana@visitor.test'

suite('An enquiry that arrives while its sender is erased', async () => {
  const testApp = await openTestApp()
  const { services } = testApp
  const { db, clock, keys, flushLog } = services

  /** As in a backup that was made in the last moments of the erasure, which is not on its list yet. */
  async function again() {
    const since = await db.selectFrom('erased').selectAll().execute()
    await db.deleteFrom('erased').execute()
    return await eraseAgain(db, { since, keys: keys.erased, isForced: false })
  }
  const listMessages = async () =>
    (await db.selectFrom('messages').select('id').orderBy('id').execute()).map(({ id }) => id)

  /** An enquiry of Ana, as it is stored by a server: with the email to staff, which has her address. */
  const enquire = async (to: Database, age = 0) => await inTransaction(to, it => storeEnquiry(it, age))

  async function storeEnquiry(transaction: Transaction, age: number) {
    const created_at = isoAfter(clock, -age)
    const place = { ...testApp, services: { ...services, db: transaction } }
    const [message_id = ''] = await storeMessages(place, [{ email: ANA, created_at }])
    const email = JSON.stringify({ to: ['staff@agency.test'], text: `From ${ANA}` })
    const notice = {
      id: newId(clock()),
      kind: 'notice',
      state: 'waiting',
      attempts: 0,
      due_at: '9999',
    } as const
    await transaction
      .insertInto('outbox')
      .values({ ...notice, message_id, email, created_at })
      .execute()
    const note = { id: newId(clock()), author_id: null, body: `She writes from ${ANA}.` }
    await transaction
      .insertInto('notes')
      .values({ ...note, message_id, created_at })
      .execute()
    const facts = { messageId: message_id }
    await services.log.within(transaction, 'info', 'FormService', 'Enquiry received', facts)
    return message_id
  }

  /** How often what is stored about a message names Ana. */
  async function countNames(id: string) {
    const emails = await db.selectFrom('outbox').select('email').where('message_id', '=', id).execute()
    const notes = await db.selectFrom('notes').select('body').where('message_id', '=', id).execute()
    return JSON.stringify([emails, notes]).split(ANA).length - 1
  }

  async function isInLog(id: string) {
    await flushLog()
    return JSON.stringify(await db.selectFrom('logs').select('details').execute()).includes(id)
  }

  test('an enquiry that arrives while the log is searched goes with its sender', async () => {
    await enquire(db, minutes(60))
    let arrived = ''
    const searched = db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        const isLog = arrived === '' && result.rows.some(row => 'user_agent' in row)
        if (isLog) arrived = await enquire(db)
        return result
      },
    })
    const { messages, emails } = await erasePerson({ ...services, db: searched }, ANA, 'ER-TEST-0001')
    assert.deepEqual([messages, emails], [2, 2])
    assert.deepEqual([await listMessages(), await isInLog(arrived)], [[], false])
  })

  for (const age of [0, MAX_DELAY - minutes(1)])
    test(`an enquiry that is stored after the deletion stays, and a restore keeps it, although it began ${age} ms before`, async () => {
      const [before, stored] = [await enquire(db, minutes(60)), [] as string[]]
      await eraseWhile(testApp, ANA, {
        after: async transaction => void stored.push(await enquire(transaction, age)),
      })
      const [id = ''] = stored
      for (const step of ['erasure', 'restore']) {
        assert.deepEqual(await listMessages(), [id], step)
        assert.deepEqual([await countNames(id), await isInLog(id), await isInLog(before)], [2, true, false])
        const { messages, emails, mentions } = await again()
        assert.deepEqual([messages, emails, mentions], [0, 0, 0])
      }
      await db.deleteFrom('messages').execute()
    })

  test('a restore deletes again what came moments before the erasure, with the log about it', async () => {
    const id = await enquire(db)
    const rows = await db.selectFrom('messages').selectAll().execute()
    const logs = await db.selectFrom('logs').selectAll().where('details', 'like', `%${id}%`).execute()
    assert.equal((await erasePerson(services, ANA, 'ER-TEST-0002')).messages, 1)
    await db.insertInto('messages').values(rows).execute()
    await db.insertInto('logs').values(logs).execute()
    const { messages, deletedEntries } = await again()
    assert.deepEqual([messages, deletedEntries], [1, 1])
    assert.deepEqual([await listMessages(), await isInLog(id)], [[], false])
  })
})
