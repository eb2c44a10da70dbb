import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { publishPage } from '../../tests/support/content.ts'
import { createTestDatabase, dropTestDatabase } from '../../tests/support/database.ts'
import { stopwatch } from '../../tests/support/processor-time.ts'
import { createStaff, signInAs } from '../../tests/support/staff.ts'
import { openTestApp } from '../../tests/support/test-app.ts'
import { until } from '../../tests/support/until.ts'
import { openDatabase } from '../database/open.ts'
import { content } from '../features/content-editor/contract.ts'
import { deleteOldCheckpoints } from '../features/privacy/retention.server.ts'
import type { Log } from '../log/logger.ts'
import { days, systemClock } from '../platform/clock.ts'
import { samplePages } from '../sample/pages.server.ts'
import { sampleContent } from '../sample/site.server.ts'
import { createFirstContent } from './first-content.server.ts'
import { addFacts, listFacts, listFactsToReview, openContentStore } from './store.server.ts'

suite('Stored content', async () => {
  const testApp = await openTestApp()
  const { services } = testApp
  const { db, clock, log } = services
  const editor = await signInAs(testApp, (await createStaff(testApp, 'editor')).email)

  async function newPlace() {
    const dataDir = await mkdtemp(join(tmpdir(), 'landfall-first-'))
    const databaseUrl = await createTestDatabase()
    after(async () => {
      await rm(dataDir, { recursive: true })
      if (databaseUrl) await dropTestDatabase(databaseUrl)
    })
    return { dataDir, databaseUrl }
  }

  test('several nodes that start at once on an empty database write the first content once', async () => {
    const empty = await openDatabase(await newPlace())
    after(() => empty.destroy())
    await Promise.all(
      Array.from({ length: 8 }, () => createFirstContent(empty, systemClock, sampleContent, samplePages)),
    )
    const documents = await empty.selectFrom('content_documents').select('path').orderBy('id').execute()
    assert.deepEqual(
      documents.map(({ path }) => path),
      ['/', ...samplePages.documents(sampleContent.site).map(({ path }) => path)],
    )
    const names = await empty.selectFrom('facts').select('name').execute()
    assert.equal(new Set(names.map(({ name }) => name)).size, names.length)
  })

  test('a new installation shows the sample pages, and its staff can edit them', async () => {
    const fresh = await openTestApp({}, { samples: samplePages })
    const { documents, site } = fresh.services.content.read()
    const fees = documents.get('/fees')
    assert.equal(fees?.content.body.title, 'What our work costs')
    assert.ok([...site.menu, ...site.footerPages].some(({ path }) => path === '/fees'))
    const published = documents.get('/news/english-test-dates')?.liveFrom
    assert.equal(published, '2026-07-20T00:00:00.000Z')
    const admin = await signInAs(fresh, (await createStaff(fresh, 'admin')).email)
    const listed = (await admin.call(content.list, { limit: 200 })).documents
    assert.equal(listed.length, documents.size + 1)
    assert.ok(listed.every(({ state }) => state === 'live'))
    const id = fees?.documentId ?? ''
    const { draft, live } = await admin.call(content.open, { id })
    assert.deepEqual(draft.body, live?.body)
    const body = { ...draft.body, title: 'Our fees' }
    const { revision } = await admin.call(content.saveDraft, { id, body, revision: draft.revision })
    assert.equal((await admin.call(content.publish, { id, revision })).version.number, 2)
    assert.equal(fresh.services.content.read().documents.get('/fees')?.content.body.title, 'Our fees')
  })

  test('a clock that is years behind does not keep a site from being served', async () => {
    const empty = await openDatabase(await newPlace())
    after(() => empty.destroy())
    await createFirstContent(empty, systemClock, sampleContent)
    const store = await openContentStore({ db: empty, clock: () => new Date('2001-01-01'), log })
    after(() => store.close())
    assert.equal(store.read().content.company.siteName, sampleContent.site.company.siteName)
  })

  test('content that cannot be read is logged once, and once more when it can be', async () => {
    const own = await openDatabase(await newPlace())
    after(() => own.destroy())
    await createFirstContent(own, systemClock, sampleContent)
    const logged: string[] = []
    const keep: Log = (level, _source, message) => void logged.push(`${level}: ${message}`)
    const store = await openContentStore({ db: own, clock: systemClock, log: keep })
    after(() => store.close())
    const rename = async (from: string, to: string) =>
      await own.schema.alterTable(from).renameTo(to).execute()
    await rename('facts', 'facts_away')
    for (let time = 0; time < 3; time++) await store.refresh()
    assert.deepEqual(logged, ['error: The content cannot be read'])
    assert.equal(store.read().revision, 1, 'visitors get what was live before')
    await rename('facts_away', 'facts')
    for (let time = 0; time < 3; time++) await store.refresh()
    assert.deepEqual(logged.slice(1), ['info: The content can be read again'])
  })

  test('an edited site is not replaced at the next start', async () => {
    const { documents } = await editor.call(content.list, { kind: 'site' })
    const id = documents[0]?.id ?? ''
    const { draft } = await editor.call(content.open, { id })
    const body = { ...draft.body, disclaimer: 'Our own words.' }
    const { revision } = await editor.call(content.saveDraft, { id, body, revision: draft.revision })
    await editor.call(content.publish, { id, revision })
    await createFirstContent(db, clock, sampleContent)
    const next = await openContentStore({ db, clock, log })
    next.close()
    assert.equal(next.read().content.disclaimer, 'Our own words.')
  })

  test('a publication shows on another node within a second, and once', async () => {
    const other = await openContentStore({ db, clock, log })
    let changes = 0
    other.onChange(async () => void changes++)
    const { path } = await publishPage(editor)
    const watch = stopwatch()
    await until(() => other.read().documents.has(path))
    assert.ok(watch.passedAtRest() < 2000, 'a second, and one for a busy machine')
    other.close()
    assert.equal(changes, 1)
  })

  test('a version that this node cannot read leaves what was live before', async () => {
    const { id, path } = await publishPage(editor)
    const before = services.content.read().documents.get(path)
    const { versionId } = before ?? { versionId: '' }
    const row = await db
      .selectFrom('content_versions')
      .selectAll()
      .where('id', '=', versionId)
      .executeTakeFirstOrThrow()
    const newer = { ...row, id: `${id}-newer`, number: 2, schema: 99 }
    await db.insertInto('content_versions').values(newer).execute()
    const publication = { id: 1_000_000, document_id: id, version_id: newer.id, set_by: 'A newer node' }
    const now = clock().toISOString()
    await db
      .insertInto('content_publications')
      .values({ ...publication, live_from: now, created_at: now })
      .execute()
    await services.content.refresh()
    assert.deepEqual(services.content.read().documents.get(path), before)
    assert.ok(testApp.console.some(line => line.includes('A version of the content cannot be read')))
  })

  test('a fact that is checked again shows at once, and is no longer to be reviewed', async () => {
    const [fact] = (await listFacts(db)).values()
    assert.ok(fact)
    assert.deepEqual(await listFactsToReview(db, fact.reviewBy), [])
    assert.ok((await listFactsToReview(db, '2027-07-02')).some(({ name }) => name === fact.name))
    await addFacts(db, clock, [{ ...fact, value: 'Another', reviewBy: '2028-07-01' }], 'Alex Sample')
    assert.ok(!(await listFactsToReview(db, '2027-07-02')).some(({ name }) => name === fact.name))
    await services.content.refresh()
    assert.equal(services.content.read().facts.get(fact.name)?.value, 'Another')
    assert.match(JSON.stringify(services.content.read().content), /"value":"Another"/)
  })

  test('a draft that a restore replaced is kept for ninety days, and what was published for ever', async () => {
    const { id, path } = await publishPage(editor)
    const save = async (title: string) => {
      const { draft } = await editor.call(content.open, { id })
      const body = { ...draft.body, title }
      return (await editor.call(content.saveDraft, { id, body, revision: draft.revision })).revision
    }
    await editor.call(content.publish, { id, revision: await save('Second') })
    await save('Replaced')
    await editor.call(content.restore, { id, number: 2 })
    const numbers = async () =>
      (
        await db
          .selectFrom('content_versions')
          .select('number')
          .where('document_id', '=', id)
          .orderBy('number')
          .execute()
      ).map(({ number }) => number)
    const later = (time: number) => () => new Date(clock().getTime() + time)
    await deleteOldCheckpoints(db, later(days(90) - 1000))
    assert.deepEqual(await numbers(), [1, 2, 3])
    await deleteOldCheckpoints(db, later(days(90) + 1000))
    assert.deepEqual(await numbers(), [1, 2])
    assert.ok(services.content.read().documents.has(path))
    const { version } = await editor.call(content.publish, { id, revision: await save('Fourth') })
    assert.equal(version.number, 4, 'the number of a version that was deleted is never used again')
  })

  test('a version that a node of an older version added uses up its number', async () => {
    const { id, revision } = await publishPage(editor)
    await db.updateTable('content_documents').set({ last_version: 0 }).where('id', '=', id).execute()
    assert.equal((await editor.call(content.publish, { id, revision })).version.number, 2)
  })
})
