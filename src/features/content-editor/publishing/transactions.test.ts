import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { addPage, newPath, pageBody, publishPage } from '../../../../tests/support/content.ts'
import { createStaff, signInAs } from '../../../../tests/support/staff.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { unpublish } from '../archive.server.ts'
import { content } from '../contract.ts'
import { createDocument } from '../create.server.ts'
import { saveDraft } from '../editor/save-draft.server.ts'
import { restoreVersion } from '../history/restore.server.ts'
import { publish } from './publish.server.ts'

suite('Editing in a transaction', async () => {
  const testApp = await openTestApp()
  const { services } = testApp
  const { db, log } = services
  const user = await createStaff(testApp, 'editor')
  const author = { id: user.id, name: user.name }
  const call = { user, log }
  const editor = await signInAs(testApp, user.email)

  async function readAll() {
    await services.content.refresh()
    const [documents, drafts, versions, publications, redirects] = await Promise.all([
      db.selectFrom('content_documents').selectAll().orderBy('id').execute(),
      db.selectFrom('content_drafts').selectAll().orderBy('document_id').execute(),
      db.selectFrom('content_versions').selectAll().orderBy('id').execute(),
      db.selectFrom('content_publications').selectAll().orderBy('id').execute(),
      db.selectFrom('content_redirects').selectAll().orderBy('from_path').execute(),
    ])
    const shown = [...services.content.read().documents]
    return { documents, drafts, versions, publications, redirects, shown }
  }

  /** Does everything that the editor can do, renaming one page and taking another offline. */
  async function editAll(nested: typeof services, [first, second]: readonly [string, string]) {
    const path = newPath()
    const { id } = await createDocument(nested, { kind: 'page', path, title: 'Created' }, call)
    const body = pageBody(path, 'Created')
    const revision = await saveDraft(nested, { id, body, revision: 1 }, author)
    await publish(nested, { id, revision }, call)
    const renamed = pageBody(newPath(), 'Renamed')
    const next = await saveDraft(nested, { id: first, body: renamed, revision: 2 }, author)
    await publish(nested, { id: first, revision: next }, call)
    await restoreVersion(nested, first, 1, call)
    await unpublish(nested, second, call)
  }

  test('what is edited in a transaction that fails is not stored, shown or logged', async () => {
    const [first, second] = [await publishPage(editor), await publishPage(editor)]
    const before = await readAll()
    const printed = testApp.console.length
    const failed = inTransaction(db, async transaction => {
      await editAll({ ...services, db: transaction }, [first.id, second.id])
      throw new Error('undone')
    })
    await assert.rejects(failed, /undone/)
    assert.deepEqual(await readAll(), before)
    assert.deepEqual(
      testApp.console.slice(printed).filter(line => line.includes('Content ')),
      [],
    )
  })

  test('what is edited in one transaction is stored and logged with it', async () => {
    const [first, second] = [await publishPage(editor), await publishPage(editor)]
    const printed = testApp.console.length
    await inTransaction(db, async transaction => {
      await editAll({ ...services, db: transaction }, [first.id, second.id])
      assert.equal(testApp.console.slice(printed).filter(line => line.includes('Content ')).length, 0)
    })
    await services.content.refresh()
    const { documents, redirects } = services.content.read()
    assert.equal(documents.get(redirects.get(first.path) ?? '')?.content.body.title, 'Renamed')
    assert.equal(documents.has(second.path), false)
    const lines = testApp.console
      .slice(printed)
      .flatMap(line => /"message":"(Content [^"]*)"/.exec(line)?.[1] ?? [])
    assert.deepEqual(lines, [
      'Content added',
      'Content published',
      'Content published',
      'Content version restored',
      'Content taken offline',
    ])
  })

  test('a refusal that is caught undoes the rest of its transaction', async () => {
    const { id, path, revision } = await addPage(editor)
    const before = await readAll()
    const caught = inTransaction(db, async transaction => {
      const nested = { ...services, db: transaction }
      await publish(nested, { id, revision }, call)
      await createDocument(nested, { kind: 'page', path, title: 'Taken' }, call).catch(() => {})
    })
    await assert.rejects(caught, { message: `Another page has the address ${path}` })
    assert.deepEqual(await readAll(), before)
    await editor.call(content.publish, { id, revision })
  })

  test('a change whose log entry cannot be stored is not stored', async () => {
    const { id, revision } = await addPage(editor)
    const before = await readAll()
    const within = () => Promise.reject(new Error('The log is full'))
    const unlogged = { user, log: Object.assign(() => {}, { within }) }
    await assert.rejects(publish(services, { id, revision }, unlogged), /The log is full/)
    assert.deepEqual(await readAll(), before)
  })
})
