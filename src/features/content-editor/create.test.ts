import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { addPage, newPath, pageBody, publishPage } from '../../../tests/support/content.ts'
import { publishDocument } from '../../../tests/support/documents.ts'
import { openPublishing } from '../../../tests/support/publishing.ts'
import { createStaff, signInAs } from '../../../tests/support/staff.ts'
import { findShapeErrors } from '../../content/bodies.ts'
import { findClaims } from '../../content/claims/find-claims.ts'
import { listEditors } from '../../content/documents.server.ts'
import { archive, content } from './contract.ts'
import { templateNames } from './templates.ts'

suite('Duplicates and templates', async () => {
  const { testApp, editor, save, stateOf, titleAt } = await openPublishing()
  const { db } = testApp.services

  test('a duplicate is a new draft with the words of the draft, a title of its own, a free address and nothing live', async () => {
    const { id, path } = await publishPage(editor, { title: 'What we charge' })
    await save(id, { ...pageBody(path, 'What we charge', 'Typed just now.'), description: 'A summary.' })
    const { document } = await editor.call(content.duplicate, { id })
    assert.deepEqual(
      [document.title, document.path, document.state, document.kind],
      ['What we charge (copy)', `${path}-copy`, 'offline', 'page'],
    )
    const { draft, live } = await editor.call(content.open, { id: document.id })
    assert.equal(live, null)
    assert.match(JSON.stringify(draft.body), /Typed just now\./)
    assert.deepEqual([draft.body.path, draft.body.title], [`${path}-copy`, 'What we charge (copy)'])
    assert.equal(titleAt(path), 'What we charge')
    assert.equal(await stateOf(id), 'changed')
    await editor.call(content.publish, { id: document.id, revision: draft.revision })
    assert.equal(titleAt(`${path}-copy`), 'What we charge (copy)')
  })

  test('each further duplicate has another address, in the folder of its kind, and none is longer than addresses may be', async () => {
    const { id, path } = await publishDocument(editor, 'visa', {
      path: `/visas${newPath()}`,
      title: 'A visa',
    })
    const paths: string[] = []
    for (let copy = 0; copy < 3; copy++)
      paths.push((await editor.call(content.duplicate, { id })).document.path)
    assert.deepEqual(paths, [`${path}-copy`, `${path}-copy-2`, `${path}-copy-3`])
    const long = `/${'a-very-long-address-'.repeat(5)}`.slice(0, 98).replace(/-+$/, '')
    const page = await addPage(editor, { path: long, title: 'T'.repeat(200) })
    const { document } = await editor.call(content.duplicate, { id: page.id })
    assert.ok(document.path.length <= 100 && document.path.endsWith('-copy'), document.path)
    assert.match(document.title, /^T+ \(copy\)$/)
    assert.ok(document.title.length <= 200)
  })

  test('what is too long for a copy is cut between characters and parts of an address, and can be published (found F13)', async () => {
    const page = await publishPage(editor, {
      path: `/${'a'.repeat(93)}/${'b'.repeat(5)}`,
      title: `${'a'.repeat(192)}\u{1F600}bc`,
    })
    const { document } = await editor.call(content.duplicate, { id: page.id })
    assert.deepEqual(
      [document.path, document.title],
      [`/${'a'.repeat(93)}-copy`, `${'a'.repeat(192)} (copy)`],
    )
    const { revision } = (await editor.call(content.open, { id: document.id })).draft
    await editor.call(content.publish, { id: document.id, revision })
  })

  test('two who duplicate at once get two documents at two addresses', async () => {
    const { id } = await addPage(editor)
    const both = await Promise.all([
      editor.call(content.duplicate, { id }),
      editor.call(content.duplicate, { id }),
    ])
    assert.equal(new Set(both.map(({ document }) => document.path)).size, 2)
  })

  test('the site, what was deleted meanwhile and what never was cannot be duplicated, and a viewer duplicates nothing', async () => {
    const [site] = (await editor.call(content.list, { kind: 'site' })).documents
    const status = async (id: string, browser = editor) =>
      (await browser.send('POST', `/api/content/${id}/duplicate`)).status
    assert.equal(await status(site?.id ?? ''), 409)
    const { id } = await addPage(editor)
    await editor.call(archive.delete, { id })
    assert.equal(await status(id), 404)
    assert.equal(await status('01900000-0000-7000-8000-000000000000'), 404)
    const viewer = await signInAs(testApp, (await createStaff(testApp, 'viewer')).email)
    const other = await addPage(editor)
    assert.equal(await status(other.id, viewer), 403)
  })

  test('who wrote the draft wrote its copy too, so that nobody approves their own words in it', async () => {
    const other = await signInAs(testApp, (await createStaff(testApp, 'editor')).email)
    const { id } = await addPage(editor)
    const { document } = await other.call(content.duplicate, { id })
    const writers = await listEditors(db, id)
    const copied = await listEditors(db, document.id)
    assert.equal(copied.length, 2)
    for (const writer of writers) assert.ok(copied.includes(writer))
  })

  for (const template of templateNames)
    test(`a page that starts with ${template} is a draft whose notes nobody publishes by mistake`, async () => {
      const { document } = await editor.call(content.create, {
        ...{ kind: 'page', path: newPath(), title: 'A start', template },
      })
      const { draft } = await editor.call(content.open, { id: document.id })
      assert.deepEqual(findShapeErrors('page', draft.body), {})
      const context = { facts: new Map(), subclasses: new Map(), paths: null, people: null, host: '' }
      const findings = findClaims(draft.body, { language: 'en', today: '2026-12-01', ...context })
      const blocking = findings.filter(({ level }) => level !== 'hint')
      assert.ok(blocking.length >= 3)
      assert.deepEqual([...new Set(blocking.map(({ rule }) => rule))], ['template-note'])
      await save(document.id, {
        ...pageBody(document.path),
        ...draft.body,
        description: 'A summary.',
      } as never)
      const { revision } = (await editor.call(content.open, { id: document.id })).draft
      const reply = await editor.send('POST', `/api/content/${document.id}/publish`, { revision })
      assert.equal(reply.status, 422)
    })

  test('a template that nobody knows is refused', async () => {
    const sent = { kind: 'page', path: newPath(), title: 'A start', template: 'constructor' }
    assert.equal((await editor.send('POST', '/api/content', sent)).status, 400)
  })
})
