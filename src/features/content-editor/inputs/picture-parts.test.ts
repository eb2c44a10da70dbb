import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { CENTRE, FOCUS_FIELDS, newPictureUse } from '../../../content/picture-use.ts'
import { mergeBodies } from '../editor/merge.ts'
import { diffBodies } from '../history/diff.ts'
import { describePicture, focusName, focusNames, nextFocus } from './picture-parts.ts'

const first = { ...newPictureUse({ id: 'a'.repeat(32), width: 1600, height: 900 }), alt: 'A harbour' }
const second = newPictureUse({ id: 'b'.repeat(32), width: 800, height: 800 })
const base = { picture: first }

suite('The focal point', () => {
  test('each of its 25 fields has a name of its own', () => {
    assert.equal(new Set(focusNames).size, FOCUS_FIELDS)
    assert.deepEqual([1, CENTRE, 25].map(focusName), ['top left', 'middle centre', 'bottom right'])
  })

  test('arrow keys move it in both directions, and stop at the edges', () => {
    const moves = [
      [13, 'ArrowUp', 8],
      [13, 'ArrowDown', 18],
      [13, 'ArrowLeft', 12],
      [13, 'ArrowRight', 14],
      [1, 'ArrowUp', 1],
      [25, 'ArrowDown', 25],
      [6, 'ArrowLeft', 6],
      [5, 'ArrowRight', 5],
      [25, 'ArrowRight', 25],
    ] as const
    for (const [from, key, to] of moves) assert.equal(nextFocus(from, key), to, `${key} from ${from}`)
    assert.equal(nextFocus(13, 'Enter'), null)
  })
})

suite('The use of a picture', () => {
  test('the alt text that one person changes and the focal point that another moves are both kept', () => {
    const mine = { picture: { ...first, alt: 'Sydney Harbour' } }
    const theirs = { picture: { ...first, focus: 1 } }
    const { value, conflicts } = mergeBodies(base, mine, theirs)
    assert.deepEqual(value, { picture: { ...first, alt: 'Sydney Harbour', focus: 1 } })
    assert.deepEqual(conflicts, [])
  })

  test('what one person said of a picture that another replaced is asked about, and not mixed', () => {
    const mine = { picture: { ...first, alt: 'Sydney Harbour' } }
    const { value, conflicts } = mergeBodies(base, mine, { picture: second })
    assert.deepEqual(value, mine)
    assert.deepEqual(conflicts, [{ path: 'picture', mine: mine.picture, theirs: second }])
  })

  test('the history shows a change of it in words', () => {
    const [change, ...others] = diffBodies(base, { picture: { ...first, focus: 1 } })
    assert.deepEqual(others, [])
    assert.ok(change && change.kind !== 'moved')
    const marked = change.parts.filter(({ kind }) => kind !== 'same').map(({ text }) => text)
    assert.deepEqual([change.path, marked], ['picture', ['middle centre', 'top left']])
    assert.match(describePicture(second), /^Picture bbbbbbbb, 800 × 800 pixels\nAlt text: none yet\n/)
  })
})
