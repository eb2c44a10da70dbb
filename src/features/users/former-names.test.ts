import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { signInToInbox, storeMessage } from '../../../tests/support/conversation.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { newId } from '../../database/id.ts'
import { days } from '../../platform/clock.ts'
import { users } from './contract.ts'
import { deleteUnusedNames } from './store.server.ts'

suite('The name of a deleted user', async () => {
  const testApp = await openTestApp()
  const { db } = testApp.services
  const admin = await signInToInbox(testApp, 'admin')
  const later = (count: number) => () => new Date(Date.now() + days(count))
  const names = async () => (await db.selectFrom('former_users').select('id').execute()).map(({ id }) => id)

  test('is kept while an entry, a note or a log entry names the user, and no longer (found I8)', async () => {
    const ravi = await signInToInbox(testApp)
    const messageId = await storeMessage(testApp)
    await admin.change(messageId, { assignee: ravi.id })
    await ravi.note(messageId, 'Rings at four')
    await ravi.reply(messageId, 'Here is the list.')
    await admin.browser.call(users.delete, { id: ravi.id })
    // As many others before and after theirs as are read in several pages.
    const rows = Array.from({ length: 2100 }, (_, at) => ({
      ...({
        id: newId(new Date(Date.now() + at - 1050)),
        level: 'info',
        source: 'API',
        message: 'x',
      } as const),
      ...{ details: '{}', ip_address: null, user_id: null, user_agent: null, created_at: '2026-01-01' },
    }))
    for (let at = 0; at < rows.length; at += 500)
      await db
        .insertInto('logs')
        .values(rows.slice(at, at + 500))
        .execute()
    const references = [
      () => db.deleteFrom('notes').where('author_id', '=', ravi.id).execute(),
      () => db.deleteFrom('entries').where('author_id', '=', ravi.id).execute(),
      () => db.deleteFrom('entries').where('detail', '=', ravi.id).execute(),
      () => db.deleteFrom('logs').where('user_id', '=', ravi.id).execute(),
    ]
    for (const forget of references) {
      await deleteUnusedNames(db, later(2))
      assert.deepEqual(await names(), [ravi.id])
      await forget()
    }
    await deleteUnusedNames(db, later(0))
    assert.deepEqual(await names(), [ravi.id], 'the log of the last day may not be complete')
    await deleteUnusedNames(db, later(2))
    assert.deepEqual(await names(), [])
  })

  for (const table of ['entries', 'notes', 'logs'] as const)
    test(`is kept while only ${table} name the user (found I8)`, async () => {
      const ravi = await signInToInbox(testApp)
      const messageId = await storeMessage(testApp)
      await ravi.note(messageId, 'Rings at four')
      await ravi.reply(messageId, 'Here is the list.')
      await admin.browser.call(users.delete, { id: ravi.id })
      if (table !== 'notes') await db.deleteFrom('notes').where('author_id', '=', ravi.id).execute()
      if (table !== 'entries') await db.deleteFrom('entries').where('author_id', '=', ravi.id).execute()
      if (table !== 'logs') await db.deleteFrom('logs').where('user_id', '=', ravi.id).execute()
      await deleteUnusedNames(db, later(2))
      assert.ok((await names()).includes(ravi.id))
    })
})
