import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Browser } from '../../../../tests/support/browser.ts'
import { newPath, pageBody } from '../../../../tests/support/content.ts'
import fc from '../../../../tests/support/properties.ts'
import { createStaff, signInAs } from '../../../../tests/support/staff.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { seconds } from '../../../platform/clock.ts'
import { content } from '../contract.ts'

const EDITS = 200
/** The same in every run, so that a commit has one verdict. */
const seed = 27

const edits = {
  save: 10,
  saveStale: 2,
  publish: 4,
  schedule: 2,
  unpublish: 1,
  restore: 2,
  wait: 3,
} as const
type Edit = keyof typeof edits

/** What one document should be like, by the rules alone. */
interface Model {
  readonly id: string
  readonly path: string
  draft: string
  revision: number
  readonly versions: string[]
  publications: { title: string | null; from: number }[]
  isChanged: boolean
}

suite('Random edits of three pages by two editors', async () => {
  // It stops between edits, so that an edit and the comparison with the model are of the same time.
  let time = Date.now()
  const testApp = await openTestApp({}, { clock: () => new Date(time) })
  const { services } = testApp
  const signedIn = async () => await signInAs(testApp, (await createStaff(testApp, 'editor')).email)
  const editors = [await signedIn(), await signedIn()]
  const [ana] = editors
  const now = () => time

  async function add(): Promise<Model> {
    const path = newPath()
    const title = 'First'
    const { document } = await (ana ?? testApp.browser()).call(content.create, { kind: 'page', path, title })
    return {
      id: document.id,
      path,
      draft: title,
      revision: 1,
      versions: [],
      publications: [],
      isChanged: true,
    }
  }

  const shownBy = ({ publications }: Model) =>
    publications.reduce<string | null>((shown, it) => (it.from <= now() ? it.title : shown), null)

  async function edit(model: Model, kind: Edit, text: string, editor: Browser) {
    const { id, path, revision } = model
    const send = async (method: string, place: string, body?: object) =>
      await editor.send(method, `/api/content/${id}/${place}`, body)
    if (kind === 'save') {
      assert.equal((await send('PUT', 'draft', { body: pageBody(path, text), revision })).status, 200)
      Object.assign(model, { draft: text, revision: revision + 1, isChanged: true })
    }
    if (kind === 'saveStale' && revision > 1) {
      const reply = await send('PUT', 'draft', { body: pageBody(path, text), revision: revision - 1 })
      assert.equal(reply.status, 409)
      assert.equal((await reply.json()).draft.body.title, model.draft)
    }
    if (kind === 'publish' || kind === 'schedule') await publishModel(model, kind, send)
    if (kind === 'unpublish') {
      const isPublished = shownBy(model) !== null || model.publications.some(it => it.from > now())
      assert.equal((await send('POST', 'unpublish')).status, isPublished ? 200 : 409)
      if (isPublished) publications(model).push({ title: null, from: now() })
    }
    if (kind === 'restore' && model.versions.length > 0) {
      const number = 1 + (text.length % model.versions.length)
      assert.equal((await send('POST', `versions/${number}/restore`)).status, 200)
      if (model.isChanged) model.versions.push(model.draft)
      Object.assign(model, { draft: model.versions[number - 1], revision: revision + 1, isChanged: false })
    }
    if (kind === 'wait') time += seconds(5)
  }

  type Send = (method: string, place: string, body?: object) => Promise<Response>

  async function publishModel(model: Model, kind: 'publish' | 'schedule', send: Send) {
    const from = now() + (kind === 'schedule' ? seconds(10) : 0)
    const later = kind === 'schedule' ? { liveFrom: new Date(from).toISOString() } : {}
    // A new document has no description yet.
    const isReady = model.draft !== 'First'
    const reply = await send('POST', 'publish', { revision: model.revision, ...later })
    assert.equal(reply.status, isReady ? 200 : 400)
    if (!isReady) return
    model.versions.push(model.draft)
    model.isChanged = false
    publications(model).push({ title: model.draft, from })
  }

  /** Without those that are still to come. */
  function publications(model: Model) {
    model.publications = model.publications.filter(({ from }) => from <= now())
    return model.publications
  }

  async function compare(model: Model) {
    await services.content.refresh()
    const shown = services.content.read().documents.get(model.path)?.content.body.title ?? null
    assert.equal(shown, shownBy(model))
    const { draft } = await (ana ?? testApp.browser()).call(content.open, { id: model.id })
    assert.deepEqual([draft.body.title, draft.revision], [model.draft, model.revision])
    const versions = await services.db
      .selectFrom('content_versions')
      .select('body')
      .where('document_id', '=', model.id)
      .orderBy('number')
      .execute()
    assert.deepEqual(
      versions.map(({ body }) => JSON.parse(body).title),
      model.versions,
    )
  }

  test(`${EDITS} edits end as a model says, with seed ${seed}`, async () => {
    const models = [await add(), await add(), await add()]
    const kinds = (Object.keys(edits) as Edit[]).map(kind => ({
      weight: edits[kind],
      arbitrary: fc.constant(kind),
    }))
    const drawn = fc.tuple(fc.nat(2), fc.nat(1), fc.oneof(...kinds), fc.stringMatching(/^[a-z<>&"]{1,20}$/))
    for (const [which, who, kind, text] of fc.sample(drawn, { seed, numRuns: EDITS })) {
      const [model, editor] = [models[which], editors[who]]
      if (!model || !editor) continue
      await edit(model, kind, text, editor)
      await compare(model)
    }
    assert.ok(models.some(({ versions }) => versions.length > 3))
  })
})
