// In a process of its own: it measures processor time.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { runnerImport } from 'vite'
import { hostileJson } from '../../../../tests/fuzz/hostile-values.ts'
import { atLength } from '../../../../tests/support/at-length.ts'
import { addPage, pageBody } from '../../../../tests/support/content.ts'
import { processorTime } from '../../../../tests/support/processor-time.ts'
import fc from '../../../../tests/support/properties.ts'
import { replaceOne } from '../../../../tests/support/replace-one.ts'
import { createStaff, signInAs } from '../../../../tests/support/staff.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import type { PageBlock } from '../../../content/page-bodies.ts'
import { textsFor } from '../../../i18n/texts.ts'
import { content } from '../contract.ts'

const BODIES = atLength(150, 300)
/** The same in every run, so that a commit has one verdict. */
const seed = 27

/** What the stored text of a page may become; anything else would be markup that somebody wrote. */
const TAGS = /^<\/?(p|h2|h3|ul|ol|li|strong|em|span)( class="[a-z-]+")?>$|^<a href="[^"<>]*">$|^<\/a>$/

suite('Hostile bodies', async () => {
  const testApp = await openTestApp()
  const { services } = testApp
  const signedIn = async () => await signInAs(testApp, (await createStaff(testApp, 'editor')).email)
  // Each publishes less than one user may in an hour.
  const editors = [await signedIn(), await signedIn(), await signedIn()]
  const editor = await signedIn()
  const { module } = await runnerImport<typeof import('../../site/blocks/rich-text.tsx')>(
    '/src/features/site/blocks/rich-text.tsx',
  )
  const facts = services.content.read().facts

  function show(blocks: readonly PageBlock[]): string {
    const texts = blocks.flatMap(block => {
      if (block.type === 'text' || block.type === 'callout') return [block.text]
      return block.type === 'faq' ? block.questions.map(({ answer }) => answer) : []
    })
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
    for (const [turn, [isSite, place, value]] of fc.sample(drawn, { seed, numRuns: BODIES }).entries()) {
      const publisher = editors[turn % editors.length] ?? editor
      const id = isSite ? (documents[0]?.id ?? '') : page.id
      const { revision } = (await editor.call(content.open, { id })).draft
      const body = replaceOne(isSite ? site : pageBody(page.path), place, value)
      const saved = await editor.send('PUT', `/api/content/${id}/draft`, { body, revision })
      assert.ok([200, 400, 413].includes(saved.status), `${saved.status} for ${JSON.stringify(value)}`)
      if (saved.status !== 200) continue
      const reply = await publisher.send('POST', `/api/content/${id}/publish`, { revision: revision + 1 })
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

suite('Bodies made to be slow', async () => {
  const testApp = await openTestApp()
  const editor = await signInAs(testApp, (await createStaff(testApp, 'editor')).email)

  /** Milliseconds of the processor for a reply that must not depend on how many there are of something. */
  const MAX_TIME = 400

  /** @returns the status of the reply, for which nobody else had to wait */
  async function save(change: object): Promise<number> {
    const { id, path, revision } = await addPage(editor)
    const body = { ...pageBody(path), ...change }
    let status = 0
    const time = await processorTime(async () => {
      status = (await editor.send('PUT', `/api/content/${id}/draft`, { body, revision })).status
    })
    assert.ok(time < MAX_TIME, `${time} ms`)
    return status
  }

  function linksTo(hrefs: readonly string[]) {
    const content = hrefs.map(href => ({
      type: 'text',
      text: 'a',
      marks: [{ type: 'link', attrs: { href } }],
    }))
    const text = { type: 'doc', content: [{ type: 'paragraph', content }] }
    return { blocks: [{ id: 'text-1', type: 'text', text }] }
  }

  test('a link made of many @ is checked as fast as any other, at every length (W3)', async () => {
    const many = (length: number) => `mailto:${'@'.repeat(length)}"`
    assert.equal(await save(linksTo([many(500_000)])), 200)
    assert.equal(await save(linksTo(Array.from({ length: 450 }, () => many(1990)))), 200)
  })

  test('equal ids below a key of great length are refused without repeating it (W3)', async () => {
    const items = Array.from({ length: 3900 }, () => [{ id: 1 }, { id: 1 }])
    assert.equal(await save({ ['k'.repeat(500_000)]: items }), 400)
  })
})
