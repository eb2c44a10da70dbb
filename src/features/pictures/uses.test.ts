import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { addPage, pageBody } from '../../../tests/support/content.ts'
import { addPicture, drawPng, upload } from '../../../tests/support/pictures.ts'
import { createStaff, signInAs } from '../../../tests/support/staff.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { until } from '../../../tests/support/until.ts'
import { recordDraftPictures, recordVersionPictures } from '../../content/documents.server.ts'
import { inTransaction } from '../../database/transaction.ts'
import { days, isoAfter } from '../../platform/clock.ts'
import { removePicture } from './api.server.ts'
import { pictures as calls } from './contract.ts'

suite('The uses of a picture', async () => {
  const testApp = await openTestApp()
  const { services } = testApp
  const { db, clock } = services
  const editor = await signInAs(testApp, (await createStaff(testApp, 'editor')).email)

  /** Names a picture, or none, in the draft. What the form offers for it is another test's matter. */
  async function name(id: string, picture: string | null) {
    await recordDraftPictures(db, id, picture ? [picture] : [])
  }
  /** As if the version that was published last had named the picture. */
  async function nameInLast(id: string, picture: string) {
    const query = db.selectFrom('content_versions').select('id').where('document_id', '=', id)
    const { id: version } = await query.orderBy('number', 'desc').limit(1).executeTakeFirstOrThrow()
    await recordVersionPictures(db, version, JSON.stringify({ picture }))
  }
  async function publish(id: string, liveFrom?: string) {
    const { draft } = await (await editor.fetch(`/api/content/${id}`)).json()
    return await editor.send('POST', `/api/content/${id}/publish`, { revision: draft.revision, liveFrom })
  }
  const usesOf = async (picture: string) =>
    (await editor.call(calls.list, {})).pictures.find(({ id }) => id === picture)?.uses
  const remove = async (id: string) => await editor.send('DELETE', `/api/content/pictures/${id}`)

  test('a picture is needed by drafts and by what is live or scheduled, and not by the past (W16)', async () => {
    const picture = await addPicture(editor)
    const { id, path } = await addPage(editor)
    const use = { documentId: id, title: 'Fees', path }
    await name(id, picture)
    assert.deepEqual(await usesOf(picture), [{ ...use, isLive: false, isNeeded: true }])
    assert.equal((await publish(id)).status, 200)
    await nameInLast(id, picture)
    await name(id, null)
    assert.deepEqual(await usesOf(picture), [{ ...use, isLive: true, isNeeded: true }])
    const refused = await remove(picture)
    assert.equal(refused.status, 409)
    const { code, uses } = await refused.json()
    assert.deepEqual([code, uses], ['picture_in_use', [{ ...use, isLive: true, isNeeded: true }]])
    assert.equal((await publish(id)).status, 200)
    assert.deepEqual(await usesOf(picture), [{ ...use, isLive: false, isNeeded: false }])
    assert.equal((await publish(id, isoAfter(clock, days(1)))).status, 200)
    await nameInLast(id, picture)
    assert.deepEqual(await usesOf(picture), [{ ...use, isLive: false, isNeeded: true }])
    assert.equal((await remove(picture)).status, 409)
    await editor.send('POST', `/api/content/${id}/unpublish`)
    assert.deepEqual(await usesOf(picture), [{ ...use, isLive: false, isNeeded: false }])
    assert.equal((await remove(picture)).status, 200)
  })

  test('saving a draft forgets the pictures that it names no longer', async () => {
    const { id, path } = await addPage(editor)
    const picture = 'a'.repeat(32)
    const body = JSON.stringify({ ...pageBody(path), hero: { picture } })
    await db.updateTable('content_drafts').set({ body }).where('document_id', '=', id).execute()
    const stored = async () => {
      const query = db.selectFrom('content_draft_pictures').select('picture_id')
      return (await query.where('document_id', '=', id).execute()).map(row => row.picture_id)
    }
    await recordDraftPictures(db, id, [picture])
    assert.deepEqual(await stored(), [picture])
    const { draft } = await (await editor.fetch(`/api/content/${id}`)).json()
    await editor.send('PUT', `/api/content/${id}/draft`, { body: pageBody(path), revision: draft.revision })
    assert.deepEqual(await stored(), [])
  })

  test('a page that names a missing picture is not published (W16)', async () => {
    const { id, path } = await addPage(editor)
    const missing = 'b'.repeat(32)
    const body = JSON.stringify({ ...pageBody(path), hero: { picture: missing } })
    await db.updateTable('content_drafts').set({ body }).where('document_id', '=', id).execute()
    const reply = await publish(id)
    assert.equal(reply.status, 400)
    assert.equal((await reply.json()).errors['hero.picture'], 'This picture has been deleted')
  })

  test('a page that comes back from deletion does not go live without its picture (W16)', async () => {
    const bytes = drawPng(40, 30)
    const { picture } = await (await upload(editor, bytes)).json()
    const { id, path } = await addPage(editor)
    assert.equal((await publish(id)).status, 200)
    const body = JSON.stringify({ ...pageBody(path), hero: { picture: picture.id } })
    await db.updateTable('content_versions').set({ body }).where('document_id', '=', id).execute()
    await nameInLast(id, picture.id)
    await editor.send('DELETE', `/api/content/${id}`)
    assert.equal((await remove(picture.id)).status, 200)
    const refused = await editor.send('POST', `/api/content/${id}/unarchive`)
    assert.equal(refused.status, 409)
    assert.match((await refused.json()).message, /^A picture of this page has been deleted/)
    await upload(editor, bytes)
    assert.equal((await editor.send('POST', `/api/content/${id}/unarchive`)).status, 200)
    assert.equal((await remove(picture.id)).status, 409)
  })

  test('a publication waits for a deletion, so no live page loses its picture (W16)', async () => {
    const picture = await addPicture(editor)
    const { id, path } = await addPage(editor)
    const body = JSON.stringify({ ...pageBody(path), hero: { picture } })
    await db.updateTable('content_drafts').set({ body }).where('document_id', '=', id).execute()
    const [removed, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const deletion = inTransaction(db, async transaction => {
      await removePicture({ ...services, db: transaction }, picture, { log: services.log })
      removed.resolve()
      await release.promise
    })
    await removed.promise
    let hasEnded = false
    const publication = publish(id).finally(() => {
      hasEnded = true
    })
    // SQLite has one writer, so there it waits in any case.
    if (services.config.databaseUrl) await until(async () => hasEnded || (await isWaiting()))
    release.resolve()
    await deletion
    const reply = await publication
    assert.equal(reply.status, 400)
    assert.equal((await reply.json()).errors['hero.picture'], 'This picture has been deleted')
  })

  async function isWaiting() {
    const query = sql<{ pid: number }>`select pid from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`
    return (await query.execute(db)).rows.length > 0
  }
})
