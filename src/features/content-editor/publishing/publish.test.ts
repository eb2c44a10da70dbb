import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { addPage, pageBody, publishPage } from '../../../../tests/support/content.ts'
import { openPublishing } from '../../../../tests/support/publishing.ts'
import { listLive } from '../../../content/live.server.ts'
import { toOfficeClock } from '../../../office-time.ts'
import { isoAfter, minutes, seconds } from '../../../platform/clock.ts'
import { content } from '../contract.ts'

suite('Publishing', async () => {
  const { testApp, editor, titleAt, stateOf, save, publish, refused } = await openPublishing()
  const { services } = testApp

  test('a publication shows on its node when the call returns, and is logged', async () => {
    const { id, path } = await addPage(editor)
    assert.equal(titleAt(path), undefined)
    const version = await publish(id, { note: 'First' })
    assert.equal(titleAt(path), 'Fees')
    assert.deepEqual([version.number, version.author, version.note], [1, 'Robin the editor', 'First'])
    assert.equal(await stateOf(id), 'live')
    await services.flushLog()
    const logged = services.db.selectFrom('logs').select('details').where('message', '=', 'Content published')
    const entries = await logged.execute()
    assert.ok(entries.some(({ details }) => details.includes(id) && details.includes(path)))
  })

  test('a changed draft changes nothing for visitors until it is published', async () => {
    const { id, path } = await publishPage(editor)
    await save(id, pageBody(path, 'New fees'))
    assert.equal(await stateOf(id), 'changed')
    await services.content.refresh()
    assert.equal(titleAt(path), 'Fees')
    await publish(id)
    assert.deepEqual([titleAt(path), await stateOf(id)], ['New fees', 'live'])
  })

  test('publishing a draft that somebody changed meanwhile is a conflict with that draft', async () => {
    const { id, path, revision } = await addPage(editor)
    await save(id, pageBody(path, 'Changed meanwhile'))
    const reply = await editor.send('POST', `/api/content/${id}/publish`, { revision })
    assert.equal(reply.status, 409)
    const { code, draft } = await reply.json()
    assert.deepEqual([code, draft.body.title], ['draft_changed', 'Changed meanwhile'])
    assert.deepEqual((await editor.call(content.versions, { id })).versions, [])
  })

  test('what is not valid is not published, and each field says why', async () => {
    const { id, path } = await addPage(editor)
    const href = 'javascript:alert(1)'
    const link = { type: 'text', text: 'here', marks: [{ type: 'link', attrs: { href } }] }
    const fact = { type: 'fact', attrs: { name: 'no-such-fact' } }
    const body = pageBody(path, ' Fees')
    const doc = { type: 'doc', content: [{ type: 'paragraph', content: [link, fact] }] }
    await editor.call(content.saveDraft, {
      id,
      body: { ...body, blocks: [{ id: 'text-1', type: 'text', text: doc }] },
      revision: 2,
    })
    const reply = await refused(id)
    assert.equal(reply.status, 400)
    assert.deepEqual(Object.keys((await reply.json()).errors).sort(), [
      'blocks.0.text.content.0.content.0.marks.0.attrs.href',
      'blocks.0.text.content.0.content.1.attrs.name',
      'title',
    ])
  })

  test('one call names all that keeps a draft from being published, field errors and claims alike (found E12)', async () => {
    const { id, path } = await addPage(editor)
    const taken = await publishPage(editor)
    const check = async () => await editor.call(content.check, { id })
    assert.deepEqual(await check(), { success: true, errors: {}, findings: [] })
    const body = {
      ...pageBody(path, '', 'We guarantee your visa. Call us 24/7.'),
      description: '',
      path: taken.path,
    }
    await editor.call(content.saveDraft, { id, body, revision: 2 })
    const { errors, findings } = await check()
    assert.deepEqual(Object.keys(errors).sort(), ['description', 'path', 'title'])
    assert.deepEqual(findings.map(({ rule }) => rule).sort(), ['always-open', 'visa-promise'])
  })

  test('characters that no page can show are not published', async () => {
    const { id, path } = await addPage(editor)
    const body = {
      ...pageBody(path, 'Fees\ufffe', 'What\u0000 our work costs.'),
      description: 'Half of a character: \ud83d',
    }
    await editor.call(content.saveDraft, { id, body, revision: 2 })
    const refused = await editor.send('POST', `/api/content/${id}/publish`, { revision: 3 })
    assert.equal(refused.status, 400)
    assert.deepEqual(Object.keys((await refused.json()).errors).sort(), [
      'blocks.0.text.content.0.content.0.text',
      'description',
      'title',
    ])
    await editor.call(content.saveDraft, { id, body: pageBody(path, 'Zoë 😀', 'a\tb'), revision: 3 })
    await editor.call(content.publish, { id, revision: 4 })
  })

  test('a page that is scheduled is not live just before its time, and is at it and after it', async () => {
    const { id, path } = await publishPage(editor)
    await save(id, pageBody(path, 'Next year’s fees'))
    const liveFrom = isoAfter(services.clock, minutes(20))
    await publish(id, { liveFrom })
    const { document, live, scheduled } = await editor.call(content.open, { id })
    assert.equal(document.state, 'scheduled')
    assert.deepEqual([live?.number, scheduled], [1, { number: 2, liveFrom }])
    const due = new Date(liveFrom).getTime()
    const shown = []
    for (const time of [due - 1, due, due + 1]) {
      const found = (await listLive(services.db, new Date(time))).find(it => it.documentId === id)
      shown.push(found?.liveFrom === liveFrom)
    }
    assert.deepEqual(shown, [false, true, true])
    testApp.wait(minutes(20) - minutes(1))
    await services.content.refresh()
    assert.equal(titleAt(path), 'Fees')
    testApp.wait(minutes(1))
    await services.content.refresh()
    assert.equal(titleAt(path), 'Next year’s fees')
    assert.equal(await stateOf(id), 'live')
  })

  test('a new publication replaces what was scheduled, and a time within the last minute means now', async () => {
    const { id, path } = await addPage(editor)
    await publish(id, { liveFrom: isoAfter(services.clock, minutes(10)) })
    assert.equal(titleAt(path), undefined)
    await save(id, pageBody(path, 'At once'))
    const { liveFrom } = await publish(id, { liveFrom: isoAfter(services.clock, -seconds(55)) })
    assert.ok(Math.abs(new Date(liveFrom).getTime() - services.clock().getTime()) < minutes(1))
    testApp.wait(minutes(20))
    await services.content.refresh()
    assert.equal(titleAt(path), 'At once')
    for (const far of ['2099-01-01T00:00:00Z', '9999-12-31T23:59:59-12:00', '2026-02-30T00:00:00Z', 'soon'])
      assert.equal((await refused(id, 'publish', { liveFrom: far })).status, 400, far)
  })

  test('an editor who schedules with a time that has passed reads so, and nothing is published (found E2)', async () => {
    const { id, path } = await addPage(editor)
    for (const passed of ['2020-01-01T00:00:00+11:00', isoAfter(services.clock, -seconds(65))]) {
      const reply = await refused(id, 'publish', { liveFrom: passed })
      assert.equal(reply.status, 400)
      assert.deepEqual((await reply.json()).errors, { liveFrom: 'This time has passed' })
    }
    assert.equal(titleAt(path), undefined)
    assert.equal(await stateOf(id), 'offline')
    await publish(id)
    assert.equal(titleAt(path), 'Fees')
  })

  test('the time that scheduling begins with is the next morning on which the office works (found E2)', async () => {
    const { id } = await addPage(editor)
    const { nextMorning, timeZone } = await editor.call(content.open, { id })
    assert.ok(nextMorning && nextMorning > isoAfter(services.clock))
    assert.match(toOfficeClock(new Date(nextMorning), timeZone), /T09:00$/)
  })

  test('a document that is taken offline is gone for visitors, and its schedule is cancelled', async () => {
    const { id, path } = await publishPage(editor)
    await publish(id, { liveFrom: isoAfter(services.clock, minutes(10)) })
    const { document } = await editor.call(content.unpublish, { id })
    assert.equal(document.state, 'offline')
    assert.equal(titleAt(path), undefined)
    testApp.wait(minutes(20))
    await services.content.refresh()
    assert.equal(titleAt(path), undefined)
    assert.equal((await refused(id, 'unpublish')).status, 409)
    await publish(id)
    assert.equal(titleAt(path), 'Fees')
  })

  test('the site itself cannot be taken offline', async () => {
    const { documents } = await editor.call(content.list, {})
    const reply = await refused(documents[0]?.id ?? '', 'unpublish')
    assert.equal(reply.status, 409)
    assert.equal(services.content.read().site.company.siteName, documents[0]?.title)
  })

  test('an old version is restored as a draft, and the draft that it replaces is kept', async () => {
    const { id, path } = await publishPage(editor)
    await save(id, pageBody(path, 'Second'))
    await publish(id)
    await save(id, pageBody(path, 'Not published'))
    const { draft } = await editor.call(content.restore, { id, number: 1 })
    assert.deepEqual(draft.body, pageBody(path))
    assert.equal(titleAt(path), 'Second')
    assert.equal(await stateOf(id), 'changed')
    const { versions } = await editor.call(content.versions, { id })
    assert.deepEqual(
      versions.map(({ number, note }) => [number, note]),
      [
        [3, 'Draft before version 1 was restored'],
        [2, ''],
        [1, ''],
      ],
    )
    const { version } = await editor.call(content.version, { id, number: 3 })
    assert.deepEqual(version.body, pageBody(path, 'Not published'))
    await publish(id)
    assert.equal(titleAt(path), 'Fees')
    const { versions: page, nextCursor } = await editor.call(content.versions, { id, limit: 3 })
    assert.deepEqual([page.length, nextCursor], [3, 2])
  })
})
