import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { allBlocks } from '../../../../tests/support/blocks.ts'
import { findShapeErrors } from '../../../content/bodies.ts'
import { isList, isObject } from '../../../content/json.ts'
import { emptyBody } from '../../../content/page-bodies.ts'
import { describedVisas } from '../../../content/visas.ts'
import { sampleContent } from '../../../sample/site.server.ts'
import { describeField, forms, titleOfItem } from './forms.ts'

const { site } = sampleContent
const [{ isOnHome: _, ...visa } = {}] = describedVisas(site)
const teamMember = {
  ...{ id: 'mei', name: 'Mei Tan', title: null, registrationNumber: null, languages: ['English'] },
  introduction: [{ id: 'a', text: 'Mei answers.' }],
}
const bodies = [
  [
    'site',
    {
      ...site,
      home: { title: 'A', description: 'B' },
      team: [teamMember],
    },
  ],
  ['page', { searchTitle: 'Fees', ...emptyBody('page', '/fees', 'Fees'), blocks: allBlocks }],
  ['article', { ...emptyBody('article', '/news/fees', 'Fees'), agent: 'mei' }],
  ['visa', { ...emptyBody('visa', '/visas/a', 'A'), ...visa, agent: 'mei' }],
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
        const isCell = /\.grid\./.test(path)
        assert.notEqual(words, path)
        if (!isCell)
          assert.equal(words.split(', ').length, path.split('.').length - numbers, `${path}: ${words}`)
        assert.equal((words.match(/\b\d+\b/g) ?? []).length >= numbers, true, words)
      }
    })

  test('whatever is added to a list of a document can be saved at once, before anybody has typed', () => {
    let count = 0
    for (const [kind, body] of bodies)
      for (const field of forms[kind].flatMap(({ fields }) => fields)) {
        if (field.type !== 'list') continue
        for (const { is, start } of field.kinds) {
          const added: object = { ...body, [field.name]: [{ id: 'new', ...is, ...start }] }
          assert.deepEqual(
            findShapeErrors(kind, added),
            findShapeErrors(kind, body),
            `${kind}: ${field.name}`,
          )
          count += 1
        }
      }
    assert.ok(count > 15)
  })

  test('a field is named by the labels that lead to it, as an editor would say it (found E15)', () => {
    assert.equal(describeField('site', site, 'slides.0.title'), 'Slides 1, Title')
    const columns = [{ id: 'time', label: 'Time' }]
    const blocks = [{ type: 'table', grid: { columns, rows: [{ id: 'a', cells: {} }] } }]
    const cell = describeField('page', { blocks }, 'blocks.0.grid.rows.0.cells.time')
    assert.equal(cell, 'Text of the page 1, row 1, Time')
    const heading = describeField('page', { blocks }, 'blocks.0.grid.columns.0.label')
    assert.equal(heading, 'Text of the page 1, heading of column 1')
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

  test('hours are called by their days and their times, and not by 09:00 alone (found E14)', () => {
    const list = forms.site.flatMap(section => section.fields).find(({ name }) => name === 'officeHours')
    assert.ok(list?.type === 'list')
    const hours = {
      days: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'],
      opens: '09:00',
      closes: '18:00',
    }
    assert.equal(titleOfItem(list, { ...hours, byAppointment: false }), 'Monday to Friday, 9am–6pm')
    assert.equal(
      titleOfItem(list, { days: ['Saturday'], opens: '10:00', closes: '', byAppointment: false }),
      'Saturday',
    )
    assert.equal(titleOfItem(list, { days: [], opens: '', closes: '' }), 'time')
  })

  test('the sections of a form have titles of their own', () => {
    for (const sections of Object.values(forms))
      assert.equal(new Set(sections.map(({ title }) => title)).size, sections.length)
  })
})
