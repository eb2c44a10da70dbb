import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { addPage, newPath, pageBody, publishPage } from '../../../../tests/support/content.ts'
import { openPreviews } from '../../../../tests/support/previews.ts'
import { createStaff } from '../../../../tests/support/staff.ts'
import { createToken } from '../../../../tests/support/token-client.ts'
import { newId } from '../../../database/id.ts'
import { minutes } from '../../../platform/clock.ts'
import { content } from '../contract.ts'
import { listPreviewPages } from './preview-pane.tsx'

suite('Preview of a draft', async () => {
  const { testApp, signedIn, editor, admin, viewer, siteId, open, saveDraft } = await openPreviews()
  const { services } = testApp

  test('staff who may read content see the page of a draft, and nobody else learns that it exists (W8)', async () => {
    const { id } = await addPage(editor, { title: 'Not yet public' })
    for (const browser of [editor, admin, viewer]) {
      const reply = await open(`/preview/${id}/`, browser)
      assert.equal(reply.status, 200)
      assert.match(await reply.text(), /<h1 data-edit="title">Not yet public<\/h1>/)
    }
    const { token } = await createToken(admin, await createStaff(testApp, 'editor'))
    const unknown = await open('/nowhere', null)
    const expected = [unknown.status, await unknown.text(), [...unknown.headers]]
    assert.equal(unknown.status, 404)
    for (const reply of [
      await open(`/preview/${id}/`, null),
      await open(`/preview/${id}/?version=1`, null),
      await open(`/preview/${siteId}/`, null, { cookie: 'session=made-up' }),
      await open(`/preview/${id}/`, null, { authorization: `Bearer ${token}` }),
      await open(`/preview/${id}/`, editor, { authorization: `Bearer ${token}` }),
      await open(`/preview/${newId(services.clock())}/`, editor),
      await open('/preview/no-id/', editor),
      await open(`/preview/${siteId}/nowhere`, editor),
      await open(`/preview/${id}/?version=7`, editor),
      await open(`/preview/${id}/?version=one`, editor),
    ])
      assert.deepEqual([reply.status, await reply.text(), [...reply.headers]], expected)
  })

  test('a preview ends with the session', async () => {
    const leaving = await signedIn('viewer')
    assert.equal((await open(`/preview/${siteId}/`, leaving)).status, 200)
    const cookies = new Map(leaving.cookies)
    await leaving.send('POST', '/api/auth/logout')
    assert.equal((await open(`/preview/${siteId}/`, { ...leaving, cookies })).status, 404)
  })

  test('a preview runs nothing, is framed by the portal only, and is kept by nobody (W9)', async () => {
    const { headers } = await open(`/preview/${siteId}/`, viewer)
    const policy = headers.get('content-security-policy') ?? ''
    for (const part of [
      "default-src 'none'",
      "script-src 'none'",
      "form-action 'none'",
      "frame-ancestors 'self'",
    ])
      assert.ok(policy.split('; ').includes(part), part)
    assert.doesNotMatch(policy, /sandbox|unsafe|connect-src|frame-src/)
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(headers.get('x-robots-tag'), 'noindex')
    assert.equal(headers.get('x-frame-options'), 'SAMEORIGIN')
    assert.doesNotMatch(
      await (await open(`/preview/${siteId}/`, viewer)).text(),
      /<script|data-island="carousel"/,
    )
    const portal = await open('/dashboard', null)
    assert.match(
      portal.headers.get('content-security-policy') ?? '',
      /frame-src 'self';.*frame-ancestors 'none'/,
    )
  })

  test('each user gets 60 previews a minute', async () => {
    const eager = await signedIn('viewer')
    const statuses = []
    for (let at = 0; at < 61; at++) statuses.push((await open(`/preview/${siteId}/contact`, eager)).status)
    assert.deepEqual(statuses.slice(-2), [200, 429])
    assert.equal((await open(`/preview/${siteId}/contact`, admin)).status, 200)
    testApp.wait(minutes(1))
    assert.equal((await open(`/preview/${siteId}/contact`, eager)).status, 200)
  })

  test('a draft is shown whatever its path is, half typed or no path at all', async () => {
    const { id } = await addPage(editor)
    for (const path of ['', '/../x', '../x', '/100%', '/a?b#c', '/\ud800']) {
      assert.equal((await saveDraft(id, pageBody(path, 'Unfinished'))).status, 200)
      const { document } = await editor.call(content.open, { id })
      for (const page of Object.values(listPreviewPages(document))) {
        const reply = await open(`/preview/${id}${page}`, editor)
        assert.match(await reply.text(), />Unfinished</)
      }
    }
    for (const page of Object.values(listPreviewPages({ kind: 'site' })))
      assert.equal((await open(`/preview/${siteId}${page}`, editor)).status, 200)
  })

  test('an old version is shown as it was', async () => {
    const { id, path } = await publishPage(editor, { title: 'First title' })
    await saveDraft(id, pageBody(path, 'Second title'))
    assert.match(await (await open(`/preview/${id}/?version=1`, viewer)).text(), />First title</)
    assert.match(await (await open(`/preview/${id}/`, viewer)).text(), />Second title</)
  })

  test('empty articles and visas can be previewed', async () => {
    for (const [kind, folder] of [
      ['article', '/news'],
      ['visa', '/visas'],
    ] as const) {
      const path = `${folder}${newPath()}`
      const { document } = await editor.call(content.create, { kind, path, title: `New ${kind}` })
      const reply = await open(`/preview/${document.id}${path}`, viewer)
      assert.equal(reply.status, 200)
      assert.match(await reply.text(), new RegExp(`data-edit="title">New ${kind}<`))
    }
  })
})
