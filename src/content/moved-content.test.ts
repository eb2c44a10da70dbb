import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { openUnmigratedDatabase } from '../../tests/faults/inspect-database.ts'
import { newPath, pageBody, publishPage } from '../../tests/support/content.ts'
import { createTestDatabase, dropTestDatabase } from '../../tests/support/database.ts'
import { createStaff, signInAs } from '../../tests/support/staff.ts'
import { openTestApp, type TestApp } from '../../tests/support/test-app.ts'
import { backUp } from '../backup/back-up.ts'
import { openBackupFile } from '../backup/backup-file.ts'
import { copyRows } from '../backup/copy-rows.ts'
import { restore } from '../backup/restore.ts'
import { openSqlite } from '../backup/row-snapshot.ts'
import { migrate } from '../database/migrate.ts'
import { openDatabase, sqliteFile } from '../database/open.ts'
import type { Database } from '../database/tables.ts'
import { content } from '../features/content-editor/contract.ts'
import { facts } from '../features/content-editor/facts/contract.ts'
import { reviews } from '../features/content-editor/reviews/contract.ts'
import { createFirstAdmin } from '../features/set-up/first-admin.server.ts'
import { hours, isoAfter } from '../platform/clock.ts'
import { samplePages } from '../sample/pages.server.ts'
import { sampleContent } from '../sample/site.server.ts'
import { createFirstContent, moveFormerSettings } from './first-content.server.ts'
import { openContentStore } from './store.server.ts'

/** Its tables, with their order. */
const tables = {
  content_documents: 'id',
  content_versions: 'id',
  content_drafts: 'document_id',
  content_publications: 'id',
  content_redirects: 'from_path',
  facts: 'id',
  content_draft_editors: 'document_id',
  content_reviews: 'id',
  fact_proposals: 'id',
}
/** The last schema without content, and the one of the release before. */
const oldSchemas = ['0015-inbox-grant', '0017-message-scans'] as const
const skip = !process.env.TEST_DATABASE_URL
const silent = () => {}

suite('Stored content that is moved to another place', async () => {
  const testApp = await openTestApp({}, { samples: samplePages })
  const { clock, log, keys } = testApp.services
  const [key] = keys.backups
  const folder = await mkdtemp(join(tmpdir(), 'landfall-moved-'))
  after(() => rm(folder, { recursive: true, force: true }))
  let files = 0

  async function newPlace(databaseUrl: string | null) {
    if (databaseUrl) after(() => dropTestDatabase(databaseUrl))
    return { dataDir: await mkdtemp(join(folder, 'data-')), databaseUrl }
  }
  type Place = Awaited<ReturnType<typeof newPlace>>

  async function open(place: Place) {
    const db = await openDatabase(place)
    after(() => db.destroy())
    return db
  }

  async function restoreBackup(from: Place) {
    const [file, to] = [join(folder, `${++files}.backup`), await newPlace(await createTestDatabase())]
    await backUp(from, file, { key, clock, progress: silent })
    await restore(await openBackupFile(file, keys.backups), to, async () => {})
    return await open(to)
  }

  async function copy(from: Place) {
    const databaseUrl = (await createTestDatabase()) ?? ''
    const source = openSqlite(sqliteFile(from))
    await copyRows(source, databaseUrl, silent).finally(() => source.close())
    return await open({ ...from, databaseUrl })
  }

  /** An installation of a schema without content. */
  async function addOld(schema: (typeof oldSchemas)[number], databaseUrl: string | null) {
    const place = await newPlace(databaseUrl)
    const old = await openUnmigratedDatabase(place)
    await migrate(old, schema)
    const setting = { key: 'site_name', value: 'Our Agency', updated_at: isoAfter(clock) }
    await old.insertInto('settings').values(setting).execute()
    await createFirstAdmin(old, clock, testApp.services.config)
    await old.destroy()
    return place
  }

  async function readStore(db: Database) {
    const store = await openContentStore({ db, clock, log })
    store.close()
    return store.read()
  }

  async function assertShowsFirstSite(db: Database) {
    await createFirstContent(db, clock, sampleContent, samplePages)
    await moveFormerSettings(db, clock)
    const { content, site, documents } = await readStore(db)
    assert.equal(content.agent.name, sampleContent.site.agent.name)
    assert.deepEqual([documents.size, site.menu, site.footerPages], [0, [], []])
    assert.equal(site.company.siteName, 'Our Agency')
    assert.deepEqual(await db.selectFrom('settings').select('value').execute(), [])
    const draft = await db
      .selectFrom('content_drafts')
      .innerJoin('content_documents', 'content_documents.id', 'document_id')
      .where('path', '=', '/')
      .select(['revision', 'base_revision', 'title'])
      .executeTakeFirstOrThrow()
    assert.deepEqual({ ...draft }, { revision: 2, base_revision: 2, title: 'Our Agency' })
  }

  /** Publishes a page, renames it, schedules it and changes its draft, so that every table has rows of it. */
  async function edit(app: TestApp) {
    const editor = await signInAs(app, (await createStaff(app, 'editor')).email)
    const { id, path } = await publishPage(editor)
    const renamed = newPath()
    let revision = 2
    const save = async (title: string) => {
      const body = pageBody(renamed, title)
      revision = (await editor.call(content.saveDraft, { id, body, revision })).revision
    }
    await save('Renamed')
    await editor.call(content.publish, { id, revision })
    await save('Soon')
    await editor.call(content.publish, { id, revision, liveFrom: isoAfter(clock, hours(1)) })
    await save('Not yet')
    await app.services.settings.write('content_needs_review', 'true')
    await editor.call(reviews.ask, { id, revision })
    const { facts: listed } = await editor.call(facts.list, {})
    const { name, fact, revision: seen } = listed[0] ?? assert.fail()
    await editor.call(facts.change, { name, fact: { ...fact, value: 'Not yet' }, revision: seen })
    return { path, renamed }
  }

  async function readRows(db: Database) {
    const rows = Object.entries(tables).map(async ([table, order]) => {
      const query = sql<object>`select * from ${sql.table(table)} order by ${sql.ref(order)}`
      return [table, (await query.execute(db)).rows.map(row => ({ ...row }))] as const
    })
    return Object.fromEntries(await Promise.all(rows))
  }

  async function assertMoved(
    from: Database,
    to: Database,
    { path, renamed }: Record<'path' | 'renamed', string>,
  ) {
    const [before, after] = [await readRows(from), await readRows(to)]
    for (const [table, rows] of Object.entries(before)) assert.ok(rows.length > 0, `${table} has rows`)
    assert.deepEqual(after, before)
    await createFirstContent(to, clock, sampleContent, samplePages)
    const { documents, redirects } = await readStore(to)
    assert.equal(documents.get(renamed)?.content.body.title, 'Renamed')
    assert.equal(redirects.get(path), renamed)
    for (const { path } of samplePages.documents(sampleContent.site)) assert.ok(documents.has(path), path)
  }

  for (const schema of oldSchemas) {
    test(`a backup of the schema ${schema}, without content, is restored and shows its site`, async () => {
      const old = await addOld(schema, await createTestDatabase())
      await assertShowsFirstSite(await restoreBackup(old))
    })

    test(`an installation of the schema ${schema}, without content, is copied and shows its site`, {
      skip,
    }, async () => {
      await assertShowsFirstSite(await copy(await addOld(schema, null)))
    })
  }

  test('a backup has all content, and a restored installation shows it', async () => {
    const page = await edit(testApp)
    await assertMoved(testApp.services.db, await restoreBackup(testApp.services.config), page)
  })

  test('a copy on the other engine has all content, and shows it', { skip }, async () => {
    const onSqlite = await openTestApp({ databaseUrl: null, secretKey: null }, { samples: samplePages })
    const page = await edit(onSqlite)
    await assertMoved(onSqlite.services.db, await copy(onSqlite.services.config), page)
  })
})
