import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { runnerImport } from 'vite'
import { hostileJson } from '../../../tests/fuzz/hostile-values.ts'
import { addPage, pageBody } from '../../../tests/support/content.ts'
import { createStaff, signInAs } from '../../../tests/support/staff.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import type { Body } from '../../content/bodies.ts'
import type { PageBlock } from '../../content/page-bodies.ts'
import { textsFor } from '../../i18n/texts.ts'
import { content } from './contract.ts'

const BODIES = process.env.TEST_DATABASE_URL ? 150 : 300
const seed = randomInt(2 ** 31)

/** What the stored text of a page may become; anything else would be markup that somebody wrote. */
const TAGS = /^<\/?(p|h2|h3|ul|ol|li|strong|em|span)( class="[a-z-]+")?>$|^<a href="[^"<>]*">$|^<\/a>$/

suite('Hostile bodies', async () => {
  const testApp = await openTestApp()
  const { services } = testApp
  const editor = await signInAs(testApp, (await createStaff(testApp, 'editor')).email)
  const { module } = await runnerImport<typeof import('../site/rich-text.tsx')>(
    '/src/features/site/rich-text.tsx',
  )
  const facts = services.content.read().facts

  function show(blocks: readonly PageBlock[]): string {
    const texts = blocks.flatMap(block =>
      block.type === 'text' ? [block.text] : block.questions.map(({ answer }) => answer),
    )
    const context = { facts, today: '2026-12-01', texts: textsFor('en') }
    return texts
      .map(text => renderToStaticMarkup(createElement(module.RichTextView, { text, context })))
      .join('')
  }

  test(`hostile bodies of content get no 5xx and never become markup, ${BODIES} with seed ${seed} (W3)`, async () => {
    const { documents } = await editor.call(content.list, { kind: 'site' })
    const site = (await editor.call(content.open, { id: documents[0]?.id ?? '' })).draft.body
    const page = await addPage(editor)
    const published = { site: 0, page: 0 }
    const drawn = fc.tuple(fc.boolean(), fc.nat(), hostileJson)
    for (const [isSite, place, value] of fc.sample(drawn, { seed, numRuns: BODIES })) {
      const id = isSite ? (documents[0]?.id ?? '') : page.id
      const { revision } = (await editor.call(content.open, { id })).draft
      const body = replaceOne(isSite ? site : pageBody(page.path), place, value)
      const saved = await editor.send('PUT', `/api/content/${id}/draft`, { body, revision })
      assert.ok([200, 400, 413].includes(saved.status), `${saved.status} for ${JSON.stringify(value)}`)
      if (saved.status !== 200) continue
      const reply = await editor.send('POST', `/api/content/${id}/publish`, { revision: revision + 1 })
      assert.ok([200, 400, 409, 422].includes(reply.status), `${reply.status} for ${JSON.stringify(value)}`)
      if (reply.status === 200) published[isSite ? 'site' : 'page']++
      assert.equal((await editor.fetch(`/api/content/${id}`)).status, 200)
      for (const document of services.content.read().documents.values())
        for (const tag of show(document.content.body.blocks).match(/<[^>]*>/g) ?? []) assert.match(tag, TAGS)
    }
    assert.ok(published.site + published.page > 2, JSON.stringify(published))
    assert.equal((await editor.fetch('/api/content')).status, 200)
  })
})

/** The body with one of its leaves or branches replaced. */
function replaceOne(body: Body, place: number, value: unknown): unknown {
  const copy: unknown = structuredClone(body)
  const places = collectPlaces(copy)
  const [parent, key] = places[place % places.length] ?? [{}, '']
  Reflect.set(parent, key, value)
  return copy
}

function collectPlaces(value: unknown): [object, string][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]) => [
    [value, key] as [object, string],
    ...collectPlaces(part),
  ])
}
