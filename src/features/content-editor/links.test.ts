import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { addPage, newPath, pageBody, publishPage } from '../../../tests/support/content.ts'
import { openPublishing } from '../../../tests/support/publishing.ts'
import { DEAD_LINK } from '../../content/claims/finding.ts'
import { guard } from './claims/claim-guard.ts'
import { archive, content } from './contract.ts'

suite('Links to pages of the site', async () => {
  const { editor, save, publish } = await openPublishing()

  /** The links that the editor names, by the path of each. */
  async function deadLinks(id: string, body: object) {
    const { claims: known } = await editor.call(content.open, { id })
    const found = guard(body, {
      language: 'en-AU',
      today: '2026-11-23',
      known,
      facts: [],
      host: 'agency.test',
    })
    return found.filter(({ rule }) => rule === DEAD_LINK).map(({ path, quote }) => [path, quote])
  }

  const linksTo = (address: string) => ({
    menu: [{ id: 'a', label: 'A page', path: address }],
    footerPages: [{ id: 'b', label: 'A page', path: `${address}?from=footer#top` }],
    slides: [{ id: 'c', title: 'A slide', buttonText: 'Read', buttonLink: address }],
    blocks: [
      { id: 'd', type: 'button', text: 'Read about it', address },
      {
        ...{ id: 'e', type: 'text' },
        text: {
          type: 'doc',
          content: [
            {
              type: 'paragraph',
              content: [
                { type: 'text', text: 'the page', marks: [{ type: 'link', attrs: { href: address } }] },
              ],
            },
          ],
        },
      },
    ],
  })

  test('an editor chooses a link from all pages that there are, and reads which are not live (found E6)', async () => {
    const { id, path } = await publishPage(editor, { title: 'How we charge' })
    const hidden = await addPage(editor, { title: 'Not yet' })
    const gone = await addPage(editor)
    await editor.call(archive.delete, { id: gone.id })
    const { pages } = await editor.call(content.open, { id })
    const at = (path: string) => pages.filter(page => page.path === path)
    assert.deepEqual(at(path), [{ path, title: 'How we charge', isLive: true }])
    assert.deepEqual(at(hidden.path), [{ path: hidden.path, title: 'Not yet', isLive: false }])
    assert.deepEqual(at(gone.path), [])
    assert.equal(at('/team')[0]?.isLive, false)
    assert.equal(new Set(pages.map(page => page.path)).size, pages.length)
    for (const fixed of ['/', '/about-us', '/contact', '/visas', '/news'])
      assert.ok(
        pages.some(page => page.path === fixed && page.title !== ''),
        fixed,
      )
  })

  test('each link that leads nowhere is named before publishing, and none of those that lead to a page (found E6)', async () => {
    const { id, path } = await publishPage(editor)
    assert.deepEqual(await deadLinks(id, linksTo('/no-such-page')), [
      ['menu.0.path', '/no-such-page'],
      ['footerPages.0.path', '/no-such-page?from=footer#top'],
      ['slides.0.buttonLink', '/no-such-page'],
      ['blocks.0.address', '/no-such-page'],
      ['blocks.1.text.content.0.content.0.marks.0.attrs.href', '/no-such-page'],
    ])
    for (const address of [path, '/', '/contact', '/visas', 'https://elsewhere.test/x', 'tel:+61255500000'])
      assert.deepEqual(await deadLinks(id, linksTo(address)), [], address)
    // An address that only a draft has, and those of pages that the product does not have yet.
    for (const address of [(await addPage(editor)).path, '/team', '/points', '/api', '/assets'])
      assert.equal((await deadLinks(id, linksTo(address))).length, 5, address)
    const moved = newPath()
    await save(id, pageBody(moved))
    await publish(id)
    assert.deepEqual(await deadLinks(id, linksTo(path)), [], 'an old address leads to the new one')
    await editor.call(content.unpublish, { id })
    assert.equal((await deadLinks(id, linksTo(moved))).length, 5)
  })
})
