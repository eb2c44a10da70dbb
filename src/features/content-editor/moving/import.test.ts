import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { newPath, pageBody } from '../../../../tests/support/content.ts'
import { stopwatch } from '../../../../tests/support/processor-time.ts'
import { openPublishing } from '../../../../tests/support/publishing.ts'
import { openSite } from '../../../../tests/support/site.ts'
import { createStaff, signInAs } from '../../../../tests/support/staff.ts'
import { exportOf, richPost } from '../../../../tests/support/wordpress.ts'
import { minutes } from '../../../platform/clock.ts'
import { archive, content } from '../contract.ts'
import { DOCUMENTS_AT_ONCE, type Imported, moving } from './contract.ts'
import { createPatience, runImport } from './import-run.ts'
import type { ReportLine } from './report.ts'
import { planWordPress } from './wordpress-works.ts'
import { readWordPress } from './wxr.ts'

suite('Import of documents', async () => {
  const { testApp, editor, titleAt, publish, stateOf } = await openPublishing()
  const { services } = testApp
  const site = await openSite(testApp)
  let imported = 0

  function newDocument(change: Partial<Imported> = {}): Imported {
    const path = change.path ?? newPath()
    const origin = `wordpress:old.example/?p=${++imported}`
    return { origin, kind: 'page', path, body: JSON.stringify(pageBody(path)), from: [], ...change }
  }
  const send = async (documents: Imported[], taken: 'number' | 'skip' | 'replace' = 'number') =>
    (await editor.call(moving.import, { documents, taken })).outcomes
  async function one(document: Imported, taken?: 'number' | 'skip' | 'replace') {
    const [outcome] = await send([document], taken)
    assert.ok(outcome)
    return outcome
  }
  const count = async () => {
    const query = services.db.selectFrom('content_documents').select(eb => eb.fn.countAll().as('count'))
    return Number((await query.executeTakeFirstOrThrow()).count)
  }
  const bodyOf = async (id: string | null) => (await editor.call(content.open, { id: id ?? '' })).draft.body
  const locationOf = async (path: string) => {
    // Another node, which would notice it within a second.
    await site.services.content.refresh()
    const reply = await fetch(`${site.url}${path}`, { redirect: 'manual' })
    await reply.body?.cancel()
    return [reply.status, reply.headers.get('location')]
  }

  test('what is imported is a draft that no visitor sees, and its old addresses lead to it once it is live (W19)', async () => {
    const old = `/2021/03${newPath()}`
    const document = newDocument({ from: [`https://old.example${old}/`, '/?p=4711'] })
    const outcome = await one(document)
    assert.deepEqual([outcome.outcome, outcome.path, outcome.refusedAddresses], ['added', document.path, []])
    assert.equal(await stateOf(outcome.documentId ?? ''), 'offline')
    assert.equal(titleAt(document.path), undefined)
    for (const path of [document.path, old]) assert.deepEqual(await locationOf(path), [404, null])
    assert.deepEqual(await locationOf('/?p=4711'), [200, null])
    await publish(outcome.documentId ?? '')
    for (const path of [old, `${old}/`, '/?p=4711', '/?page_id=4711'])
      assert.deepEqual(await locationOf(path), [301, document.path], path)
    for (const path of ['/', '/?p=4712', '/?p=4711&x=1'])
      assert.deepEqual(await locationOf(path), [200, null], path)
  })

  test('the same document is imported once, however often and by how many at once it is sent (W20)', async () => {
    const documents = Array.from({ length: DOCUMENTS_AT_ONCE }, () => newDocument())
    const before = await count()
    const replies = await Promise.all([send(documents), send(documents), send(documents.toReversed())])
    assert.equal(await count(), before + DOCUMENTS_AT_ONCE)
    const ids = new Set(replies.flat().map(({ documentId }) => documentId))
    assert.equal(ids.size, DOCUMENTS_AT_ONCE)
    const [first] = await send([newDocument({ origin: documents[0]?.origin ?? '' })])
    assert.deepEqual([first?.outcome, first?.path], ['kept', documents[0]?.path])
  })

  test('a document that was deleted since does not come back by itself', async () => {
    const document = newDocument()
    const { documentId } = await one(document)
    await editor.call(archive.delete, { id: documentId ?? '' })
    assert.equal((await one(document)).outcome, 'deleted')
  })

  test('an address that is taken, reserved or no address becomes another one, which the body has', async () => {
    const path = newPath()
    await one(newDocument({ path }))
    const second = await one(newDocument({ path }))
    assert.equal(second.path, `${path}-2`)
    assert.equal((await bodyOf(second.documentId)).path, `${path}-2`)
    for (const [wanted, got] of [
      ['/contact', '/contact-2'],
      ['/contact/team', '/contact-team'],
      ['/../../etc/passwd', '/etc/passwd'],
      ['/API', '/api-2'],
      ['', '/untitled'],
      ['//evil.example/x', '/evil-example/x'],
      ['/a/b/c/d', '/a-b-c-d'],
      [`/${'x'.repeat(299)}`, `/${'x'.repeat(94)}`],
    ] as const)
      assert.equal((await one(newDocument({ path: wanted }))).path, got)
    assert.equal(
      (await one(newDocument({ kind: 'article', path: '/2021/03/x', body: article() }))).path,
      '/news/x',
    )
  })
  const article = () => JSON.stringify({ ...pageBody('/news/x'), author: '' })

  test('a plan says the same addresses before anything is imported', async () => {
    const [path, known] = [newPath(), newDocument()]
    await one(known)
    const wanted = [newDocument({ path }), newDocument({ path }), known].map(
      ({ origin, kind, path: own }) => ({
        ...{ origin, kind, path: own },
      }),
    )
    const { places, room } = await editor.call(moving.plan, { documents: wanted, taken: 'number' })
    assert.deepEqual(places, [
      { path, state: 'new' },
      { path: `${path}-2`, state: 'new' },
      { path: known.path, state: 'here' },
    ])
    assert.ok(room > 0)
  })

  test('a body that is no body is refused, and costs no other document its import (W20)', async () => {
    const deep = `${'{"a":'.repeat(50)}1${'}'.repeat(50)}`
    const body = pageBody('/x')
    const bodies = [
      ...['', 'null', '[]', '{', deep, '{"a":1}', '{"path":1,"path":2}'],
      JSON.stringify({ ...body, blocks: [{ id: 'x', type: 'html', html: '<script>' }] }),
      JSON.stringify({ ...body, blocks: [body.blocks[0], body.blocks[0]] }),
      JSON.stringify({ ...body, more: 1 }),
    ]
    const before = await count()
    for (const wrong of bodies) {
      const [refused, added] = await send([newDocument({ body: wrong }), newDocument()])
      assert.deepEqual([refused?.outcome, added?.outcome], ['refused', 'added'], wrong.slice(0, 40))
      assert.notEqual(refused?.message, '')
    }
    assert.equal(await count(), before + bodies.length)
    assert.equal((await one(newDocument({ kind: 'site', body: '{}' }), 'number')).outcome, 'refused')
  })

  test('what no browser shows and no database keeps is taken out', async () => {
    const title = 'A\u0000B\ud800C\u0007'
    const { documentId } = await one(newDocument({ body: JSON.stringify(pageBody('/x', title, title)) }))
    const body = await bodyOf(documentId)
    assert.equal(body.title, 'ABC')
    assert.ok(!JSON.stringify(body).includes('u0000'))
  })

  test('old addresses that belong to the product, to a page or to another document are refused by name', async () => {
    const [first, second] = [newDocument(), newDocument({ from: ['/old-of-second'] })]
    await one(first)
    await one(second)
    const wrong = [
      '/api/x',
      '/content',
      '/contact',
      '/auth',
      '/',
      '/?cat=3',
      '/a\\b',
      '/a/../b',
      '//evil.example',
      'x',
    ]
    const refusing = newDocument({ from: [...wrong.slice(0, 9), first.path] })
    const { refusedAddresses, outcome } = await one(refusing)
    assert.equal(outcome, 'added')
    assert.deepEqual(
      refusedAddresses.map(({ from }) => from),
      refusing.from,
    )
    const stolen = await one(newDocument({ from: ['/old-of-second'] }))
    assert.match(stolen.refusedAddresses[0]?.message ?? '', /leads to another page already/)
  })

  test('an import that replaces drafts changes the draft and never what is live', async () => {
    const document = newDocument()
    const { documentId: id } = await one(document)
    await publish(id ?? '')
    const other = {
      ...document,
      origin: 'landfall:x',
      body: JSON.stringify(pageBody(document.path, 'Other fees')),
    }
    assert.equal((await one(other, 'skip')).outcome, 'kept')
    const replaced = await one(other, 'replace')
    assert.deepEqual([replaced.outcome, replaced.documentId], ['replaced', id])
    assert.equal(titleAt(document.path), 'Fees')
    assert.equal((await bodyOf(id)).title, 'Other fees')
    assert.equal((await one(other, 'replace')).outcome, 'kept')
  })

  test('an import never replaces what a colleague has not published, and says whose it is', async () => {
    const colleague = await signInAs(testApp, (await createStaff(testApp, 'editor')).email)
    const document = newDocument()
    const { documentId } = await one(document)
    const id = documentId ?? ''
    await publish(id)
    const other = { ...document, body: JSON.stringify(pageBody(document.path, 'Of the archive')) }
    const save = async (title: string) => {
      const { draft } = await colleague.call(content.open, { id })
      const body = pageBody(document.path, title)
      await colleague.call(content.saveDraft, { id, body, revision: draft.revision })
    }
    await save('Hours of work')
    const kept = await one(other, 'replace')
    const { draft } = await editor.call(content.open, { id })
    assert.deepEqual([kept.outcome, draft.body.title], ['kept', 'Hours of work'])
    assert.match(kept.message, /not published: .+ edited it last, on .+ time/)
    // The same words as those that are live are no loss.
    await save('Fees')
    assert.equal((await one(other, 'replace')).outcome, 'replaced')
  })

  test('an archive that comes back knows its documents, renamed or deleted since', async () => {
    const { documentId } = await one(newDocument())
    const back = newDocument({ origin: `landfall:${documentId}` })
    const wanted = { origin: back.origin, kind: back.kind, path: back.path }
    const states = async () =>
      (await editor.call(moving.plan, { documents: [wanted], taken: 'skip' })).places.map(
        ({ state }) => state,
      )
    assert.deepEqual([(await one(back, 'skip')).outcome, await states()], ['kept', ['here']])
    await editor.call(archive.delete, { id: documentId ?? '' })
    assert.deepEqual([(await one(back, 'skip')).outcome, await states()], ['deleted', ['deleted']])
  })

  test('a path with what no database keeps costs no other document its import', async () => {
    const wrong = newDocument({ path: '/nul\u0000-half\ud800', body: JSON.stringify(pageBody('/x')) })
    const outcomes = await send([newDocument(), wrong, newDocument()], 'skip')
    assert.deepEqual(
      outcomes.map(({ outcome }) => outcome),
      ['added', 'added', 'added'],
    )
    assert.equal(outcomes[1]?.path, '/nul-half')
  })

  test('two hundred posts are drafts within a minute, each link leads to its new page, and a second time adds none', async () => {
    const xml = exportOf(Array.from({ length: 200 }, (_, at) => richPost(at + 1001)))
    const controller = new AbortController()
    async function importAll() {
      const plan = await planWordPress(readWordPress(xml), editor.call)
      const lines: ReportLine[] = []
      await runImport({
        works: plan.works({ find: async () => 'it is not in the archive' }),
        ...{ taken: 'number', signal: controller.signal },
        patience: createPatience(controller.signal, () => {}),
        send: input => editor.call(moving.import, input),
        onProgress: () => {},
        onLines: more => void lines.push(...more),
      })
      return { plan, imported: lines.filter(({ kind }) => kind === 'imported') }
    }
    const before = await count()
    const { passed } = stopwatch()
    const { imported } = await importAll()
    const time = passed()
    assert.ok(time < minutes(1), `${time} ms`)
    assert.deepEqual([imported.length, await count()], [200, before + 200])
    const body = JSON.stringify(await bodyOf(imported[0]?.documentId ?? null))
    assert.ok(body.includes('"href":"/news/post-1002"'))
    const second = await importAll()
    assert.deepEqual([second.plan.known, second.imported.length, await count()], [200, 0, before + 200])
  })

  test('an import renders no page again, and publishing goes on meanwhile', async () => {
    await services.content.refresh()
    const { revision } = services.content.read()
    await one(newDocument({ from: [`/old${newPath()}`] }))
    await services.content.refresh()
    assert.equal(services.content.read().revision, revision)
  })
})
