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
import { migrate } from './migrate.ts'
import { postgresDialect } from './postgres/dialect.ts'
import { sqliteDialect } from './sqlite/dialect.ts'
import type { Tables } from './tables.ts'

const LONG_AGO = '2026-01-05T00:00:00.000Z'
const IDS = {
  read: '019b8ba0-0000-7000-8000-000000000001',
  unread: '019b8ba0-0000-7000-8000-000000000002',
  later: '019b8ba0-0000-7000-8000-000000000003',
}

suite('A database from before messages were conversations', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'landfall-conversations-'))
  const databaseUrl = await createTestDatabase()
  await writeOldRows()
  const testApp = await openTestApp({ dataDir, databaseUrl })
  after(async () => {
    await rm(dataDir, { recursive: true, force: true })
    if (databaseUrl) await dropTestDatabase(databaseUrl)
  })
  const admin = await signInAs(testApp, (await createStaff(testApp, 'admin')).email)

  async function writeOldRows() {
    const dialect = databaseUrl
      ? postgresDialect(databaseUrl, 'patient')
      : sqliteDialect(join(dataDir, 'landfall.sqlite'))
    const old = new Kysely<Tables>({ dialect })
    await migrate(old, '0021-pictures')
    for (const [id, isRead] of [
      [IDS.read, 1],
      [IDS.unread, 0],
    ] as const)
      await insertAsBefore(old, id, isRead)
    await sql`insert into entries (id, message_id, seq, kind, author_id, body, created_at)
      values ('e', ${IDS.read}, 1, 'event', null, 'read', ${LONG_AGO})`.execute(old)
    await old.destroy()
  }

  /** As a node of the previous version does, perhaps while this one runs already. */
  async function insertAsBefore(db: Kysely<Tables>, id: string, isRead: 0 | 1) {
    await sql`insert into messages (id, reference, form_type, name, email, message, is_read, verification, created_at)
      values (${id}, ${`LF-${id}`}, 'contact', 'Visitor', 'v@visitor.test', 'Hello', ${isRead}, 'off', ${LONG_AGO})`.execute(
      db,
    )
  }

  test('read messages are closed and unread ones open, and what happened to them is kept', async () => {
    const list = await admin.call(messages.list, {})
    assert.deepEqual(
      list.messages.map(({ id, status, dueAt, version }) => [id, status, dueAt, version]),
      [
        [IDS.unread, 'open', null, 1],
        [IDS.read, 'closed', null, 1],
      ],
    )
    const { entries } = await admin.call(messages.read, { id: IDS.read })
    assert.deepEqual(
      entries.map(({ body, detail, cc }) => [body, detail, cc]),
      [['read', null, []]],
    )
  })

  test('a message that a node of the previous version stores is a conversation too', async () => {
    await insertAsBefore(testApp.services.db, IDS.later, 0)
    const { messages: listed } = await admin.call(messages.list, { order: 'activity' })
    assert.equal(listed.find(({ id }) => id === IDS.later)?.status, 'open')
  })
})
