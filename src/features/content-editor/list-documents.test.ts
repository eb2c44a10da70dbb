import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { addPage, newPath, pageBody, publishPage } from '../../../tests/support/content.ts'
import { createStaff, signInAs } from '../../../tests/support/staff.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { hours, isoAfter } from '../../platform/clock.ts'
import { archive, content, documentStates } from './contract.ts'

suite('The list of documents', async () => {
  const testApp = await openTestApp()
  const { clock } = testApp.services
  const signIn = async (name: string) => {
    const user = await createStaff(testApp, 'editor')
    await testApp.services.db.updateTable('users').set({ name }).where('id', '=', user.id).execute()
    return await signInAs(testApp, user.email)
  }
  const [ana, ben] = [await signIn('Ana'), await signIn('Ben')]
  const listed = async (filter: object) =>
    (await ana.call(content.list, filter)).documents.map(({ id }) => id)

  test('a page of a list that begins at a character that no database stores gets 400', async () => {
    for (const query of [
      '?cursor=%00%20%00',
      '?cursor=/fees%20%00',
      '?editedBy=%00',
      '/pictures?after=%00%20a',
    ])
      assert.equal((await ana.fetch(`/api/content${query}`)).status, 400, query)
  })

  test('a list has the documents of one state, and each document has one state', async () => {
    const publish = async (id: string, liveFrom?: string) => {
      const { draft } = await ana.call(content.open, { id })
      await ana.call(content.publish, { id, revision: draft.revision, ...(liveFrom && { liveFrom }) })
    }
    const save = async ({ id, path }: { id: string; path: string }) =>
      await ana.call(content.saveDraft, { id, body: pageBody(path, 'Changed'), revision: 2 })
    const [live, changed, restored] = [await publishPage(ana), await publishPage(ana), await publishPage(ana)]
    const [scheduled, soon] = [await publishPage(ana), await addPage(ana)]
    const [offline, never, gone] = [await publishPage(ana), await addPage(ana), await publishPage(ana)]
    await save(changed)
    await save(restored)
    await publish(restored.id)
    await ana.call(content.restore, { id: restored.id, number: 1 })
    await save(scheduled)
    for (const { id } of [scheduled, soon]) await publish(id, isoAfter(clock, hours(1)))
    await ana.call(content.unpublish, { id: offline.id })
    await ana.call(archive.delete, { id: gone.id })
    const expected = {
      live: [(await listed({ kind: 'site' }))[0], live.id],
      changed: [changed.id, restored.id],
      scheduled: [scheduled.id, soon.id],
      offline: [offline.id, never.id],
      deleted: [gone.id],
    }
    for (const state of documentStates) {
      const { documents } = await ana.call(content.list, { state })
      const ids = documents.map(({ id }) => id)
      assert.deepEqual(ids.toSorted(), expected[state].toSorted(), state)
      assert.ok(
        documents.every(document => document.state === state),
        state,
      )
    }
    const all = await listed({})
    assert.deepEqual(
      all.toSorted(),
      Object.values(expected)
        .flat()
        .filter(id => id !== gone.id)
        .toSorted(),
    )
    assert.equal((await ana.send('GET', '/api/content?state=unknown')).status, 400)
  })

  test('a list has the documents that one person changed last, and names everybody who changed one', async () => {
    const { id, path } = await addPage(ana)
    const other = await addPage(ben)
    const { people } = await ana.call(content.list, { limit: 1 })
    assert.deepEqual(people, ['Ana', 'Ben', 'Landfall'])
    assert.deepEqual(await listed({ editedBy: 'Ben' }), [other.id])
    assert.ok((await listed({ editedBy: 'Ana' })).includes(id))
    await ben.call(content.saveDraft, { id, body: pageBody(path), revision: 2 })
    assert.deepEqual((await listed({ editedBy: 'Ben' })).toSorted(), [id, other.id].toSorted())
    await ben.call(content.publish, { id: other.id, revision: 2 })
    assert.deepEqual(await listed({ editedBy: 'Ben', state: 'live', kind: 'page' }), [other.id])
    for (const nobody of ["' or 1=1 --", 'B%']) assert.deepEqual(await listed({ editedBy: nobody }), [])
  })

  test('deleted documents are listed page by page, also several that had one path', async () => {
    const path = newPath()
    const ids = []
    for (let count = 0; count < 3; count++) {
      const { id } = await addPage(ben, { path })
      await ben.call(archive.delete, { id })
      ids.push(id)
    }
    const seen: string[] = []
    const filter = { state: 'deleted', q: path, limit: 1 } as const
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await ana.call(content.list, { ...filter, ...(cursor && { cursor }) })
      seen.push(...page.documents.map(({ id }) => id))
      cursor = page.nextCursor
    }
    assert.deepEqual(seen.toSorted(), ids.toSorted())
  })
})
