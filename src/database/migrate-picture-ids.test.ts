import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { Kysely, sql } from 'kysely'
import { openBackups, type Place } from '../../tests/support/backups.ts'
import { pageBody } from '../../tests/support/content.ts'
import { drawPng, upload } from '../../tests/support/pictures.ts'
import { openSite } from '../../tests/support/site.ts'
import { createStaff, signInAs } from '../../tests/support/staff.ts'
import { openTestApp } from '../../tests/support/test-app.ts'
import { newPictureUse } from '../content/picture-use.ts'
import { pictures } from '../features/pictures/contract.ts'
import { migrate } from './migrate.ts'
import { postgresDialect } from './postgres/dialect.ts'
import { sqliteDialect } from './sqlite/dialect.ts'
import type { Tables } from './tables.ts'

const NOW = '2026-10-01T00:00:00.000Z'

for (const [from, isRestored] of [
  ['its database', false],
  ['a backup of it', true],
] as const)
  suite(`An installation from before pictures had random ids, started on ${from}`, async () => {
    const newest = await openTestApp()
    const { newPlace, makeBackup, restoreInto } = await openBackups(newest)
    const [live, draft, scheduled, deleted, unused] = Array.from({ length: 5 }, () => drawPng(32, 24))
    const hashOf = (bytes: Uint8Array = new Uint8Array()) => createHash('sha256').update(bytes).digest('hex')

    const body = (path: string, ...shown: (Uint8Array | undefined)[]) => {
      const blocks = shown.map((bytes, at) => ({
        id: `picture-${at}`,
        type: 'picture',
        picture: { ...newPictureUse({ id: hashOf(bytes), width: 32, height: 24 }), decoration: true },
        caption: `The picture "${at}"`,
      }))
      return JSON.stringify({ ...pageBody(path, 'Fees'), blocks })
    }

    /** The rows of then. */
    async function fill(place: Place) {
      const dialect = place.databaseUrl
        ? postgresDialect(place.databaseUrl, 'patient')
        : sqliteDialect(join(place.dataDir, 'landfall.sqlite'))
      const old = new Kysely<Tables>({ dialect })
      await migrate(old, '0035-answer-indexes')
      for (const bytes of [live, draft, scheduled, unused]) {
        const id = hashOf(bytes)
        await sql`insert into pictures (id, width, height, bytes, uploaded_by, created_at)
        values (${id}, 32, 24, 3, 'Robin', ${NOW})`.execute(old)
        await sql`insert into picture_files (name, picture_id, body)
        values (${`${id}-32.avif`}, ${id}, ${Buffer.from('abc').toString('base64')})`.execute(old)
      }
      for (const [path, liveFrom, shown] of [
        ['/live', NOW, live],
        ['/scheduled', '2999-01-01T00:00:00.000Z', scheduled],
      ] as const) {
        await addDocument(old, path, body(path, draft, shown))
        for (const [number, text] of [body(path, deleted), body(path, shown)].entries()) {
          const version = `${path}-${number}`
          await sql`insert into content_versions (id, document_id, number, path, body, schema, author, note, findings, created_at)
          values (${version}, ${path}, ${number}, ${path}, ${text}, 1, 'Robin', '', '[]', ${NOW})`.execute(
            old,
          )
          await sql`insert into content_version_pictures (version_id, picture_id)
          values (${version}, ${hashOf(number === 0 ? deleted : shown)})`.execute(old)
        }
        await sql`insert into content_publications (id, document_id, version_id, live_from, set_by, created_at)
        values (${path === '/live' ? 101 : 102}, ${path}, ${`${path}-1`}, ${liveFrom}, 'Robin', ${NOW})`.execute(
          old,
        )
      }
      await old.destroy()
    }

    async function addDocument(old: Kysely<Tables>, path: string, text: string) {
      await sql`insert into content_documents (id, kind, language, path, created_at)
      values (${path}, 'page', 'en', ${path}, ${NOW})`.execute(old)
      await sql`insert into content_drafts (document_id, title, body, schema, revision, base_revision, edited_by, edited_at)
      values (${path}, 'Fees', ${text}, 1, 1, 1, 'Robin', ${NOW})`.execute(old)
      for (const bytes of [draft, path === '/live' ? live : scheduled])
        await sql`insert into content_draft_pictures (document_id, picture_id)
        values (${path}, ${hashOf(bytes)})`.execute(old)
    }

    const old = await newPlace()
    await fill(old)
    const place = isRestored ? await newPlace() : old
    if (isRestored) await (await restoreInto(place, await makeBackup(old))).destroy()
    const testApp = await openTestApp(place)
    const { db } = testApp.services
    const site = await openSite(testApp)
    const editor = await signInAs(testApp, (await createStaff(testApp, 'editor')).email)
    const open = async (path: string) => await fetch(`${site.url}${path}`, { redirect: 'manual' })
    const oldUrl = (bytes: Uint8Array | undefined) => `/pictures/${hashOf(bytes)}-32.avif`

    test('an old address leads to the new one while a live page shows the picture, and nowhere otherwise (found A5)', async () => {
      const moved = await open(oldUrl(live))
      assert.equal(moved.status, 301)
      const url = moved.headers.get('location') ?? ''
      assert.match(url, /^\/pictures\/[0-9a-f]{32}-32\.avif$/)
      assert.equal(await (await open(url)).text(), 'abc')
      assert.ok((await (await open('/live')).text()).includes(url.slice(0, -'-32.avif'.length)))
      for (const bytes of [draft, scheduled, deleted, unused, randomBytes(9)])
        assert.equal((await open(oldUrl(bytes))).status, 404)
    })

    test('drafts and versions name every picture by its new id, and none is lost (found A5)', async () => {
      const hashes = [live, draft, scheduled, deleted, unused].map(hashOf)
      for (const table of ['content_drafts', 'content_versions'] as const)
        for (const { body: text } of await db.selectFrom(table).select('body').execute())
          for (const hash of hashes) assert.ok(!text.includes(hash), `${table} has no old id`)
      const { pictures: all } = await editor.call(pictures.list, {})
      assert.equal(all.length, 4)
      const paths = all.flatMap(({ uses }) => uses.filter(use => use.isNeeded).map(({ path }) => path))
      assert.deepEqual(paths.toSorted(), ['/live', '/live', '/scheduled', '/scheduled'])
    })

    test('a file that was uploaded before is the same picture, even after its deletion', async () => {
      const text = async (id: string) => {
        const query = db.selectFrom('content_versions').select('body').where('id', '=', id)
        return (await query.executeTakeFirstOrThrow()).body
      }
      for (const [bytes, version] of [
        [live, '/live-1'],
        [deleted, '/live-0'],
      ] as const) {
        const { picture } = await (await upload(editor, bytes ?? new Uint8Array())).json()
        assert.ok((await text(version)).includes(picture.id))
      }
    })
  })
