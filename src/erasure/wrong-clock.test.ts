import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { openBackups } from '../../tests/support/backups.ts'
import { storeMessages } from '../../tests/support/messages.ts'
import { openTestApp } from '../../tests/support/test-app.ts'
import { openBackupFile } from '../backup/backup-file.ts'
import { restore } from '../backup/restore.ts'
import { newId } from '../database/id.ts'
import { openDatabase } from '../database/open.ts'
import type { ErasedRow } from '../database/tables.ts'
import { erasePerson } from '../features/privacy/erase.server.ts'
import { days, hours, isoAfter } from '../platform/clock.ts'
import { eraseAgain } from './erase-again.ts'

suite('A person who was erased while the clock was wrong', async () => {
  const testApp = await openTestApp()
  const { db, clock, keys, log, flushLog } = testApp.services
  const { makeBackup, newPlace } = await openBackups(testApp)
  const [other = ''] = await storeMessages(testApp, [{ email: 'bao@visitor.test' }])

  /** An enquiry, a note about its sender on another one, and a log entry. */
  async function enquire(email: string) {
    const created_at = isoAfter(clock)
    const [message = ''] = await storeMessages(testApp, [{ email, created_at }])
    const note = { id: newId(clock()), author_id: null, body: `Ask ${email}.`, created_at }
    await db
      .insertInto('notes')
      .values({ ...note, message_id: other })
      .execute()
    log('warning', 'EmailService', 'The provider complained', { error: `550 ${email} is unknown` })
    await flushLog()
    return { message, note: note.id }
  }

  async function eraseWith(skew: number, email: string) {
    testApp.wait(skew)
    await erasePerson(testApp.services, email, 'ER-TEST-0001')
    testApp.wait(-skew)
  }

  /** What a restored database has of an address. @param since the list of the database that it replaces */
  async function bringBack(file: string, email: string, since: readonly ErasedRow[]) {
    const [place, backup] = [await newPlace(), await openBackupFile(file, keys.backups)]
    const options = { since, keys: keys.erased, isForced: false, madeAt: backup.createdAt }
    await restore(backup, place, copy => eraseAgain(copy, options))
    const copy = await openDatabase(place)
    after(() => copy.destroy())
    const messages = await copy.selectFrom('messages').select(['id', 'email']).execute()
    const notes = await copy.selectFrom('notes').selectAll().execute()
    const logs = await copy.selectFrom('logs').select('details').execute()
    return {
      messages: messages.filter(row => row.email === email).map(({ id }) => id),
      notes: notes.filter(({ body }) => body.includes(email)).map(({ id }) => id),
      entries: logs.filter(({ details }) => details.includes(email)).length,
    }
  }

  const listNow = async () => await db.selectFrom('erased').selectAll().execute()

  for (const [name, skew] of [
    ['a year', days(365)],
    ['an hour', hours(1)],
  ] as const)
    test(`what somebody writes after an erasure that is dated ${name} ahead outlasts a restore (found K10)`, async () => {
      const email = `${newId(clock())}@visitor.test`
      await enquire(email)
      await eraseWith(skew, email)
      const later = await enquire(email)
      const file = await makeBackup()
      for (const since of [[], await listNow()]) {
        const { messages, notes, entries } = await bringBack(file, email, since)
        assert.deepEqual([messages, notes, entries], [[later.message], [later.note], 1])
      }
      // Once the time of the erasure has passed, the enquiry is still later than the erasure.
      testApp.wait(skew + hours(1))
      const { messages } = await bringBack(await makeBackup(), email, [])
      assert.deepEqual(messages, [later.message])
    })

  for (const [name, skew] of [
    ['ahead', days(365)],
    ['behind', -days(365)],
  ] as const)
    test(`somebody who was erased after the backup, by a clock that was a year ${name}, does not come back (found K10)`, async () => {
      const email = `${newId(clock())}@visitor.test`
      await enquire(email)
      const file = await makeBackup()
      await eraseWith(skew, email)
      assert.deepEqual(await bringBack(file, email, await listNow()), { messages: [], notes: [], entries: 0 })
    })
})
