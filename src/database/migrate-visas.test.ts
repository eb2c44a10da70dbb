import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { openUnmigratedDatabase } from '../../tests/faults/inspect-database.ts'
import { openBackups } from '../../tests/support/backups.ts'
import { openTestApp } from '../../tests/support/test-app.ts'
import { type Body, parseStored, readBody } from '../content/bodies.ts'
import { createFirstContent } from '../content/first-content.server.ts'
import { openContentStore } from '../content/store.server.ts'
import { listVisas } from '../content/visas.ts'
import { samplePages } from '../sample/pages.server.ts'
import { sampleContent } from '../sample/site.server.ts'
import { migrate } from './migrate.ts'
import type { Database } from './tables.ts'

suite('An installation from before there was one list of visas', async () => {
  const testApp = await openTestApp()
  const { clock, log } = testApp.services
  const { newPlace } = await openBackups(testApp)
  const { site } = sampleContent

  const without = (body: Body, ...keys: readonly string[]): Body =>
    Object.fromEntries(Object.entries(body).filter(([key]) => !keys.includes(key)))

  /** The rows of a new installation as they were then. @param change of what each visa page says */
  async function openOld(change: (body: Body) => Body = body => body) {
    const db = await openUnmigratedDatabase(await newPlace())
    after(() => db.destroy())
    await migrate(db, '0044-former-users')
    await createFirstContent(db, clock, sampleContent, samplePages)
    const old = {
      visaCategories: site.visaCategories.map(visa => without({ ...visa }, 'kind', 'isOnHome')),
    }
    const kinds = await kindsOf(db)
    for (const row of await db.selectFrom('content_versions').selectAll().execute())
      await db
        .updateTable('content_versions')
        .set(older(row, row.document_id))
        .where('id', '=', row.id)
        .execute()
    for (const row of await db.selectFrom('content_drafts').selectAll().execute())
      await db
        .updateTable('content_drafts')
        .set(older(row, row.document_id))
        .where('document_id', '=', row.document_id)
        .execute()
    return db

    function older({ body, schema }: { body: string; schema: number }, id: string) {
      const kind = kinds.get(id) ?? 'page'
      const now = readBody(kind, { body, schema })
      if (kind === 'site') return { body: JSON.stringify({ ...now, ...old }), schema: 1 }
      if (kind !== 'visa') return { body, schema }
      return { body: JSON.stringify(change(without(now, 'cardTitle', 'cardText'))), schema: 1 }
    }
  }

  async function kindsOf(db: Database) {
    const documents = await db.selectFrom('content_documents').select(['id', 'kind']).execute()
    return new Map(documents.map(({ id, kind }) => [id, kind]))
  }

  async function shownIn(db: Database) {
    const store = await openContentStore({ db, clock, log })
    after(store.close)
    return listVisas(store.read()).map(({ title, text, isOnHome, page }) => [
      title,
      text,
      isOnHome,
      page?.path,
    ])
  }

  test('an upgrade gives the words of each card to the page of its visa, in drafts and versions too, and shows what it showed (found E9)', async () => {
    const fresh = await openUnmigratedDatabase(await newPlace())
    after(() => fresh.destroy())
    await migrate(fresh)
    await createFirstContent(fresh, clock, sampleContent, samplePages)
    const db = await openOld()
    await migrate(db)
    assert.deepEqual(await shownIn(db), await shownIn(fresh))
    const kinds = await kindsOf(db)
    for (const table of ['content_versions', 'content_drafts'] as const)
      for (const { body, schema, document_id: id } of await db
        .selectFrom(table)
        .select(['body', 'schema', 'document_id'])
        .execute()) {
        const parsed = parseStored(kinds.get(id) ?? 'page', { body, schema })
        if (parsed.kind === 'site') assert.ok(parsed.body.visaCategories.every(({ kind }) => kind === 'page'))
        if (parsed.kind === 'visa') assert.ok(parsed.body.cardTitle && parsed.body.cardText, table)
      }
  })

  test('an upgrade keeps the description of a visa whose page has other subclasses, and shows both (found E9)', async () => {
    const isSkills = (body: Body) => body.path === '/visas/skills-in-demand-482'
    const subclasses = [{ id: 'other', name: 'Student', numbers: ['500'] }]
    const db = await openOld(body => (isSkills(body) ? { ...body, subclasses } : body))
    await migrate(db)
    const shown = await shownIn(db)
    const [described] = shown.filter(([title]) => title === 'Skills in demand')
    assert.deepEqual(described?.slice(2), [true, undefined])
    assert.deepEqual(shown.at(-1)?.slice(2), [true, '/visas/skills-in-demand-482'])
  })
})
