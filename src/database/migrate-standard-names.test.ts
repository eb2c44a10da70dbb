import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { Kysely, sql } from 'kysely'
import { createTestDatabase, dropTestDatabase } from '../../tests/support/database.ts'
import { createStaff, signInAs } from '../../tests/support/staff.ts'
import { openTestApp } from '../../tests/support/test-app.ts'
import { messages } from '../features/inbox/contract.ts'
import { users } from '../features/users/contract.ts'
import { migrate } from './migrate.ts'
import { postgresDialect } from './postgres/dialect.ts'
import { sqliteDialect } from './sqlite/dialect.ts'
import type { Tables } from './tables.ts'

const LONG_AGO = '2026-01-05T00:00:00.000Z'
const EMAIL = JSON.stringify({ to: 'a@b.test', fromName: 'A', subject: 'Old', text: 'Old', html: 'Old' })

suite('A database from before its tables were renamed', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'landfall-renamed-'))
  const databaseUrl = await createTestDatabase()
  await writeOldRows()
  const testApp = await openTestApp({ dataDir, databaseUrl })
  const { db } = testApp.services
  after(async () => {
    await rm(dataDir, { recursive: true, force: true })
    if (databaseUrl) await dropTestDatabase(databaseUrl)
  })
  const admin = await signInAs(testApp, (await createStaff(testApp, 'admin')).email)
  const find = async (filter: { q?: string; letter?: 'failed' }) =>
    (await admin.call(messages.list, filter)).messages.map(({ id }) => id)

  /** A row in every table whose name or columns change, in the schema of then. */
  async function writeOldRows() {
    const dialect = databaseUrl
      ? postgresDialect(databaseUrl, 'patient')
      : sqliteDialect(join(dataDir, 'landfall.sqlite'))
    const old = new Kysely<Tables>({ dialect })
    await migrate(old, '0013-erased')
    await sql`insert into users (id, email, name, role, password_hash, is_default, email_verified, created_at, lock_letter_due_at)
      values ('u', 'locked@agency.test', 'Locked', 'viewer', '', 0, 1, ${LONG_AGO}, ${LONG_AGO})`.execute(old)
    for (const [id, text] of [
      ['m1', 'A numbat asks'],
      ['m2', 'A quokka asks'],
    ])
      await sql`insert into messages (id, reference, form_type, name, email, message, is_read, verification, created_at)
        values (${id}, ${`LF-${id}`}, 'contact', 'Visitor', 'v@visitor.test', ${text}, 0, 'unverified:network', ${LONG_AGO})`.execute(
        old,
      )
    await sql`insert into outbox (id, letter, state, attempts, due_at, created_at)
      values ('waiting', ${EMAIL}, 'waiting', 0, ${LONG_AGO}, ${LONG_AGO}),
        ('failed', ${EMAIL}, 'failed', 9, ${LONG_AGO}, ${LONG_AGO}),
        ('sent', ${EMAIL}, 'sent', 1, ${LONG_AGO}, ${LONG_AGO})`.execute(old)
    await sql`insert into gathered_notices (message_id, letter_id, created_at)
      values ('m1', null, ${LONG_AGO}), ('m2', 'failed', ${LONG_AGO})`.execute(old)
    await sql`insert into browser_tries (user_id, token_hash, failed_sign_ins, last_failed_at)
      values ('u', 'hash', 3, ${LONG_AGO})`.execute(old)
    await sql`update decoys set tries = 7 where id = 0`.execute(old)
    await old.destroy()
  }

  test('emails that were waiting, a digest and a lock that were due are sent after the migration', async () => {
    const { mailServer } = testApp
    await mailServer.next(({ subject }) => subject === 'Old')
    const digest = await mailServer.next(({ subject }) => subject === '1 enquiry in one email')
    assert.ok(digest.text?.includes('LF-m1'))
    await mailServer.next(({ recipients }) => recipients.includes('locked@agency.test'))
    const sent = await db.selectFrom('outbox').select('email').where('id', '=', 'sent').executeTakeFirst()
    assert.equal(sent?.email, '')
    const kinds = await db
      .selectFrom('outbox')
      .select('kind')
      .where('id', 'in', ['waiting', 'failed'])
      .orderBy('id')
      .execute()
    assert.deepEqual(
      kinds.map(({ kind }) => kind),
      ['digest', 'account'],
    )
  })

  test('messages are found by their text and by a failed email, old ones and new', async () => {
    assert.deepEqual(await find({ q: 'numbat' }), ['m1'])
    assert.deepEqual(await find({ letter: 'failed' }), ['m2'])
    const row = await db.selectFrom('messages').selectAll().where('id', '=', 'm1').executeTakeFirstOrThrow()
    await db
      .insertInto('messages')
      .values({ ...row, id: 'm3', reference: 'LF-m3', message: 'A bilby asks' })
      .execute()
    assert.deepEqual(await find({ q: 'bilby' }), ['m3'])
    await db.deleteFrom('messages').where('id', '=', 'm1').execute()
    assert.deepEqual(await find({ q: 'numbat' }), [])
  })

  test('failed login attempts are kept by the migration', async () => {
    const byBrowser = await db
      .selectFrom('browser_login_attempts')
      .select('failed_sign_ins')
      .executeTakeFirst()
    assert.equal(byBrowser?.failed_sign_ins, 3)
    const dummy = await db
      .selectFrom('dummy_login_attempts')
      .select('tries')
      .where('id', '=', 0)
      .executeTakeFirst()
    assert.equal(dummy?.tries, 7)
  })

  test('nobody has access to messages after the migration until an admin grants it', async () => {
    const { users: staff } = await admin.call(users.list, {})
    assert.equal(staff.find(({ id }) => id === 'u')?.inbox, 'none')
  })
})
