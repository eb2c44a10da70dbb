import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { openBrowser } from '../../../../tests/support/browser.ts'
import { addPage, pageBody } from '../../../../tests/support/content.ts'
import { fee, openFacts } from '../../../../tests/support/facts.ts'
import { createStaff, signInAs } from '../../../../tests/support/staff.ts'
import { createToken, createTokenClient } from '../../../../tests/support/token-client.ts'
import { until } from '../../../../tests/support/until.ts'
import type { Finding } from '../../../content/claims/finding.ts'
import { addFacts } from '../../../content/store.server.ts'
import { describedVisas } from '../../../content/visas.ts'
import { days, minutes } from '../../../platform/clock.ts'
import { dashboard } from '../../dashboard/contract.ts'
import { archive, content } from '../contract.ts'
import { publish } from '../publishing/publish.server.ts'
import { facts, MAX_FACTS } from './contract.ts'

suite('Facts', async () => {
  const { testApp, site, user, ana, ben, viewer, set, newName, find, add, put } = await openFacts()
  const { services } = testApp

  test('a fact that is added and changed shows on live pages in the next request, on each node', async () => {
    const before = await (await fetch(`${site.url}/`)).text()
    const shown = (await ana.call(facts.list, {})).facts.find(
      ({ fact, usedBy }) =>
        usedBy.length > 0 && /^[\w ,]{4,}$/.test(fact.value) && before.includes(fact.value),
    )
    assert.ok(shown)
    const browser = openBrowser(
      { fetch: request => site.fetch(request) },
      services.config.publicUrl,
      '192.0.2.9',
    )
    const editor = await signInAs(testApp, user.email, browser)
    const changed = { ...shown.fact, value: 'Quite another 4711' }
    await editor.call(facts.change, { name: shown.name, fact: changed, revision: shown.revision })
    assert.match(await (await fetch(`${site.url}/`)).text(), /Quite another 4711/)
    await until(() => services.content.read().facts.get(shown.name)?.value === changed.value)
    assert.deepEqual(shown.usedBy.length, (await find(shown.name))?.usedBy.length)
    const rows = services.db.selectFrom('facts').select('value').where('name', '=', shown.name).orderBy('id')
    assert.deepEqual(
      (await rows.execute()).map(({ value }) => value),
      [shown.fact.value, changed.value],
    )
  })

  test('a fact is listed with who checked it and with the pages that show it', async () => {
    const { name, revision } = await add()
    const { id, path } = await addPage(ana)
    const inline = { type: 'fact', attrs: { name } }
    const doc = { type: 'doc', content: [{ type: 'paragraph', content: [inline, inline] }] }
    const body = { ...pageBody(path, 'Our fees'), blocks: [{ id: 'text-1', type: 'text', text: doc }] }
    await ana.call(content.saveDraft, { id, body, revision: 2 })
    assert.deepEqual((await find(name))?.usedBy, [])
    await ana.call(content.publish, { id, revision: 3 })
    const { checkedAt, ...listed } = (await find(name, viewer)) ?? { checkedAt: '' }
    assert.match(checkedAt, /^20/)
    assert.deepEqual(listed, {
      name,
      fact: fee,
      revision,
      state: 'current',
      checkedBy: user.name,
      usedBy: [{ id, title: 'Our fees' }],
      proposal: null,
    })
    await services.flushLog()
    const logged = services.db.selectFrom('logs').select('user_id').where('message', '=', 'Fact changed')
    assert.equal((await logged.where('details', 'like', `%"${name}"%`).execute())[0]?.user_id, user.id)
  })

  test('a fact that claims what only an admin may give a reason for is refused', async () => {
    const { name, revision } = await add()
    const source = { ...fee.source, label: 'Our visa approval rate' }
    for (const change of [{ value: 'guaranteed visas' }, { value: '95%', unit: 'approved' }, { source }])
      assert.equal((await put(name, { ...fee, ...change }, revision)).status, 400, JSON.stringify(change))
    assert.deepEqual((await find(name))?.fact, fee)
    for (const { name: known, fact, revision: seen } of (await ana.call(facts.list, {})).facts)
      assert.equal((await put(known, fact, seen)).status, 200, known)
  })

  /** A draft of a page with a sentence that ends in a fact. */
  async function draftOf(name: string, words = 'The approval of your visa is ') {
    const { id, path } = await addPage(ana)
    const said = [
      { type: 'text', text: words },
      { type: 'fact', attrs: { name } },
      { type: 'text', text: '.' },
    ]
    const doc = { type: 'doc', content: [{ type: 'paragraph', content: said }] }
    const body = { ...pageBody(path, 'Our work'), blocks: [{ id: 'text-1', type: 'text', text: doc }] }
    const { revision } = await ana.call(content.saveDraft, { id, body, revision: 2 })
    return { path, body, draft: { id, revision } }
  }
  const harmless = { ...fee, value: 'up to the Department' }
  const claim = { ...fee, value: '100 %' }

  test('a fact is refused whose new value makes a claim of a sentence that is live or scheduled (found K5)', async () => {
    for (const liveFrom of [undefined, new Date(services.clock().getTime() + days(7)).toISOString()]) {
      const { name, revision } = await add(harmless)
      const { draft } = await draftOf(name)
      await ana.call(content.publish, { ...draft, ...(liveFrom && { liveFrom }) })
      const refused = await put(name, claim, revision)
      assert.equal(refused.status, 400)
      assert.match(refused.errors['fact.value'], /^A page would say “The approval of your visa is 100 %/)
      assert.deepEqual((await find(name))?.fact, harmless)
      assert.equal((await put(name, { ...fee, value: 'a matter for the Department' }, revision)).status, 200)
    }
  })

  test('a fact makes no claim of a sentence of a page whose deletion can be undone', async () => {
    const { name, revision } = await add(harmless)
    const { path, draft } = await draftOf(name)
    const { id } = draft
    await ana.call(content.publish, draft)
    await ana.call(archive.delete, { id })
    const refused = await put(name, claim, revision)
    assert.equal(refused.status, 400)
    assert.match(refused.errors['fact.value'], /^A page would say “The approval of your visa is 100 %/)
    await ana.call(archive.restore, { id })
    assert.ok(services.content.read().documents.has(path))
    await ana.call(archive.delete, { id })
    testApp.wait(minutes(12))
    const editor = await signInAs(testApp, user.email)
    assert.equal((await put(name, claim, revision, editor)).status, 200)
    testApp.wait(-minutes(12))
  })

  test('the reason for a sentence holds for what its facts said when it was given', async () => {
    const admin = await signInAs(testApp, (await createStaff(testApp, 'admin')).email)
    const { name, revision } = await add({ value: '61 %' })
    const { draft } = await draftOf(name)
    const address = `/api/content/${draft.id}/review`
    await set('true')
    const asked = { revision: draft.revision }
    const { findings } = await (await admin.send('POST', address, asked)).json()
    const overrides = (findings as Finding[]).map(({ rule, path, sentence }) => {
      return { rule, path, sentence, reason: 'The report of 2026' }
    })
    const { review } = await (await admin.send('POST', address, { ...asked, overrides })).json()
    await set('false')
    const approve = async () =>
      (await ben.send('POST', `${address}/approve`, { number: review.number })).status
    const { fact } = await put(name, { ...fee, value: '99 %' }, revision, ben)
    assert.equal(await approve(), 422)
    assert.equal((await put(name, { ...fee, value: '61 %' }, fact.revision, ben)).status, 200)
    assert.equal(await approve(), 200)
  })

  test('the reason of an editor stays with its page when a fact of the sentence changes', async () => {
    const { name, revision } = await add()
    const { draft, body } = await draftOf(name, 'Our best team charges ')
    const { id } = draft
    const refused = await (
      await ana.send('POST', `/api/content/${id}/publish`, { revision: draft.revision })
    ).json()
    const overrides = (refused.findings as Finding[]).map(({ rule, path, sentence }) => {
      return { rule, path, sentence, reason: 'The award of 2026' }
    })
    assert.ok(overrides.length > 0)
    await ana.call(content.publish, { ...draft, overrides })
    assert.equal((await put(name, { ...fee, value: 'AUD 3,310' }, revision)).status, 200)
    const next = await ana.call(content.saveDraft, {
      ...{ id, revision: draft.revision, body: { ...body, title: 'Our team' } },
    })
    const { version } = await ana.call(content.publish, { id, revision: next.revision })
    const stored = services.db.selectFrom('content_versions').select('findings')
    const of = stored.where('document_id', '=', id).where('number', '=', version.number)
    assert.match((await of.executeTakeFirstOrThrow()).findings, /The award of 2026/)
  })

  test('a page is checked with a fact that another node has changed since the check began', async () => {
    const { name } = await add(harmless)
    const { draft } = await draftOf(name)
    const meanwhile = [() => addFacts(services.db, services.clock, [{ name, ...claim }], 'Ben')]
    const store: typeof services.content = {
      ...services.content,
      async refresh() {
        await services.content.refresh()
        await meanwhile.pop()?.()
      },
    }
    const publishing = publish({ ...services, content: store }, draft, { user, log: services.log })
    await assert.rejects(publishing, { status: 422 })
    assert.equal(meanwhile.length, 0)
  })

  test('a fact that somebody else has changed is not overwritten', async () => {
    const { name, revision } = await add()
    const replies = await Promise.all(
      [ana, ben].map((who, at) => put(name, { ...fee, value: `Version ${at}` }, revision, who)),
    )
    const [won, lost] = replies[0]?.status === 200 ? replies : replies.toReversed()
    assert.deepEqual([won?.status, lost?.status, lost?.code], [200, 409, 'fact_changed'])
    assert.deepEqual(lost?.fact.fact, (await find(name))?.fact)
    for (const stale of [null, revision, 9999])
      assert.equal((await put(name, fee, stale)).code, 'fact_changed')
    assert.equal((await put(newName(), fee, 1)).code, 'fact_changed')
  })

  test('a fact needs a value, an https source and real dates in their order', async () => {
    for (const [field, change] of [
      ['fact.value', { value: ' ' }],
      ['fact.value', { value: 'x'.repeat(2001) }],
      ['fact.value', { value: 'two\nlines' }],
      ['fact.source.url', { source: { ...fee.source, url: 'http://immi.homeaffairs.gov.au' } }],
      ['fact.source.url', { source: { ...fee.source, url: 'javascript:alert(1)' } }],
      ['fact.source.label', { source: { ...fee.source, label: '' } }],
      ['fact.asAt', { asAt: '2026-02-29' }],
      ['fact.asAt', { asAt: '2026-7-1' }],
      ['fact.reviewBy', { reviewBy: '2026-13-01' }],
      ['fact.reviewBy', { reviewBy: fee.asAt }],
      ['fact.endsOn', { endsOn: '2026-06-30' }],
      ['fact.endsOn', { endsOn: '' }],
    ] as const) {
      const { status, errors } = await put(newName(), { ...fee, ...change })
      assert.deepEqual([status, Object.keys(errors)], [400, [field]], JSON.stringify(change))
    }
    for (const name of ['Fee', 'a_b', 'x'.repeat(101)]) assert.equal((await put(name, fee)).status, 400, name)
    assert.equal((await put(newName(), { ...fee, endsOn: fee.asAt, reviewBy: '2026-07-02' })).status, 200)
  })

  test('a fact is overdue from the day after its review, ended from the day after its end, and a task then', async () => {
    const today = services.clock().toISOString().slice(0, 10)
    const shift = (count: number) => new Date(Date.parse(today) + days(count)).toISOString().slice(0, 10)
    const due = async (reviewBy: string, endsOn: string | null = null) =>
      await add({ asAt: '2020-01-01', reviewBy, endsOn })
    assert.equal((await due(shift(2))).state, 'current')
    assert.equal((await due(shift(2), shift(2))).state, 'current')
    const overdue = await due(shift(-2))
    assert.equal(overdue.state, 'overdue')
    assert.equal((await due(shift(2), shift(-2))).state, 'ended')
    const tasks = (await viewer.call(dashboard.read, {})).content
    const { facts: listed } = await ana.call(facts.list, {})
    assert.equal(tasks?.factCount, listed.filter(({ fact }) => fact.reviewBy < today).length)
    assert.ok(tasks?.facts.some(({ name, reviewBy }) => name === overdue.name && reviewBy === shift(-2)))
  })

  test('a fact that has ended is shown as such on the fixed pages: a figure, a claim and the privacy notice', async () => {
    const { claims, collectionNotice, ...current } = services.content.read().site
    const sourced = claims.find(({ kind }) => kind === 'sourced')
    const names = [
      describedVisas(current).find(({ figures }) => figures.length > 0)?.figures[0]?.fact,
      sourced?.kind === 'sourced' ? sourced.fact : undefined,
      collectionNotice.figures[0]?.fact,
    ]
    const read = async (path: string) => await (await fetch(`${site.url}${path}`)).text()
    const shown = async () => `${await read('/')}${await read('/contact')}`
    const ended = async () => (await shown()).split('no longer current').length - 1
    let before = await ended()
    for (const [at, name = ''] of names.entries()) {
      const value = `a value of ${at}`
      const past = { ...fee, value, asAt: '2020-01-01', endsOn: '2020-01-02' }
      const { fact, errors } = await put(name, past, (await find(name))?.revision)
      assert.equal(fact?.state, 'ended', JSON.stringify(errors))
      await site.services.content.refresh()
      const after = await ended()
      assert.ok(after > before, name)
      before = after
      assert.doesNotMatch(await shown(), new RegExp(value))
    }
  })

  test('a viewer and a token change no fact', async () => {
    const { name, revision } = await add()
    assert.equal((await put(name, fee, revision, viewer)).status, 403)
    const admin = await signInAs(testApp, (await createStaff(testApp, 'admin')).email)
    const program = createTokenClient(testApp, (await createToken(admin, user)).token)
    const reply = await program('PUT', '/api/content/facts', { name, fact: fee, revision })
    assert.deepEqual([reply.status, (await reply.json()).code], [403, 'session_required'])
    assert.equal((await program('GET', '/api/content/facts')).status, 200)
  })

  test('there are at most five hundred facts', async () => {
    const { facts: before } = await ana.call(facts.list, {})
    const columns = {
      ...{ value: '1', unit: '', as_at: fee.asAt, source_title: 'x', source_url: fee.source.url },
      ...{ review_by: fee.reviewBy, ends_on: null, checked_by: 'x', created_at: '2026-07-01' },
    }
    const last = Math.max(...before.map(({ revision }) => revision))
    const rows = Array.from({ length: MAX_FACTS - 1 - before.length }, (_, at) => ({
      id: last + 1 + at,
      name: `more-${at}`,
      ...columns,
    }))
    await services.db.insertInto('facts').values(rows).execute()
    const { name, revision } = await add()
    assert.equal((await put(newName(), fee)).status, 409)
    assert.equal((await put(name, fee, revision)).status, 200)
    assert.equal((await ana.call(facts.list, {})).facts.length, MAX_FACTS)
  })
})
