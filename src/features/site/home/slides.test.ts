import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { openDocumentSite } from '../../../../tests/support/document-site.ts'
import { openPreviews } from '../../../../tests/support/previews.ts'
import { MAX_SLIDES } from '../../../content/limits.ts'

suite('Slides and testimonials', async () => {
  const { site, read, changeSite } = await openDocumentSite()
  const [slide] = site.services.content.read().site.slides
  assert.ok(slide)
  const slides = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ ...slide, id: `slide-${at}`, title: 'The same title' }))
  const count = (html: string, part: string) => html.split(part).length - 1

  test('a new home page has three slides and three testimonials, as specified', async () => {
    const html = await read('/')
    assert.equal(count(html, 'class="site-slide"'), 3)
    assert.equal(count(html, 'class="site-carousel-dot"'), 3)
    assert.equal(count(html.slice(html.indexOf('id="testimonials"')), '<blockquote>'), 3)
  })

  test('one slide has nothing to turn, and five of the same title have a dot each and one heading', async () => {
    await changeSite({ slides: slides(1) })
    const single = await read('/')
    assert.equal(count(single, 'class="site-slide"'), 1)
    assert.doesNotMatch(single, /site-carousel-controls/)
    await changeSite({ slides: slides(MAX_SLIDES) })
    const many = await read('/')
    assert.equal(count(many, 'class="site-carousel-dot"'), MAX_SLIDES)
    assert.equal(count(many, '<h1'), 1)
  })

  test('a draft without any slide is previewed, and keeps nobody from adding one', async () => {
    const { siteBody, showSite } = await openPreviews()
    const html = await showSite('/', { ...siteBody, slides: [], testimonials: [] })
    assert.doesNotMatch(html, /site-slide|What clients say/)
    assert.match(html, /<title>Landfall Migration<\/title>/)
  })
})
