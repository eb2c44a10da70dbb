import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Browser } from '../../../../tests/support/browser.ts'
import { addPage, newPath, pageBody } from '../../../../tests/support/content.ts'
import { createStaff, signInAs } from '../../../../tests/support/staff.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { createToken, createTokenClient } from '../../../../tests/support/token-client.ts'
import { MAX_DOCUMENTS } from '../../../content/documents.server.ts'
import { addFacts } from '../../../content/store.server.ts'
import { newId } from '../../../database/id.ts'
import type { Limit } from '../../../http/limits/rate-limiter.ts'
import { hours, isoAfter } from '../../../platform/clock.ts'
import { ADDITIONS_PER_USER, SAVES_PER_USER } from '../api.server.ts'
import { content } from '../contract.ts'
import { type FactFields, facts, MAX_FACT_ROWS } from '../facts/contract.ts'
import { MAX_ALL_PUBLISHED, MAX_PUBLISHED } from '../history/version-of-draft.server.ts'

const fee: FactFields = {
  value: 'AUD 3,210',
  unit: '',
  asAt: '2026-07-01',
  source: { label: 'Home Affairs', url: 'https://immi.homeaffairs.gov.au/fees' },
  reviewBy: '2027-07-01',
  endsOn: null,
}

/** Milliseconds between two saves while somebody types. */
const AUTOSAVE = 1500

suite('Limits of the content', async () => {
  const testApp = await openTestApp()
  const { services } = testApp
  const { db, clock, rateLimiter } = services
  const signedIn = async (staff: { email: string }) => await signInAs(testApp, staff.email)

  /** Uses up a limit except for the last one. */
  async function consumeAllButOne(limit: Limit, userId: string) {
    for (let count = 1; count < limit.count; count++) await rateLimiter.consume(limit, userId)
  }

  test('one user saves drafts as often as two tabs do all the time, and no more (W5)', async () => {
    const ana = await createStaff(testApp, 'editor')
    const browser = await signedIn(ana)
    const { id, path, revision } = await addPage(browser)
    const save = async (at: number, from = browser) => {
      const body = { body: pageBody(path), revision: at }
      return await from.send('PUT', `/api/content/${id}/draft`, body)
    }
    assert.ok(SAVES_PER_USER.per / SAVES_PER_USER.count <= AUTOSAVE / 2)
    // One went to the page when it was added.
    await consumeAllButOne({ ...SAVES_PER_USER, count: SAVES_PER_USER.count - 1 }, ana.id)
    assert.equal((await save(revision)).status, 200)
    const refused = await save(revision + 1)
    assert.equal(refused.status, 429)
    assert.ok(Number(refused.headers.get('retry-after')) > 3000)
    testApp.wait(hours(1))
    assert.equal((await save(revision + 1, await signedIn(ana))).status, 200)
  })

  test('what adds a version, a document or a fact has one limit for each user (W5)', async () => {
    const ana = await createStaff(testApp, 'editor')
    const browser = await signedIn(ana)
    const page = await addPage(browser)
    await consumeAllButOne({ ...ADDITIONS_PER_USER, count: ADDITIONS_PER_USER.count - 1 }, ana.id)
    await browser.call(content.publish, { id: page.id, revision: page.revision })
    const path = newPath()
    for (const [method, place, body] of [
      ['POST', `/${page.id}/publish`, { revision: page.revision }],
      ['POST', `/${page.id}/versions/1/restore`, {}],
      ['POST', '', { kind: 'page', path, title: 'Fees' }],
      ['DELETE', `/${page.id}`, undefined],
      ['POST', `/${page.id}/unarchive`, undefined],
      ['PUT', '/facts', { name: 'fee', fact: fee, revision: null }],
      ['POST', '/facts/approve', { name: 'fee', proposal: page.id }],
    ] as const)
      assert.equal((await browser.send(method, `/api/content${place}`, body)).status, 429, place)
    await addPage(await signedIn(await createStaff(testApp, 'editor')))
  })

  test('one fact has a thousand rows at most (W5)', async () => {
    const browser = await signedIn(await createStaff(testApp, 'editor'))
    const change = async (revision: number | null) =>
      await browser.send('PUT', '/api/content/facts', { name: 'busy', fact: fee, revision })
    assert.equal((await change(null)).status, 200)
    const rows = Array.from({ length: MAX_FACT_ROWS - 2 }, () => ({ ...fee, name: 'busy' }))
    await addFacts(db, clock, rows, 'Robin')
    const last = async () =>
      (await browser.call(facts.list, {})).facts.find(({ name }) => name === 'busy')?.revision ?? null
    assert.equal((await change(await last())).status, 200)
    const refused = await change(await last())
    assert.equal(refused.status, 409)
    assert.match((await refused.json()).message, /1000 times/)
  })

  test('the log of a publication names the API token that made it (W6)', async () => {
    const editor = await createStaff(testApp, 'editor')
    const browser = await signedIn(editor)
    const admin = await signedIn(await createStaff(testApp, 'admin'))
    const token = await createToken(admin, editor)
    const client = createTokenClient(testApp, token.token)
    const page = await addPage(browser)
    const publish = { revision: page.revision }
    assert.equal((await client('POST', `/api/content/${page.id}/publish`, publish)).status, 200)
    await browser.call(content.publish, { id: page.id, ...publish })
    const entries = await db
      .selectFrom('logs')
      .select(['user_id', 'details'])
      .where('message', '=', 'Content published')
      .where('details', 'like', `%${page.id}%`)
      .orderBy('id')
      .execute()
    assert.deepEqual(
      entries.map(({ user_id, details }) => [user_id, JSON.parse(details).tokenId]),
      [
        [editor.id, token.id],
        [editor.id, undefined],
      ],
    )
  })

  /** Saves a body of so many bytes of three-byte characters. @returns the reply to its publication */
  async function publishLong(browser: Browser, size: number) {
    const { id, path, revision } = await addPage(browser)
    const [block] = pageBody(path).blocks
    const toBody = (texts: readonly string[]) => {
      const content = texts.map(text => ({ type: 'paragraph', content: [{ type: 'text', text }] }))
      return { ...pageBody(path), blocks: [{ ...block, text: { type: 'doc', content } }] }
    }
    const texts = Array.from({ length: Math.ceil(size / 50_000) - 1 }, () => '–'.repeat(15_000))
    const left = size - Buffer.byteLength(JSON.stringify(toBody([...texts, ''])))
    const body = toBody([...texts, '–'.repeat(left / 3) + 'x'.repeat(left % 3)])
    await browser.call(content.saveDraft, { id, body, revision })
    return await browser.send('POST', `/api/content/${id}/publish`, { revision: revision + 1 })
  }

  test('a page that would fill the memory of a node is not published (W5)', async () => {
    const browser = await signedIn(await createStaff(testApp, 'editor'))
    const refused = await publishLong(browser, MAX_PUBLISHED + 1)
    assert.equal(refused.status, 400)
    assert.match((await refused.json()).message, /too long/)
    assert.equal((await publishLong(browser, MAX_PUBLISHED)).status, 200)
  })

  test('all that is live or scheduled fits in the memory of a node, and nothing else counts (W5)', async () => {
    const browser = await signedIn(await createStaff(testApp, 'editor'))
    const full = await addPage(browser)
    const small = await addPage(browser)
    const liveFrom = isoAfter(clock, hours(1))
    await browser.call(content.publish, { id: full.id, revision: full.revision, liveFrom })
    // As an earlier version of the product would have stored it.
    await db
      .updateTable('content_versions')
      .set({ body: '–'.repeat(MAX_ALL_PUBLISHED / 3) })
      .where('document_id', '=', full.id)
      .execute()
    const publish = async () =>
      await browser.send('POST', `/api/content/${small.id}/publish`, { revision: small.revision })
    const refused = await publish()
    assert.equal(refused.status, 409)
    assert.match((await refused.json()).message, /no room/)
    await browser.call(content.publish, { id: full.id, revision: full.revision })
    assert.equal((await publish()).status, 200)
  })

  test('a site has two thousand documents at most, without those that are archived (W5)', async () => {
    const browser = await signedIn(await createStaff(testApp, 'editor'))
    const { length } = await db.selectFrom('content_documents').select('id').execute()
    const common = { kind: 'page', language: 'en', created_at: isoAfter(clock) } as const
    const rows = Array.from({ length: MAX_DOCUMENTS - length - 1 }, (_, at) => ({
      ...common,
      id: newId(clock()),
      path: `/filler-${at}`,
    }))
    for (let from = 0; from < rows.length; from += 500)
      await db
        .insertInto('content_documents')
        .values(rows.slice(from, from + 500))
        .execute()
    const add = async () =>
      await browser.send('POST', '/api/content', { kind: 'page', path: newPath(), title: 'Fees' })
    assert.equal((await add()).status, 201)
    const refused = await add()
    assert.equal(refused.status, 409)
    assert.match((await refused.json()).message, /2000 pages/)
    const archived = db.updateTable('content_documents').set({ archived_at: isoAfter(clock) })
    await archived.where('path', '=', '/filler-0').execute()
    assert.equal((await add()).status, 201)
    const [gone] = await db
      .selectFrom('content_documents')
      .select('id')
      .where('path', '=', '/filler-0')
      .execute()
    const restored = await browser.send('POST', `/api/content/${gone?.id}/unarchive`)
    assert.equal(restored.status, 409)
    assert.match((await restored.json()).message, /2000 pages/)
  })
})
