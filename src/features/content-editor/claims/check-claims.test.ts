import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Browser } from '../../../../tests/support/browser.ts'
import { addPage, newPath, pageBody, publishPage } from '../../../../tests/support/content.ts'
import { createStaff, signInAs } from '../../../../tests/support/staff.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { createToken, createTokenClient } from '../../../../tests/support/token-client.ts'
import { type Finding, readOverrides } from '../../../content/claims/finding.ts'
import { claims, content } from '../contract.ts'
import { reviews } from '../reviews/contract.ts'

const STOP = 'We guarantee your visa.'
const REASON = 'Book a free consultation.'

suite('Publishing claims', async () => {
  const testApp = await openTestApp()
  const { db } = testApp.services
  const editor = await signInAs(testApp, (await createStaff(testApp, 'editor')).email)
  const admin = await signInAs(testApp, (await createStaff(testApp, 'admin')).email)

  async function addText(text: string) {
    const page = await addPage(editor)
    return { ...page, revision: await save(page, text) }
  }
  async function save({ id, path }: { id: string; path: string }, text: string) {
    const { draft } = await editor.call(content.open, { id })
    const body = pageBody(path, 'Fees', text)
    return (await editor.call(content.saveDraft, { id, body, revision: draft.revision })).revision
  }
  const publish = async (by: Browser, id: string, overrides: readonly object[] = []) => {
    const { draft } = await editor.call(content.open, { id })
    return await by.send('POST', `/api/content/${id}/publish`, { revision: draft.revision, overrides })
  }
  async function findingsOf(reply: Response): Promise<readonly Finding[]> {
    const { code, findings } = await reply.json()
    assert.deepEqual([reply.status, code], [422, 'claims'])
    return findings
  }
  const overridesOf = (findings: readonly Finding[], reason = 'In file 12') =>
    findings.map(({ rule, path, sentence }) => ({ rule, path, sentence, reason }))
  const versionsOf = async (id: string) => (await editor.call(content.versions, { id })).versions.length

  test('a stop blocks an editor even with a reason, and nothing is published (W12)', async () => {
    const { id } = await addText(STOP)
    const findings = await findingsOf(await publish(editor, id))
    assert.deepEqual(
      findings.map(({ rule, level, path, sentence }) => [rule, level, path, sentence]),
      [['visa-promise', 'stop', 'blocks.0.text.content.0', STOP]],
    )
    assert.equal((await findingsOf(await publish(editor, id, overridesOf(findings)))).length, 1)
    assert.equal(await versionsOf(id), 0)
  })

  test('a page of this site is no source for the words of a client (found F3)', async () => {
    const { id, path } = await addPage(editor)
    const source = { label: 'A review', url: `${testApp.services.config.publicUrl}/what-people-say` }
    const quote = { id: 'q', type: 'quote' as const, text: 'They were kind.', who: 'Maria', source }
    const { revision } = (await editor.call(content.open, { id })).draft
    await editor.call(content.saveDraft, { id, body: { ...pageBody(path), blocks: [quote] }, revision })
    const findings = await findingsOf(await publish(editor, id))
    assert.deepEqual(
      findings.map(({ rule, level }) => [rule, level]),
      [['testimonial', 'stop']],
    )
  })

  test('a stop that an admin gives a reason for is published, and the reason is kept with the version', async () => {
    const { id } = await addText(STOP)
    const findings = await findingsOf(await publish(admin, id))
    assert.equal((await publish(admin, id, overridesOf(findings))).status, 200)
    const { findings: kept } = await db
      .selectFrom('content_versions')
      .select('findings')
      .where('document_id', '=', id)
      .executeTakeFirstOrThrow()
    assert.deepEqual(
      readOverrides(kept).map(({ rule, reason, author }) => [rule, reason, author]),
      [['visa-promise', 'In file 12', 'Robin the admin']],
    )
  })

  test('an API token of an editor cannot override a stop (W12)', async () => {
    const user = await createStaff(testApp, 'editor')
    const { id, revision } = await addText(STOP)
    const overrides = overridesOf(await findingsOf(await publish(editor, id)))
    const { token } = await createToken(admin, user)
    const send = createTokenClient(testApp, token)
    const reply = await send('POST', `/api/content/${id}/publish`, { revision, overrides })
    assert.equal((await findingsOf(reply)).length, 1)
  })

  test('a finding of the level reason is published with one, and blocks without (W12)', async () => {
    const { id } = await addText(REASON)
    const findings = await findingsOf(await publish(editor, id))
    assert.deepEqual(
      findings.map(({ rule, level }) => [rule, level]),
      [['free', 'reason']],
    )
    assert.equal((await publish(editor, id, overridesOf(findings))).status, 200)
  })

  test('a hint blocks nothing', async () => {
    const { id } = await addText(`${'word '.repeat(40)}end.`)
    assert.equal((await publish(editor, id)).status, 200)
  })

  test('a reason for another rule, field or sentence does not count, so an edit asks again', async () => {
    const { id, path } = await addText(REASON)
    const [override] = overridesOf(await findingsOf(await publish(editor, id)))
    assert.ok(override)
    for (const change of [{ rule: 'superlative' }, { path: 'title' }, { sentence: 'Book a free call.' }])
      await findingsOf(await publish(editor, id, [{ ...override, ...change }]))
    await save({ id, path }, 'Book a free consultation today.')
    await findingsOf(await publish(editor, id, [override]))
  })

  test('what is live does not block again, keeps its reason when it moves, and an edit of it blocks', async () => {
    const page = await addText(STOP)
    const { id } = page
    const overrides = overridesOf(await findingsOf(await publish(admin, id)))
    assert.equal((await publish(admin, id, overrides)).status, 200)
    await save(page, `Hello. ${STOP}`)
    assert.equal((await publish(editor, id)).status, 200)
    const kept = (await editor.call(claims.list, {})).claims.filter(({ document }) => document.id === id)
    assert.deepEqual(
      kept.map(({ sentence, reason, author }) => [sentence, reason, author]),
      [[STOP, 'In file 12', 'Robin the admin']],
    )
    await save(page, 'We guarantee your visa today.')
    await findingsOf(await publish(editor, id))
    await save(page, 'We prepare your visa.')
    assert.equal((await publish(editor, id)).status, 200)
    await save(page, STOP)
    await findingsOf(await publish(editor, id, overrides))
  })

  test('the claims that visitors read are listed with their reasons, those of the samples too', async () => {
    const listed = (await editor.call(claims.list, {})).claims
    const samples = listed.filter(({ document }) => document.kind === 'site')
    assert.deepEqual(
      samples.map(({ rule, author }) => [rule, author]),
      [
        ['registration-number', 'Landfall'],
        ['testimonial', 'Landfall'],
        ['testimonial', 'Landfall'],
        ['testimonial', 'Landfall'],
        ['success-rate', 'Landfall'],
        ['always-open', 'Landfall'],
      ],
    )
    assert.equal(samples[4]?.sentence, 'Visa approval rate: 95%')
    const { path } = await publishPage(editor, { path: newPath() })
    assert.ok(!(await editor.call(claims.list, {})).claims.some(({ document }) => document.path === path))
  })

  test('the site of a new installation is published again unchanged, and keeps its reasons', async () => {
    const { documents } = await editor.call(content.list, { kind: 'site' })
    const id = documents[0]?.id ?? ''
    const before = (await editor.call(claims.list, {})).claims.filter(({ document }) => document.id === id)
    assert.equal((await publish(editor, id)).status, 200)
    const after = (await editor.call(claims.list, {})).claims.filter(({ document }) => document.id === id)
    assert.deepEqual(
      after,
      before.map(claim => ({ ...claim, version: 2 })),
    )
  })

  test('who asks for a review gives the reasons, who approves it sees them, and they are listed (W12)', async t => {
    const { settings } = testApp.services
    t.after(() => settings.write('content_needs_review', 'false'))
    await settings.write('content_needs_review', 'true')
    const { id, revision } = await addText(REASON)
    const findings = await findingsOf(await editor.send('POST', `/api/content/${id}/review`, { revision }))
    await editor.call(reviews.ask, { id, revision, overrides: overridesOf(findings) })
    const given = { sentence: REASON, reason: 'In file 12', author: 'Robin the editor' }
    assert.deepEqual((await admin.call(content.open, { id })).review?.reasons, [given])
    await admin.call(reviews.approve, { id, number: 1 })
    const listed = (await editor.call(claims.list, {})).claims.filter(({ document }) => document.id === id)
    assert.deepEqual(
      listed.map(({ sentence, reason, author }) => ({ sentence, reason, author })),
      [given],
    )
  })

  test('a reply has two hundred findings at most, and a finding beyond them blocks as well', async () => {
    const texts = Array.from(
      { length: 201 },
      (_, at) => `Consultation ${String.fromCharCode(97 + (at % 26))}${at}x is free.`,
    )
    const { id } = await addText(texts.join(' '))
    const findings = await findingsOf(await publish(editor, id))
    assert.equal(findings.length, 200)
    assert.equal((await findingsOf(await publish(editor, id, overridesOf(findings)))).length, 1)
  })
})
