import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from '../../../../tests/support/properties.ts'
import type { TextPart } from '../editor/merge.ts'
import { type Change, diffBodies } from './diff.ts'
import { diffWords } from './diff-words.ts'

const item = (id: string, text = id.toUpperCase()) => ({ id, text })
const body = (ids: string, title = 'Fees') => ({ title, items: [...ids].map(id => item(id)) })
const words = fc.array(fc.constantFrom('we', 'can', 'not', 'promise', 'it', '.', ',', '\n', '😀', 'ß'), {
  maxLength: 30,
})
const text = fc.oneof(
  words.map(list => list.join(' ')),
  fc.string({ unit: 'grapheme' }),
)

const side = (parts: readonly TextPart[], without: TextPart['kind']) =>
  parts
    .filter(({ kind }) => kind !== without)
    .map(part => part.text)
    .join('')

const describe = (change: Change) =>
  change.kind === 'moved'
    ? `${change.path} moved ${change.from} to ${change.to}`
    : `${change.path} ${change.kind}`

suite('The difference between two versions', () => {
  test('the words of a change give back both texts', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const parts = diffWords(before, after)
        assert.equal(side(parts, 'added'), before)
        assert.equal(side(parts, 'removed'), after)
      }),
    )
  })

  test('the same words are the same whatever stands around them, and equal texts have no change', () => {
    fc.assert(
      fc.property(text, text, (before, added) => {
        assert.ok(diffWords(before, before).every(({ kind }) => kind === 'same'))
        const parts = diffWords(before, `${before}\n${added}`)
        assert.ok(parts.every(({ kind }) => kind !== 'removed') || before === '' || added === '')
      }),
    )
  })

  test('whole words are marked, and words that follow each other are one change', () => {
    assert.deepEqual(
      diffWords('who cannot find a worker locally may', 'who cannot find the right person here may'),
      [
        { kind: 'same', text: 'who cannot find ' },
        { kind: 'removed', text: 'a worker locally' },
        { kind: 'added', text: 'the right person here' },
        { kind: 'same', text: ' may' },
      ],
    )
    assert.deepEqual(diffWords('60 days', '90 days'), [
      { kind: 'removed', text: '60' },
      { kind: 'added', text: '90' },
      { kind: 'same', text: ' days' },
    ])
  })

  test('texts that are too long for words are compared by sentence, and then as a whole', () => {
    const long = (seed: string, count: number, end: string) =>
      Array.from({ length: count }, (_, at) => `${seed}${at} goes on${end}`).join('')
    const bySentence = diffWords(long('a', 500, '. '), `${long('b', 250, '. ')}${long('a', 500, '. ')}`)
    assert.ok(bySentence.some(({ kind }) => kind === 'same'))
    assert.equal(diffWords(long('a', 5000, '. '), long('b', 5000, '. ')).length, 2)
  })

  test('a body has no difference from itself, and the difference back has the same places', () => {
    const anyBody = fc.record({
      title: text,
      items: fc.uniqueArray(fc.record({ id: fc.stringMatching(/^[a-h]$/), text }), {
        selector: ({ id }) => id,
      }),
    })
    fc.assert(
      fc.property(anyBody, anyBody, (before, after) => {
        assert.deepEqual(diffBodies(after, structuredClone(after)), [])
        const count = (changes: readonly Change[], kind: Change['kind']) =>
          changes.filter(change => change.kind === kind).length
        const [there, back] = [diffBodies(before, after), diffBodies(after, before)]
        assert.equal(count(there, 'added'), count(back, 'removed'))
        assert.equal(count(there, 'removed'), count(back, 'added'))
        assert.equal(count(there, 'changed'), count(back, 'changed'))
        assert.equal(count(there, 'moved'), count(back, 'moved'))
      }),
    )
  })

  test('every text that differs is in a change at its path, and no other', () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 3, maxLength: 3 }), fc.nat(2), text, (texts, at, other) => {
        fc.pre(texts[at] !== other)
        const before = { items: texts.map((one, index) => item(`i${index}`, one)) }
        const after = { items: texts.map((one, index) => item(`i${index}`, index === at ? other : one)) }
        assert.deepEqual(diffBodies(before, after).map(describe), [`items.${at}.text changed`])
      }),
    )
  })

  test('an item that was moved is a move and not a removal and an addition', () => {
    assert.deepEqual(diffBodies(body('abcd'), body('bcda')).map(describe), ['items.3 moved 1 to 4'])
    fc.assert(
      fc.property(fc.shuffledSubarray([...'abcdef'], { minLength: 6 }), order => {
        const changes = diffBodies(body('abcdef'), body(order.join('')))
        assert.ok(changes.every(({ kind }) => kind === 'moved'))
        assert.ok(changes.length < 6)
      }),
    )
  })

  test('an item that was added or removed is one change with all of its text', () => {
    assert.deepEqual(diffBodies(body('ab'), body('bc')), [
      { kind: 'added', path: 'items.1', parts: [{ kind: 'added', text: 'C' }] },
      { kind: 'removed', path: 'items.0', parts: [{ kind: 'removed', text: 'A' }] },
    ])
  })

  test('an item may be moved and changed at once', () => {
    const after = { title: 'Fees', items: [item('c'), item('a'), item('b', 'New')] }
    assert.deepEqual(diffBodies(body('abc'), after).map(describe), [
      'items.0 moved 3 to 1',
      'items.2.text changed',
    ])
  })

  test('rich text is compared as text with its structure', () => {
    const doc = (type: string, run: string, marks: readonly unknown[] = []) => ({
      text: {
        type: 'doc',
        content: [
          {
            type,
            ...(type === 'heading' && { attrs: { level: 2 } }),
            content: [{ type: 'text', text: run, ...(marks.length > 0 && { marks }) }],
          },
        ],
      },
    })
    const parts = (before: ReturnType<typeof doc>, after: ReturnType<typeof doc>) =>
      diffBodies(before, after).flatMap(change => (change.kind === 'moved' ? [] : change.parts))
    assert.deepEqual(parts(doc('paragraph', 'Costs'), doc('heading', 'Costs')), [
      { kind: 'added', text: '## ' },
      { kind: 'same', text: 'Costs' },
    ])
    assert.equal(parts(doc('paragraph', 'Costs'), doc('paragraph', 'Costs', [{ type: 'strong' }])).length, 3)
  })

  test('values that are no text are compared as people read them', () => {
    const change = diffBodies(
      { byAppointment: false, days: ['Monday'] },
      { byAppointment: true, days: ['Monday', 'Friday'] },
    )
    assert.deepEqual(
      change.map(one => one.kind !== 'moved' && side(one.parts, 'removed')),
      ['Yes', 'Monday, Friday'],
    )
  })
})
