import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Browser } from '../../../tests/support/browser.ts'
import { openSite } from '../../../tests/support/site.ts'
import { createStaff, signInAs } from '../../../tests/support/staff.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { claims, content } from '../content-editor/contract.ts'

const RATE = '95%'
const SUPPORT = '24/7'
const CLIENTS = ['Jordan Sample', 'Priya Placeholder', 'Wei Example']
const WORDS = [RATE, SUPPORT, ...CLIENTS]

async function openNode(publicUrl: string) {
  const hidesSamples = publicUrl.startsWith('https:')
  const testApp = await openTestApp({ publicUrl }, { hidesSamples })
  const { url, services } = await openSite(testApp, { hidesSamples })
  const admin = await signInAs(testApp, (await createStaff(testApp, 'admin')).email)
  const editor = await signInAs(testApp, (await createStaff(testApp, 'editor')).email)

  /** The pages with the claims and the testimonials. */
  const pages = async () => {
    const read = async (path: string) => await (await fetch(`${url}${path}`)).text()
    return (await read('/')) + (await read('/about-us'))
  }
  /** Which words of the sample visitors read. */
  const shown = async () => {
    await services.content.refresh()
    const html = await pages()
    assert.doesNotMatch(html, /example (?:figure|fee)/i)
    return WORDS.filter(word => html.includes(word))
  }
  const open = async () => {
    const { documents } = await admin.call(content.list, { kind: 'site' })
    return await admin.call(content.open, { id: documents[0]?.id ?? '' })
  }
  /** Publishes the site with another body, or with reasons. */
  async function publish(by: Browser, change: (body: string) => string, overrides: readonly object[] = []) {
    const { document, draft } = await open()
    const { id } = document
    const body = JSON.parse(change(JSON.stringify(draft.body)))
    const { revision } = await by.call(content.saveDraft, { id, body, revision: draft.revision })
    return await by.send('POST', `/api/content/${id}/publish`, { revision, overrides })
  }
  const recorded = async (word: string) => {
    const { claims } = await open()
    const found = claims.recorded.find(({ sentence }) => sentence.includes(word))
    assert.ok(found, word)
    return found
  }
  const confirm = async (by: Browser, word: string) => {
    const { rule, path, sentence } = await recorded(word)
    return await publish(by, body => body, [{ rule, path, sentence, reason: 'Signed consent in file 12' }])
  }
  return { admin, editor, pages, shown, open, publish, confirm, recorded }
}

suite('Samples that nobody has confirmed', async () => {
  const trial = await openNode('http://agency.test')
  const agency = await openNode('https://agency.test')

  test('are shown at an http address, so that a trial looks whole', async () => {
    assert.deepEqual(await trial.shown(), WORDS)
    assert.equal((await trial.open()).claims.hidesSamples, false)
  })

  test('are hidden from visitors at an https address, and what needs no proof is shown', async () => {
    assert.deepEqual(await agency.shown(), [])
    const html = await agency.pages()
    assert.match(html, /456/)
    assert.doesNotMatch(html, /What clients say/)
    assert.equal((await agency.open()).claims.hidesSamples, true)
  })

  test('stay hidden when somebody publishes another part of the site', async () => {
    const reply = await agency.publish(agency.editor, body =>
      body.replace('Second opinion', 'Another opinion'),
    )
    assert.equal(reply.status, 200)
    assert.deepEqual(await agency.shown(), [])
    assert.match(await agency.pages(), /Another opinion/)
  })

  test('stay hidden when an editor confirms what only an admin may', async () => {
    await agency.confirm(agency.editor, RATE)
    assert.deepEqual(await agency.shown(), [])
  })

  test('are not shown by an editor who repeats one outside of the claims', async () => {
    const before = await agency.open()
    const repeat = (body: string) =>
      body.replace(/"description":"[^"]*"/, '"description":"Visa approval rate: 95%"')
    assert.equal((await agency.publish(agency.editor, repeat)).status, 422)
    assert.deepEqual(await agency.shown(), [])
    const { id } = before.document
    const { revision } = (await agency.open()).draft
    await agency.editor.call(content.saveDraft, { id, body: before.draft.body, revision })
  })

  test('are shown once an admin has confirmed them with a reason, and stay so', async () => {
    assert.equal((await agency.confirm(agency.admin, RATE)).status, 200)
    assert.deepEqual(await agency.shown(), [RATE])
    assert.equal((await agency.confirm(agency.admin, 'Priya Placeholder')).status, 200)
    assert.deepEqual(await agency.shown(), [RATE, 'Priya Placeholder'])
    const { claims: listed } = await agency.admin.call(claims.list, {})
    assert.deepEqual(
      listed.map(({ field, author, version, isHidden }) => [field, author, version, isHidden]),
      [
        ['Agent, Registration number (MARN)', 'Landfall', 5, false],
        ['Testimonials 1, Quote', 'Landfall', 5, true],
        ['Testimonials 2, Quote', 'Robin the admin', 5, false],
        ['Testimonials 3, Quote', 'Landfall', 5, true],
        ['Claims 1, Value', 'Robin the admin', 5, false],
        ['Claims 2, Value', 'Landfall', 5, true],
      ],
    )
  })

  test('are replaced by other words, which need no reason when they claim nothing', async () => {
    const reply = await agency.publish(agency.editor, body =>
      body.replace(`"value":"${SUPPORT}"`, '"value":"In office hours"'),
    )
    assert.equal(reply.status, 200)
    await agency.shown()
    assert.match(await agency.pages(), /In office hours/)
  })
})
