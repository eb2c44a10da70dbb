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
import { merge } from '../features/inbox/conversation/contract.ts'
import { newId } from './id.ts'
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

suite('A history from before it had columns', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'landfall-history-'))
  const databaseUrl = await createTestDatabase()
  await writeOldRows()
  const testApp = await openTestApp({ dataDir, databaseUrl })
  after(async () => {
    await rm(dataDir, { recursive: true, force: true })
    if (databaseUrl) await dropTestDatabase(databaseUrl)
  })
  const { db } = testApp.services
  const admin = await signInAs(testApp, (await createStaff(testApp, 'admin')).email)

  async function writeOldRows() {
    const dialect = databaseUrl
      ? postgresDialect(databaseUrl, 'patient')
      : sqliteDialect(join(dataDir, 'landfall.sqlite'))
    const old = new Kysely<Tables>({ dialect })
    await migrate(old, '0048-one-list-of-visas')
    for (const [id, status, into] of [
      [IDS.read, 'open', null],
      [IDS.unread, 'closed', IDS.read],
    ] as const)
      await sql`insert into messages
        (id, reference, form_type, name, email, message, is_read, verification, created_at, status, merged_into) values
        (${id}, ${`LF-${id}`}, 'contact', 'Visitor', 'v@visitor.test', 'Hello', 1, 'off', ${LONG_AGO}, ${status}, ${into})`.execute(
        old,
      )
    await insertAsBefore(old, IDS.read, [
      ['event', 'status', 'waiting'],
      ['reply', 'It depends on open questions', 'waiting closed'],
      ['event', 'status', 'closed'],
      ['reply', 'Here is the guide', 'consumer-guide'],
      ['event', 'tagged', '482, open closed'],
      ['event', 'merged', `LF-${IDS.unread}`],
      ['event', 'status', 'open'],
    ])
    await insertAsBefore(old, IDS.unread, [['event', 'merged-into', 'open closed']])
    await old.destroy()
  }

  /** As a node of the previous version writes them. */
  async function insertAsBefore(
    on: Kysely<Tables>,
    id: string,
    rows: readonly (readonly [string, string, string])[],
  ) {
    for (const [at, [kind, body, detail]] of rows.entries())
      await sql`insert into entries (id, message_id, seq, kind, author_id, body, detail, created_at)
        values (${newId(new Date())}, ${id}, ${at + 1}, ${kind}, null, ${body}, ${detail}, ${LONG_AGO})`.execute(
        on,
      )
  }

  const columnsOf = async (id: string) =>
    (
      await db
        .selectFrom('entries')
        .select(['action', 'status_before', 'status_after', 'detail'])
        .where('message_id', '=', id)
        .orderBy('seq')
        .execute()
    ).map(row => Object.values(row))

  test('says in columns what was done, and the statuses before and after it (found S4)', async () => {
    assert.deepEqual(await columnsOf(IDS.read), [
      ['status', null, 'waiting', 'waiting'],
      [null, 'waiting', 'closed', null],
      ['status', 'waiting', 'closed', 'closed'],
      [null, null, null, 'consumer-guide'],
      ['tagged', null, null, '482, open closed'],
      ['merged', 'closed', 'open', `LF-${IDS.unread}`],
      ['status', 'closed', 'open', 'open'],
    ])
    assert.deepEqual(await columnsOf(IDS.unread), [['merged-into', 'open', 'closed', null]])
  })

  test('is shown with what was done, and undoes a merge as before (found S4)', async () => {
    const { entries } = await admin.call(messages.read, { id: IDS.read })
    const closed = entries.find(({ seq, origin }) => seq === 3 && !origin)
    assert.deepEqual(
      [closed?.body, closed?.detail, closed?.action, closed?.statusBefore, closed?.statusAfter],
      ['status', 'closed', 'status', 'waiting', 'closed'],
    )
    await admin.call(merge.undo, { id: IDS.unread })
    const statusOf = async (id: string) => (await admin.call(messages.read, { id })).message.status
    assert.deepEqual([await statusOf(IDS.read), await statusOf(IDS.unread)], ['closed', 'open'])
  })

  test('gets columns for what a node of the previous version still writes (found S4)', async () => {
    await db.deleteFrom('entries').execute()
    await insertAsBefore(db, IDS.read, [
      ['reply', 'Taken back', 'open waiting'],
      ['reply', 'Sent', 'waiting closed'],
      ['event', 'status', 'closed'],
    ])
    const first = db.updateTable('entries').where('seq', '=', 1)
    await first.set({ kind: 'event', body: 'reply-undone', detail: null }).execute()
    const last = db.updateTable('entries').where('seq', '=', 2)
    await last.set({ detail: 'open closed' }).execute()
    assert.deepEqual(await columnsOf(IDS.read), [
      ['reply-undone', null, null, null],
      [null, 'open', 'closed', null],
      ['status', null, 'closed', 'closed'],
    ])
  })
})
