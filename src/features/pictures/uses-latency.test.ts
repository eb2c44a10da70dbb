import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { newPath } from '../../../tests/support/content.ts'
import { leastOf } from '../../../tests/support/least-of.ts'
import { stopwatch } from '../../../tests/support/processor-time.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { listUses } from '../../pictures/store.server.ts'
import { isoAfter, minutes } from '../../platform/clock.ts'

/** Milliseconds. */
const MAX_TIME = 50

suite('The uses of many pictures', async () => {
  const testApp = await openTestApp()
  const { db, clock } = testApp.services

  test('the uses of fifty pictures on a thousand pages are listed within fifty milliseconds', async () => {
    const now = isoAfter(clock, -minutes(1))
    const pages = Array.from({ length: 1000 }, (_, at) => ({ id: `page-${at}`, path: newPath() }))
    const pictureOf = (at: number) => String(at % 50).padStart(64, '0')
    const edited = { edited_by: 'Robin', edited_at: now, base_version_id: null, base_revision: 0 }
    const version = {
      number: 1,
      schema: 1,
      body: '{}',
      author: 'Robin',
      note: '',
      findings: '[]',
      created_at: now,
    }
    const chunks = [pages.slice(0, 500), pages.slice(500)]
    for (const [half, chunk] of chunks.entries()) {
      const rows = chunk.map((page, at) => ({ ...page, at: half * 500 + at }))
      await db
        .insertInto('content_documents')
        .values(
          rows.map(({ id, path }) => ({ id, path, kind: 'page' as const, language: 'en', created_at: now })),
        )
        .execute()
      await db
        .insertInto('content_versions')
        .values(rows.map(({ id, path }) => ({ id: `v-${id}`, document_id: id, path, ...version })))
        .execute()
      await db
        .insertInto('content_drafts')
        .values(
          rows.map(({ id }) => ({
            document_id: id,
            title: id,
            body: '{}',
            schema: 1,
            revision: 1,
            ...edited,
          })),
        )
        .execute()
      await db
        .insertInto('content_publications')
        .values(
          rows.map(({ id, at }) => ({
            id: 10_000 + at,
            document_id: id,
            version_id: `v-${id}`,
            live_from: now,
            set_by: 'Robin',
            created_at: now,
          })),
        )
        .execute()
      await db
        .insertInto('content_draft_pictures')
        .values(rows.map(({ id, at }) => ({ document_id: id, picture_id: pictureOf(at) })))
        .execute()
      await db
        .insertInto('content_version_pictures')
        .values(rows.map(({ id, at }) => ({ version_id: `v-${id}`, picture_id: pictureOf(at) })))
        .execute()
    }
    const ids = Array.from({ length: 50 }, (_, at) => pictureOf(at))
    const time = await leastOf(5, MAX_TIME, async () => {
      const watch = stopwatch()
      const uses = await listUses(db, clock(), ids)
      const passed = watch.passedAtRest()
      assert.equal(uses.length, 1000)
      assert.ok(uses.every(({ isLive, isNeeded }) => isLive && isNeeded))
      return passed
    })
    assert.ok(time < MAX_TIME, `${time} ms`)
  })
})
