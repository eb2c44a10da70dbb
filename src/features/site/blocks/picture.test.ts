import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { runnerImport } from 'vite'
import { newPictureUse, type PictureUse } from '../../../content/picture-use.ts'

const id = 'a'.repeat(32)
const use = { ...newPictureUse({ id, width: 1200, height: 801 }), alt: 'The "harbour"', focus: 7 }

suite('Pictures on public pages', async () => {
  const { module } = await runnerImport<typeof import('./picture.tsx')>(
    '/src/features/site/blocks/picture.tsx',
  )
  const show = (change: Partial<PictureUse> = {}, more: { priority?: 'high' } = {}) =>
    renderToStaticMarkup(
      createElement(module.Picture, { use: { ...use, ...change }, sizes: '50vw', className: 'a', ...more }),
    )

  test('a picture is offered in both formats and in each width that it has, and keeps its place while it loads', () => {
    const sets = (format: string) =>
      [480, 960, 1200].map(width => `/pictures/${id}-${width}.${format} ${width}w`).join(', ')
    assert.equal(
      show(),
      `<picture class="site-picture"><source type="image/avif" srcSet="${sets('avif')}" sizes="50vw"/>` +
        `<img class="a site-focus-7" src="/pictures/${id}-1200.webp" srcSet="${sets('webp')}" sizes="50vw" ` +
        'alt="The &quot;harbour&quot;" width="1200" height="801" loading="lazy" decoding="async"/></picture>',
    )
  })

  test('the picture that is seen first does not wait, and is asked for before the others', () => {
    const html = show({}, { priority: 'high' })
    assert.match(html, /fetchPriority="high"/)
    assert.doesNotMatch(html, /loading=|decoding=/)
  })

  test('a picture that is only decoration has an empty alt text, whatever was typed before', () => {
    assert.match(show({ decoration: true }), / alt="" /)
  })

  test('programs that take one picture get the largest, with its size', () => {
    assert.deepEqual(module.largest({ ...use, width: 1600, height: 1067 }), {
      src: `/pictures/${id}-1600.webp`,
      width: 1600,
      height: 1067,
    })
  })

  test('the first picture of its blocks stands for a page', () => {
    const block = (picture: PictureUse | null) => ({
      ...{ id: 'a', type: 'picture' as const, caption: null },
      picture,
    })
    assert.equal(module.sharedPicture({ blocks: [] }), undefined)
    assert.equal(module.sharedPicture({ blocks: [block(use)] })?.picture, id)
    assert.equal(module.sharedPicture({ blocks: [block(null)] }), undefined)
    const own = { ...use, alt: 'Its own' }
    assert.equal(module.sharedPicture({ socialPicture: own, blocks: [block(use)] })?.alt, 'Its own')
  })
})
