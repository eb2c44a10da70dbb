import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { openUnmigratedDatabase } from '../../tests/faults/inspect-database.ts'
import { openBackups } from '../../tests/support/backups.ts'
import { openTestApp } from '../../tests/support/test-app.ts'
import { migrate } from '../database/migrate.ts'
import { isoAfter } from '../platform/clock.ts'

suite('Content of an older version', async () => {
  const testApp = await openTestApp()
  const { clock } = testApp.services
  const { newPlace } = await openBackups(testApp)

  test('content of a version without reviews keeps its last editor as an author, and counts its versions (W10)', async () => {
    const db = await openUnmigratedDatabase(await newPlace())
    after(() => db.destroy())
    await migrate(db, '0018-content')
    const document = {
      id: 'd',
      kind: 'page',
      language: 'en',
      path: '/p',
      created_at: isoAfter(clock),
    } as const
    await db
      .insertInto('content_documents')
      .values({ ...document, archived_at: null, translation_of: null })
      .execute()
    const version = {
      id: 'v',
      document_id: 'd',
      number: 7,
      path: '/p',
      body: '{}',
      schema: 1,
      findings: '[]',
    }
    await db
      .insertInto('content_versions')
      .values({ ...version, author: 'Robin', note: '', created_at: isoAfter(clock) })
      .execute()
    const base = { title: 'T', body: '{}', schema: 1, base_version_id: null, base_revision: 0 }
    const edited = { edited_by_id: 'u', edited_by: 'Robin', edited_at: isoAfter(clock) }
    await db
      .insertInto('content_drafts')
      .values({ document_id: 'd', revision: 7, ...base, ...edited })
      .execute()
    await migrate(db)
    const documents = await db.selectFrom('content_documents').select('last_version').execute()
    assert.deepEqual(
      documents.map(row => row.last_version),
      [7],
    )
    const editors = await db.selectFrom('content_draft_editors').selectAll().execute()
    assert.deepEqual(
      editors.map(row => ({ ...row })),
      [{ document_id: 'd', user_id: 'u', revision: 7 }],
    )
  })
})
