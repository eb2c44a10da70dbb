import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { addPage, newPath, pageBody, publishPage } from '../../../../tests/support/content.ts'
import { createStaff, signInAs } from '../../../../tests/support/staff.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { createToken, createTokenClient } from '../../../../tests/support/token-client.ts'
import { newId } from '../../../database/id.ts'
import { sampleContent } from '../../../sample/site.server.ts'
import { content } from '../contract.ts'

suite('Drafts', async () => {
  const testApp = await openTestApp()
  const { clock } = testApp.services
  const signedIn = async (role: 'admin' | 'editor' | 'viewer') =>
    await signInAs(testApp, (await createStaff(testApp, role)).email)
  const [ana, ben, viewer] = [await signedIn('editor'), await signedIn('admin'), await signedIn('viewer')]

  test('a new installation has the site document, live, with the sample content', async () => {
    const { documents } = await viewer.call(content.list, {})
    const [site] = documents
    assert.deepEqual(
      { ...site, id: '', updatedAt: '' },
      {
        id: '',
        kind: 'site',
        path: '/',
        title: sampleContent.site.company.siteName,
        language: 'en',
        state: 'live',
        updatedAt: '',
        editedBy: 'Landfall',
      },
    )
    const { draft, live, scheduled } = await viewer.call(content.open, { id: site?.id ?? '' })
    assert.equal(draft.revision, 1)
    assert.deepEqual(draft.body, live?.body)
    assert.equal(scheduled, null)
  })

  test('a draft is saved with its revision, and read back as it was', async () => {
    const { id, path, revision } = await addPage(ana)
    assert.equal(revision, 2)
    const { document, draft, live } = await viewer.call(content.open, { id })
    assert.deepEqual([draft.body, draft.revision, live], [pageBody(path), 2, null])
    assert.equal(document.state, 'offline')
    assert.equal(document.editedBy, 'Robin the editor')
  })

  test('of two editors who save at once one gets the draft of the other, and nothing is lost (W2)', async () => {
    const { id, path, revision } = await addPage(ana)
    const save = async (who: typeof ana, title: string) =>
      await who.send('PUT', `/api/content/${id}/draft`, { body: pageBody(path, title), revision })
    const replies = await Promise.all([save(ana, "Ana's"), save(ben, "Ben's")])
    const [first, second] = replies[0].status === 200 ? replies : replies.toReversed()
    assert.deepEqual([first?.status, second?.status], [200, 409])
    const conflict = await second?.json()
    assert.equal(conflict.code, 'draft_changed')
    const { draft } = await ana.call(content.open, { id })
    assert.deepEqual(conflict.draft, draft)
    assert.equal(draft.revision, revision + 1)
    assert.ok(["Ana's", "Ben's"].includes(String(draft.body.title)))
  })

  test('a stale revision is a conflict also for an equal body', async () => {
    const { id, path, revision } = await addPage(ana)
    const save = async (body: unknown) =>
      (await ana.send('PUT', `/api/content/${id}/draft`, { body, revision })).status
    assert.deepEqual([await save(pageBody(path)), await save(pageBody(path))], [200, 409])
  })

  test('a draft may be incomplete but must keep its shape', async () => {
    const { id, path, revision } = await addPage(ana)
    const save = async (body: unknown) =>
      await ana.send('PUT', `/api/content/${id}/draft`, { body, revision })
    for (const change of [
      { title: 7 },
      { blocks: 'text' },
      { blocks: [{ id: 'a', type: 'html', html: '<b>' }] },
      { blocks: [...pageBody(path).blocks, ...pageBody(path).blocks] },
      { extra: '' },
      { blocks: Array.from({ length: 201 }, () => '<b>') },
    ]) {
      const reply = await save({ ...pageBody(path), ...change })
      assert.equal(reply.status, 400, JSON.stringify(change))
      const { errors } = await reply.json()
      assert.ok(Object.keys(errors).length > 0)
    }
    assert.equal((await save({ ...pageBody(path), title: '', path: 'not yet' })).status, 200)
    const published = await ana.send('POST', `/api/content/${id}/publish`, { revision: revision + 1 })
    assert.equal(published.status, 400)
    assert.deepEqual(Object.keys((await published.json()).errors), ['path', 'title'])
  })

  test('a body of a mebibyte is saved, and a larger one is refused before it is read', async () => {
    const { id, path, revision } = await addPage(ana)
    const text = 'x'.repeat(19_000)
    const runs = Array.from({ length: 54 }, () => ({ type: 'paragraph', content: [{ type: 'text', text }] }))
    const [block] = pageBody(path).blocks
    const save = async (content: readonly unknown[]) => {
      const body = { ...pageBody(path), blocks: [{ ...block, text: { type: 'doc', content } }] }
      return (await ana.send('PUT', `/api/content/${id}/draft`, { body, revision })).status
    }
    assert.equal(await save([...runs, ...runs.slice(0, 2)]), 413)
    assert.equal(await save(runs), 200)
    const many = Array.from({ length: 400_000 }, () => 1)
    assert.equal(await save(many), 413)
    const note = 'x'.repeat(70_000)
    assert.equal((await ana.send('POST', `/api/content/${id}/publish`, { revision: 3, note })).status, 413)
  })

  test('a viewer reads all content and changes nothing (W1)', async () => {
    const { id, path, revision } = await publishPage(ana)
    for (const address of ['', '/versions', '/versions/1'])
      assert.equal((await viewer.fetch(`/api/content/${id}${address}`)).status, 200)
    const changes = [
      ['POST', '', { kind: 'page', path: newPath(), title: 'Theirs' }],
      ['PUT', `/${id}/draft`, { body: pageBody(path), revision }],
      ['POST', `/${id}/publish`, { revision }],
      ['POST', `/${id}/unpublish`, undefined],
      ['POST', `/${id}/versions/1/restore`, undefined],
    ] as const
    for (const [method, address, body] of changes) {
      assert.equal((await viewer.send(method, `/api/content${address}`, body)).status, 403, address)
      assert.equal((await testApp.browser().send(method, `/api/content${address}`, body)).status, 401)
    }
    assert.equal((await viewer.call(content.open, { id })).draft.revision, revision)
  })

  test("an editor's API token may edit, and what is not there is 404", async () => {
    const editor = await createStaff(testApp, 'editor')
    const { token } = await createToken(ben, editor)
    const call = createTokenClient(testApp, token)
    const created = await call('POST', '/api/content', { kind: 'page', path: newPath(), title: 'By token' })
    assert.equal(created.status, 201)
    const nothing = newId(clock())
    assert.equal((await call('GET', `/api/content/${nothing}`)).status, 404)
    const body = pageBody('/x')
    assert.equal((await call('PUT', `/api/content/${nothing}/draft`, { body, revision: 1 })).status, 404)
    assert.equal((await call('POST', `/api/content/${nothing}/publish`, { revision: 1 })).status, 404)
    assert.equal((await call('POST', `/api/content/${nothing}/unpublish`)).status, 404)
    assert.equal((await call('GET', `/api/content/${nothing}/versions`)).status, 404)
    const { document } = await created.json()
    assert.equal((await call('POST', `/api/content/${document.id}/versions/7/restore`)).status, 404)
  })

  test('the list is paged, and finds titles and paths', async () => {
    const { path } = await publishPage(ana, { title: 'Rückfragen 100%_' })
    const { documents: found } = await viewer.call(content.list, { q: '100%_' })
    assert.deepEqual(
      found.map(document => document.path),
      [path],
    )
    const all = (await viewer.call(content.list, { limit: 200 })).documents
    const paged = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await viewer.call(content.list, { limit: 2, ...(cursor && { cursor }) })
      paged.push(...page.documents)
      cursor = page.nextCursor
    }
    assert.deepEqual(paged, all)
    assert.equal(all[0]?.kind, 'site')
    assert.deepEqual((await viewer.call(content.list, { kind: 'visa' })).documents, [])
  })
})
