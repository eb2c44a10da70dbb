import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { overridesFor } from '../../../../tests/support/content.ts'
import { openSite } from '../../../../tests/support/site.ts'
import { createStaff, signInAs } from '../../../../tests/support/staff.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { content } from '../../content-editor/contract.ts'

suite('What visitors read of the office', async () => {
  // Monday in Sydney.
  let now = new Date('2026-11-23T09:20+11:00')
  const clock = () => now
  const testApp = await openTestApp({}, { clock })
  const admin = await signInAs(testApp, (await createStaff(testApp, 'admin')).email)
  const { url, services } = await openSite(testApp, { clock })
  const read = async (path: string) => await (await fetch(`${url}${path}`)).text()
  const sendTexts = async () => JSON.parse(await read('/contact/form.json'))
  const received = async () => await read('/contact/received?reference=LF-2222-3333')

  async function publish(change: object) {
    const { documents } = await admin.call(content.list, { kind: 'site' })
    const id = documents[0]?.id ?? ''
    const { draft } = await admin.call(content.open, { id })
    const body = { ...services.content.read().site, ...change }
    const { revision } = await admin.call(content.saveDraft, { id, body, revision: draft.revision })
    await admin.call(content.publish, { id, revision, overrides: overridesFor(body) })
    await services.content.refresh()
  }

  test('the page after the form says by when we aim to answer, and is not one from earlier', async () => {
    assert.match(await received(), /We aim to answer by Monday 23 November, 5:30\u00a0pm, Sydney time\./)
    now = new Date('2026-11-23T17:00+11:00')
    assert.match(await received(), /by Tuesday 24 November, 4\u00a0pm, Sydney time\./)
    now = new Date('2026-11-23T09:20+11:00')
  })

  test('the contact page says within how many office hours, and carries when the office is open', async () => {
    const page = await read('/contact')
    assert.match(page, /We aim to answer within 8 office hours, Sydney time\./)
    assert.equal((await sendTexts()).answer.city, 'Sydney')
    const [, clock = ''] = /data-clock="([^"]*signs[^"]*)"/.exec(page) ?? []
    const { signs } = JSON.parse(clock.replaceAll('&quot;', '"'))
    const shown = signs
      .slice(0, 3)
      .map(([until, sign]: [number, string]) => [new Date(until * 60_000).toISOString(), sign])
    assert.deepEqual(shown, [
      ['2026-11-22T22:00:00.000Z', 'Opens Monday 23 November, 9\u00a0am'],
      ['2026-11-23T07:00:00.000Z', 'Open until 6\u00a0pm'],
      ['2026-11-23T22:00:00.000Z', 'Opens Tuesday 24 November, 9\u00a0am'],
    ])
  })

  test('without a target the pages name the office hours once in each place, and no time', async () => {
    await publish({ replyHours: null })
    assert.doesNotMatch(await received(), /We aim|\d\u00a0[ap]m/)
    const page = await read('/contact')
    assert.doesNotMatch(page, /We aim to answer within/)
    assert.equal((await sendTexts()).answer, null)
    assert.match(page, /We answer in our office hours, Sydney time\./)
    const [points = ''] = /<ul class="enquiry-form-points">.*?<\/ul>/.exec(await read('/')) ?? []
    assert.equal(points.split('We answer in our office hours').length, 2)
  })

  test('an agency without office hours, or with hours by appointment only, says nothing about them', async () => {
    const evening = { id: 'evening', days: ['Monday'], opens: '18:00', closes: '20:00', byAppointment: true }
    for (const officeHours of [[], [evening]]) {
      await publish({ replyHours: 8, officeHours })
      assert.doesNotMatch(await received(), /We aim|We answer|Then we answer|\d\u00a0[ap]m/)
      for (const path of ['/contact', '/visas', '/news'])
        assert.doesNotMatch(await read(path), /We aim|We answer|we answer in these/, path)
      assert.equal((await sendTexts()).answer, null)
      const home = await read('/')
      assert.doesNotMatch(home, /<strong>(We answer|Hours<\/strong><span>Monday to Sunday)/)
      assert.equal(home.includes('Monday: 6pm–8pm, by appointment only'), officeHours.length > 0)
    }
  })

  test('a phone can be called from abroad, and an ABN is read in groups, however both were typed', async () => {
    const { company } = services.content.read().site
    await publish({ company: { ...company, abn: '51824753556', phone: '(02) 9633 1234' } })
    const page = await read('/contact')
    assert.match(page, /<a href="tel:\+61296331234"[^>]*>\(02\) 9633 1234</)
    assert.match(page, /ABN\u00a051\u00a0824\u00a0753\u00a0556/)
  })
})
