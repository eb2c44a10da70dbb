import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sampleContent } from '../sample/site.server.ts'
import { findErrors, findShapeErrors } from './bodies.ts'
import { leavesOf } from './claims/leaves.ts'
import { newPictureUse } from './picture-use.ts'

const picture = { ...newPictureUse({ id: '95'.repeat(16), width: 1600, height: 1067 }), alt: 'The harbour' }
const page = (use: object | null) => ({
  ...{ path: '/fees', title: 'Fees', description: 'What it costs.' },
  blocks: [{ id: 'picture-1', type: 'picture', picture: use, caption: null }],
})
const errorsOf = (use: object | null) => findErrors('page', page(use))
const shapeErrorsOf = (use: object | null) => Object.keys(findShapeErrors('page', page(use)))

suite('Pictures in bodies', () => {
  test('a picture with an alt text, or one that is only decoration, can be published', () => {
    assert.deepEqual(errorsOf(picture), {})
    assert.deepEqual(errorsOf({ ...picture, alt: '', decoration: true }), {})
  })

  test('a draft keeps a picture that is not described yet, or that is still to be chosen, and is not published', () => {
    const undescribed = { ...picture, alt: '' }
    assert.deepEqual(shapeErrorsOf(undescribed), [])
    assert.deepEqual(errorsOf(undescribed), {
      'blocks.0.picture.alt': 'Say what the picture shows, or mark it as decoration',
    })
    assert.deepEqual(shapeErrorsOf(null), [])
    assert.deepEqual(errorsOf(null), { 'blocks.0.picture': 'Choose a picture' })
  })

  test('an alt text has at most 250 characters, on one line', () => {
    assert.deepEqual(errorsOf({ ...picture, alt: 'a'.repeat(250) }), {})
    for (const alt of ['a'.repeat(251), 'a\nb', ' a'])
      assert.deepEqual(Object.keys(errorsOf({ ...picture, alt })), ['blocks.0.picture.alt'])
  })

  test('the focal point is one of 25 fields, and an id is what a picture here has', () => {
    for (const focus of [1, 25]) assert.deepEqual(errorsOf({ ...picture, focus }), {})
    for (const focus of [0, 26])
      assert.deepEqual(Object.keys(errorsOf({ ...picture, focus })), ['blocks.0.picture.focus'])
    for (const id of ['../x', '95'.repeat(32)])
      assert.deepEqual(Object.keys(errorsOf({ ...picture, picture: id })), ['blocks.0.picture.picture'])
  })

  test('a slide, the portrait of the agent and a testimonial may have a picture, and need none', () => {
    const { site } = sampleContent
    assert.deepEqual(findErrors('site', site), {})
    const [slide, ...slides] = site.slides
    const [testimonial, ...testimonials] = site.testimonials
    const illustrated = {
      ...{ ...site, agent: { ...site.agent, portrait: picture } },
      slides: [{ ...slide, picture }, ...slides],
      testimonials: [{ ...testimonial, portrait: { ...picture, alt: '' } }, ...testimonials],
    }
    assert.deepEqual(Object.keys(findErrors('site', illustrated)), ['testimonials.0.portrait.alt'])
  })

  test('claims are looked for in alt texts and captions, and not in the ids of pictures', () => {
    const { blocks } = page(picture)
    const leaves = leavesOf({ blocks: blocks.map(block => ({ ...block, caption: 'At dawn' })) })
    assert.deepEqual(
      leaves.map(({ text }) => text),
      ['The harbour', 'At dawn'],
    )
  })
})
