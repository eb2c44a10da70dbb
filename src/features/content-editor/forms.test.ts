import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { allBlocks } from '../../../tests/support/blocks.ts'
import { emptyBody } from '../../content/empty-bodies.ts'
import { firstSite } from '../../content/first-site.server.ts'
import { sampleContent } from '../../content/sample.server.ts'
import { describeField, forms, titleOfItem } from './forms.ts'
import { isList, isObject } from './json.ts'

const { site } = firstSite(sampleContent)
const bodies = [
  ['site', site],
  ['page', { ...emptyBody('page', '/fees', 'Fees'), blocks: allBlocks }],
  ['article', emptyBody('article', '/news/fees', 'Fees')],
  ['visa', { ...emptyBody('visa', '/visas/a', 'A'), ...site.visaCategories[0] }],
] as const

/** The paths that a form has to offer: ids and the decisive keys are not typed. */
function* pathsOf(value: unknown, path = ''): Iterable<string> {
  if (isObject(value) && value.type === 'doc') return
  for (const [key, part] of Object.entries(value ?? {})) {
    if (['id', 'type', 'kind', 'status'].includes(key)) continue
    const at = path ? `${path}.${key}` : key
    if (!isList(value)) yield at
    if (isObject(part) || (isList(part) && part.every(isObject))) yield* pathsOf(part, at)
  }
}

suite('The forms of documents', () => {
  for (const [kind, body] of bodies)
    test(`every part of a body of the kind ${kind} has a field with a label of its own`, () => {
      const paths = [...pathsOf(body)]
      assert.ok(paths.length > 2)
      for (const path of paths) {
        const words = describeField(kind, body, path)
        const numbers = path.split('.').filter(part => /^\d+$/.test(part)).length
        assert.equal(words.split(', ').length, path.split('.').length, `${path}: ${words}`)
        assert.equal((words.match(/\b\d+\b/g) ?? []).length >= numbers, true, words)
      }
    })

  test('a field is named by the labels that lead to it', () => {
    assert.equal(describeField('site', site, 'slides.0.title'), 'Slides, 1, Title')
    assert.equal(describeField('page', {}, 'unknown'), 'unknown')
  })

  test('a block is called by what it is and its first words, and a long text is cut', () => {
    const [list] = forms.page.flatMap(section => section.fields).filter(field => field.type === 'list')
    assert.ok(list)
    const text = (words: string) => ({
      type: 'doc',
      content: [{ type: 'paragraph' }, { type: 'paragraph', content: [{ type: 'text', text: words }] }],
    })
    assert.equal(titleOfItem(list, { type: 'text', text: text('We ask first.') }), 'Text: We ask first.')
    assert.equal(titleOfItem(list, { type: 'text', text: text('') }), 'Text')
    const questions = [{ question: 'What does it cost?', answer: text('It depends.') }]
    assert.equal(titleOfItem(list, { type: 'faq', questions }), 'Questions and answers: What does it cost?')
    const callout = { type: 'callout', title: 'Take note', text: text('Bring it.') }
    assert.equal(titleOfItem(list, callout), 'Callout: Take note')
    assert.match(titleOfItem(list, { type: 'text', text: text('word '.repeat(50)) }), /^.{70,82} …$/)
  })

  test('a holiday is called by its date and its name', () => {
    const list = forms.site.flatMap(section => section.fields).find(({ name }) => name === 'holidays')
    assert.ok(list?.type === 'list')
    assert.equal(titleOfItem(list, { date: '2026-12-25', name: 'Christmas Day' }), '2026-12-25 Christmas Day')
    assert.equal(titleOfItem(list, { date: '', name: '' }), 'holiday')
  })

  test('the sections of a form have titles of their own', () => {
    for (const sections of Object.values(forms))
      assert.equal(new Set(sections.map(({ title }) => title)).size, sections.length)
  })
})
