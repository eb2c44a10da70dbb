import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createStaff, signInAs } from '../../../../tests/support/staff.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { hours, isoAfter } from '../../../platform/clock.ts'
import { samplePages } from '../../../sample/pages.server.ts'
import { sampleContent } from '../../../sample/site.server.ts'
import { claims, content } from '../contract.ts'
import { reviews } from '../reviews/contract.ts'
import { samples } from './contract.ts'

suite('Samples that are still there', async () => {
  const testApp = await openTestApp({ publicUrl: 'http://agency.test' }, { samples: samplePages })
  const { services } = testApp
  const editor = await signInAs(testApp, (await createStaff(testApp, 'editor')).email)
  const second = await signInAs(testApp, (await createStaff(testApp, 'editor')).email)
  const { siteId } = services.content.read()

  const list = async () => (await editor.call(samples.list, {})).samples
  const paths = async () => (await list()).map(({ path }) => path)
  const site = () => services.content.read().site
  const open = async (id: string) => await editor.call(content.open, { id })
  const pageAt = (path: string) => services.content.read().documents.get(path) ?? assert.fail(path)
  /** Saves the draft of the site with this change. */
  async function save(change: (body: Record<string, unknown>) => object) {
    const { draft } = await open(siteId)
    const body = { ...draft.body, ...change(draft.body) }
    return (await editor.call(content.saveDraft, { id: siteId, body, revision: draft.revision })).revision
  }

  test('the list says of each sample where it stands and what it says (found E3)', async () => {
    const found = await list()
    const at = (path: string) => found.find(each => each.path === path)
    assert.partialDeepStrictEqual(at('agent.name'), {
      label: 'Agent, Name',
      text: sampleContent.site.agent.name,
      isHidden: false,
    })
    const [first] = sampleContent.site.testimonials
    assert.match(at(`testimonials.#${first?.id}`)?.text ?? '', new RegExp(`${first?.name}`))
    const fee = found.find(({ path }) => path.startsWith('blocks.'))
    assert.match(fee?.field ?? '', /^blocks\.\d+\.grid\.rows\.\d+\.cells\.[\w-]+$/, 'the cell to be edited')
    const pages = new Set(found.map(({ document }) => document.title))
    assert.ok(pages.size > 2, 'the site, the fees and an article')
    for (const { text, label } of found) assert.ok(text && label)
  })

  test('a new installation has all of its samples, and what is edited, removed or confirmed is counted', async () => {
    const { edited, confirmed } = await editor.call(samples.list, {})
    assert.deepEqual([edited, confirmed], [0, 0])
    const { removals } = await editor.call(samples.remove, { samples: [{ id: siteId, path: 'company.abn' }] })
    assert.equal((await editor.call(samples.list, {})).edited, 1)
    await editor.call(samples.undo, { removals })
  })

  test('one is removed from what visitors see and from the draft, which keeps its other changes (found E3)', async () => {
    await save(body => ({ company: { ...Object(body.company), siteName: 'Not Yet' } }))
    const chosen = { id: siteId, path: 'company.abn' }
    const { removed, removals } = await editor.call(samples.remove, { samples: [chosen] })
    assert.deepEqual([removed, removals.length], [1, 1])
    assert.equal(site().company.abn, null)
    assert.notEqual(site().company.siteName, 'Not Yet')
    const { draft, document } = await open(siteId)
    assert.partialDeepStrictEqual(draft.body, { company: { abn: null, siteName: 'Not Yet' } })
    assert.equal(document.state, 'changed')
    assert.ok(!(await paths()).includes('company.abn'))
    await editor.call(samples.undo, { removals })
    assert.equal(site().company.abn, sampleContent.site.company.abn)
    await save(body => ({ company: { ...Object(body.company), siteName: site().company.siteName } }))
  })

  test('the pin of the sample is not shown beside another address, also where samples are', async () => {
    const shown = () => services.content.read().content.company.location
    assert.ok(shown())
    const publish = async (address: readonly string[]) => {
      const revision = await save(body => ({ company: { ...Object(body.company), address } }))
      await editor.call(content.publish, { id: siteId, revision })
    }
    await publish(['1 High Street', 'Fremantle WA 6160'])
    assert.equal(shown(), null)
    assert.ok((await paths()).includes('company.location'), 'it is still listed')
    const preview = await editor.fetch(`/preview/${siteId}/contact`)
    assert.doesNotMatch(await preview.text(), /site-map/)
    await publish(sampleContent.site.company.address)
    assert.ok(shown())
  })

  test('all go at once, and undo brings each back where it was (found E3)', async () => {
    const [before, bodyBefore] = [await list(), site()]
    const { removed, removals, refused } = await editor.call(samples.remove, {})
    assert.deepEqual([removed, refused], [before.length, []])
    assert.deepEqual(await list(), [])
    const { agent, testimonials, officeHours } = site()
    assert.deepEqual(
      [agent.name, agent.introduction, testimonials, officeHours],
      [null, [], [], []],
      'the pages close up around them',
    )
    assert.doesNotMatch(JSON.stringify(pageAt('/fees').content), /AUD 0/)
    assert.deepEqual(await editor.call(samples.undo, { removals }), {
      success: true,
      requested: [],
      refused: [],
    })
    assert.deepEqual(await list(), before)
    assert.deepEqual(site(), bodyBefore)
  })

  test('undo leaves what the draft has in its place (found E3)', async () => {
    const { removals } = await editor.call(samples.remove, {})
    await save(body => ({ agent: { ...Object(body.agent), name: 'Mei Tanaka' } }))
    await editor.call(samples.undo, { removals })
    assert.equal(site().agent.name, sampleContent.site.agent.name)
    assert.partialDeepStrictEqual((await open(siteId)).draft.body, { agent: { name: 'Mei Tanaka' } })
    await save(() => structuredClone(site()) as object)
  })

  test('undo leaves a draft that could not be saved with them (found E3)', async () => {
    const { removals } = await editor.call(samples.remove, {})
    const own = ['a', 'b', 'c'].map(id => ({ ...sampleContent.site.testimonials[0], id }))
    await save(() => ({ testimonials: own }))
    await editor.call(samples.undo, { removals })
    assert.equal(site().testimonials.length, sampleContent.site.testimonials.length)
    assert.partialDeepStrictEqual((await open(siteId)).draft.body, { testimonials: own })
    const revision = await save(() => structuredClone(site()) as object)
    await editor.call(content.publish, { id: siteId, revision })
  })

  test('only the person who removed them brings them back, and only until something else is published (found E3)', async () => {
    const { removals } = await editor.call(samples.remove, { samples: [{ id: siteId, path: 'company.abn' }] })
    const refusalsFor = async (who: typeof editor) =>
      (await who.call(samples.undo, { removals })).refused.map(({ message }) => message)
    const refusal = ['Something else was published since.']
    assert.deepEqual(await refusalsFor(second), refusal)
    const { revision } = (await open(siteId)).draft
    await editor.call(content.publish, { id: siteId, revision })
    assert.deepEqual(await refusalsFor(editor), refusal)
    assert.equal(site().company.abn, null)
    const restored = await save(body => ({
      company: { ...Object(body.company), abn: sampleContent.site.company.abn },
    }))
    await editor.call(content.publish, { id: siteId, revision: restored })
  })

  test('the sample agent goes as a whole, since nobody is shown without a name or a number (found E3)', async () => {
    const chosen = [{ id: siteId, path: 'agent.registrationNumber' }]
    const { removed, removals, refused } = await editor.call(samples.remove, { samples: chosen })
    assert.deepEqual([removed > 5, refused], [true, []])
    assert.ok((await paths()).every(path => !path.startsWith('agent.')))
    await editor.call(samples.undo, { removals })
    assert.equal(site().agent.name, sampleContent.site.agent.name)
  })

  test('the name and the number of the sample stay while somebody has written about the agent (found E3)', async () => {
    const revision = await save(body => ({
      agent: { ...Object(body.agent), introduction: [{ id: 'own', text: 'We read every enquiry.' }] },
    }))
    await editor.call(content.publish, { id: siteId, revision })
    const one = [{ id: siteId, path: 'agent.name' }]
    assert.match(
      (await editor.call(samples.remove, { samples: one })).refused[0]?.message ?? '',
      /Enter yours/,
    )
    const { removals, refused } = await editor.call(samples.remove, {})
    assert.deepEqual([refused, site().company.abn], [[], null])
    assert.deepEqual(await paths(), ['agent.name', 'agent.registrationNumber'])
    await editor.call(samples.undo, { removals })
    const restored = await save(body => ({
      agent: { ...Object(body.agent), introduction: sampleContent.site.agent.introduction },
    }))
    await editor.call(content.publish, { id: siteId, revision: restored })
  })

  test('a sample that the draft has in other words stays in the draft (found E3)', async () => {
    await save(body => ({ company: { ...Object(body.company), legalName: 'Ours Pty Ltd' } }))
    const { removals } = await editor.call(samples.remove, {
      samples: [{ id: siteId, path: 'company.legalName' }],
    })
    assert.equal(site().company.legalName, null)
    assert.partialDeepStrictEqual((await open(siteId)).draft.body, { company: { legalName: 'Ours Pty Ltd' } })
    await editor.call(samples.undo, { removals })
    await save(body => ({ company: { ...Object(body.company), legalName: site().company.legalName } }))
  })

  test('a document with a scheduled change stays as it is, and the reply says so (found E3)', async () => {
    const { draft } = await open(siteId)
    const liveFrom = isoAfter(services.clock, hours(24))
    await editor.call(content.publish, { id: siteId, revision: draft.revision, liveFrom })
    const { refused, removals } = await editor.call(samples.remove, {})
    assert.deepEqual(
      refused.map(({ title }) => title),
      [site().company.siteName],
    )
    assert.match(refused[0]?.message ?? '', /scheduled/)
    assert.ok(removals.length > 0, 'the other pages')
    await editor.call(samples.undo, { removals })
    await editor.call(content.publish, { id: siteId, revision: draft.revision })
  })

  test('while publishing needs a second person, a removal waits for one (found E3)', async () => {
    await services.settings.write('content_needs_review', 'true')
    const { requested, removals } = await editor.call(samples.remove, {
      samples: [{ id: siteId, path: 'company.abn' }],
    })
    assert.deepEqual([requested, removals], [[site().company.siteName], []])
    assert.notEqual(site().company.abn, null)
    const { review } = await second.call(content.open, { id: siteId })
    await second.call(reviews.approve, { id: siteId, number: review?.number ?? 0 })
    assert.equal(site().company.abn, null)
    await services.settings.write('content_needs_review', 'false')
  })

  test('an editor confirms no claim that only an admin may keep, and nobody an address or a testimonial (found E3)', async () => {
    const [stop] = (await list()).filter(({ path, mayConfirm }) => path.startsWith('claims.') && !mayConfirm)
    const [testimonial] = (await list()).filter(({ path }) => path.startsWith('testimonials.'))
    assert.equal(testimonial?.mayConfirm, false)
    const input = { id: siteId, path: stop?.path ?? '', reason: 'They said so.' }
    assert.equal((await editor.send('POST', samples.confirm.path, input)).status, 403)
    for (const path of ['company.address', testimonial?.path])
      assert.equal((await editor.send('POST', samples.confirm.path, { ...input, path })).status, 409)
    assert.equal((await editor.send('POST', samples.confirm.path, { ...input, reason: ' ' })).status, 400)
    assert.ok((await paths()).includes(input.path))
  })

  test('an admin confirms a claim of the sample with a reason, and it is no sample any more (found E3)', async () => {
    const admin = await signInAs(testApp, (await createStaff(testApp, 'admin')).email)
    const [first, next] = (await admin.call(samples.list, {})).samples.filter(({ mayConfirm }) => mayConfirm)
    assert.equal(first?.group, 'claims')
    const claim = { id: siteId, path: first?.path ?? '', reason: 'The register of 2025, kept in the safe.' }
    assert.deepEqual(await admin.call(samples.confirm, claim), { success: true, isRequested: false })
    assert.ok(!(await paths()).includes(claim.path))
    const kept = (await admin.call(claims.list, {})).claims
    assert.ok(kept.some(({ reason }) => reason === claim.reason))
    assert.equal((await admin.call(samples.list, {})).confirmed, 1)
    assert.equal((await admin.send('POST', samples.confirm.path, claim)).status, 404, 'twice')
    await services.settings.write('content_needs_review', 'true')
    const other = { ...claim, path: next?.path ?? '' }
    assert.equal((await admin.call(samples.confirm, other)).isRequested, true)
    assert.ok((await paths()).includes(other.path), 'until somebody approves it')
    const { review } = await second.call(content.open, { id: siteId })
    assert.ok(review?.reasons.some(({ reason }) => reason === claim.reason))
    await admin.call(reviews.withdraw, { id: siteId, number: review?.number ?? 0 })
    await services.settings.write('content_needs_review', 'false')
  })

  test('what names the agent of the sample as another agent comes first (found E3)', async () => {
    const groupOfStory = async () =>
      (await list()).filter(({ path }) => path.startsWith('agent.founderProfile')).map(({ group }) => group)
    assert.ok(!(await groupOfStory()).includes('agent'))
    const revision = await save(body => ({
      agent: { ...Object(body.agent), name: 'Mei Tanaka', registrationNumber: '1234567' },
    }))
    const admin = await signInAs(testApp, (await createStaff(testApp, 'admin')).email)
    const { findings } = await admin.call(content.check, { id: siteId })
    const overrides = findings.map(({ rule, path, sentence }) => ({
      ...{ rule, path, sentence, reason: 'For a test.' },
    }))
    await admin.call(content.publish, { id: siteId, revision, overrides })
    assert.ok((await groupOfStory()).includes('agent'))
  })

  test('a viewer reads the list and removes nothing, and no version can be made up (found E3)', async () => {
    const viewer = await signInAs(testApp, (await createStaff(testApp, 'viewer')).email)
    assert.ok((await viewer.call(samples.list, {})).samples.length > 0)
    assert.equal((await viewer.send('POST', samples.remove.path, {})).status, 403)
    const removals = [{ id: siteId, number: 9999 }]
    assert.equal((await editor.call(samples.undo, { removals })).refused.length, 1)
  })
})
