import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { overridesFor } from '../../../tests/support/content.ts'
import { createStaff, signInAs } from '../../../tests/support/staff.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { hours, isoAfter } from '../../platform/clock.ts'
import { content } from '../content-editor/contract.ts'
import { reviews } from '../content-editor/reviews/contract.ts'
import { type SettingKey, settings } from './contract.ts'

suite('The name and the phone of the agency', async () => {
  const testApp = await openTestApp()
  const { services } = testApp
  const admin = await signInAs(testApp, (await createStaff(testApp, 'admin')).email)
  const second = await signInAs(testApp, (await createStaff(testApp, 'admin')).email)
  const id = services.content.read().siteId

  const put = async (key: SettingKey, value: string) =>
    await admin.send('PUT', `/api/settings/${key}`, { value })
  const shown = async (key: SettingKey) =>
    (await admin.call(settings.list, {})).settings.find(setting => setting.key === key)?.value
  const live = () => services.content.read().site.company
  const open = async () => {
    const { draft, document } = await admin.call(content.open, { id })
    const body: Record<string, unknown> & { company: Record<string, unknown> } = {
      ...draft.body,
      company: { ...Object(draft.body.company) },
    }
    return { ...draft, body, state: document.state }
  }
  /** Saves the draft with another field of the company. */
  async function save(change: Record<string, unknown>) {
    const { body, revision } = await open()
    const company = { ...body.company, ...change }
    return (await admin.call(content.saveDraft, { id, body: { ...body, company }, revision })).revision
  }
  const publish = async (revision: number, more: object = {}) => {
    const overrides = overridesFor((await open()).body)
    return await admin.call(content.publish, { id, revision, overrides, ...more })
  }

  /** An editor with an unpublished change of the site, while publishing needs a second person. */
  async function beginReviewedDraft(legalName: string) {
    await services.settings.write('content_needs_review', 'true')
    const writer = await signInAs(testApp, (await createStaff(testApp, 'editor')).email)
    const { draft } = await writer.call(content.open, { id })
    const company = { ...Object(draft.body.company), legalName }
    await writer.call(content.saveDraft, { id, body: { ...draft.body, company }, revision: draft.revision })
    return writer
  }
  const readReview = async () => (await admin.call(content.open, { id })).review ?? assert.fail('no review')
  const endReviews = async () => await services.settings.write('content_needs_review', 'false')

  test('a name that is set in the settings is published and is the one of the draft (found E4)', async () => {
    const before = await open()
    const reply = await put('site_name', 'Tasman Migration')
    assert.deepEqual(await reply.json(), {
      success: true,
      setting: { key: 'site_name', value: 'Tasman Migration' },
    })
    assert.equal(live().siteName, 'Tasman Migration')
    const after = await open()
    assert.deepEqual([after.revision, after.state], [before.revision + 1, 'live'])
    assert.equal(after.body.company.siteName, 'Tasman Migration')
    const [version] = (await admin.call(content.versions, { id })).versions
    assert.equal(version?.note, 'Changed in the settings')
  })

  test('a phone that is published in Content is the one of the settings (found E4)', async () => {
    await publish(await save({ phone: '+61 8 5550 4444' }))
    assert.equal(await shown('contact_phone'), '+61 8 5550 4444')
    assert.equal((await services.settings.publicValues()).contact_phone, '+61 8 5550 4444')
  })

  test('other changes of the draft stay unpublished, and are all that its comparison shows (found E4)', async () => {
    await save({ legalName: 'Not Yet Pty Ltd' })
    assert.equal((await put('contact_phone', '+61 8 5550 5555')).status, 200)
    assert.deepEqual([live().phone, live().legalName === 'Not Yet Pty Ltd'], ['+61 8 5550 5555', false])
    const { body, state, revision } = await open()
    assert.equal(state, 'changed')
    assert.deepEqual({ ...live(), legalName: 'Not Yet Pty Ltd' }, body.company)
    await publish(revision)
    assert.equal((await open()).state, 'live')
    assert.equal(live().phone, '+61 8 5550 5555')
  })

  test('the same value again publishes nothing (found E4)', async () => {
    const { revision } = await open()
    assert.equal((await put('site_name', live().siteName)).status, 200)
    assert.equal((await open()).revision, revision)
  })

  test('a name that promises something is refused at its field, as it is in Content (found E4)', async () => {
    const before = await open()
    const reply = await put('site_name', 'Guaranteed visas, 100% success')
    assert.equal(reply.status, 400)
    assert.match((await reply.json()).errors.value, /\w/)
    assert.deepEqual(await open(), before)
  })

  test('while a change of the site is scheduled, the settings leave both as they are (found E4)', async () => {
    const revision = await save({ legalName: 'Tomorrow Pty Ltd' })
    await publish(revision, { liveFrom: isoAfter(services.clock, hours(24)) })
    const before = live().siteName
    const reply = await put('site_name', 'Another Name')
    assert.deepEqual([reply.status, live().siteName], [409, before])
    assert.match((await reply.json()).message, /scheduled/)
    await publish(revision)
  })

  test('while publishing needs a second person, the settings ask for approval, and say so (found E4)', async () => {
    await services.settings.write('content_needs_review', 'true')
    const before = live().siteName
    const reply = await put('site_name', 'Arafura Migration')
    const { setting, review } = await reply.json()
    assert.deepEqual([setting.value, review, live().siteName], [before, 'requested', before])
    const phone = await (await put('contact_phone', '+61 8 5550 6666')).json()
    assert.equal(phone.review, 'requested', 'both fields of one press')
    const { review: waiting } = await second.call(content.open, { id })
    assert.equal(waiting?.mayApprove, true)
    const own = await admin.send('POST', reviews.approve.path.replace(':id', id), { number: waiting?.number })
    assert.equal(own.status, 403)
    await second.call(reviews.approve, { id, number: waiting?.number ?? 0 })
    assert.deepEqual([live().siteName, live().phone], ['Arafura Migration', '+61 8 5550 6666'])
    assert.equal((await open()).state, 'live')
    await services.settings.write('content_needs_review', 'false')
  })

  test('in a draft of somebody else a change of the settings leaves its author the second person (found E4)', async () => {
    const writer = await beginReviewedDraft('Theirs Pty Ltd')
    assert.equal((await (await put('site_name', 'Coral Sea Migration')).json()).review, 'requested')
    await writer.call(reviews.approve, { id, number: (await readReview()).number })
    assert.equal(live().siteName, 'Coral Sea Migration')
    const { revision, state } = await open()
    assert.equal(state, 'changed')
    await writer.call(reviews.ask, { id, revision })
    await admin.call(reviews.approve, { id, number: (await readReview()).number })
    assert.equal(live().legalName, 'Theirs Pty Ltd')
    await endReviews()
  })

  test('while such a change waits, or is declined, its author approves no draft that has it (found E4)', async () => {
    const writer = await beginReviewedDraft('Ours Pty Ltd')
    await put('site_name', 'Torres Migration')
    await writer.call(reviews.decline, { id, number: (await readReview()).number, note: 'No' })
    await writer.call(reviews.ask, { id, revision: (await open()).revision })
    const { number } = await readReview()
    const path = reviews.approve.path.replace(':id', id)
    assert.equal((await admin.send('POST', path, { number })).status, 403)
    assert.equal((await second.send('POST', path, { number })).status, 200)
    await endReviews()
  })

  test("a change joins no review that has somebody else's words (found E4)", async () => {
    await beginReviewedDraft('Somebody Pty Ltd')
    const { revision } = await open()
    await admin.call(reviews.ask, { id, revision, note: 'Changed in the settings' })
    assert.equal((await put('site_name', 'Bass Strait Migration')).status, 409)
    await endReviews()
  })

  test('nobody changes them with a session that is no longer one of an admin (found E4)', async () => {
    const leaver = await createStaff(testApp, 'admin')
    const browser = await signInAs(testApp, leaver.email)
    const before = live().siteName
    await services.db.updateTable('users').set({ role: 'editor' }).where('id', '=', leaver.id).execute()
    assert.equal((await browser.send('PUT', '/api/settings/site_name', { value: 'Theirs' })).status, 403)
    assert.equal(live().siteName, before)
  })
})
