import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { cut } from './search-preview.tsx'

suite('The preview of a search result', () => {
  test('a text is cut at a space, never within a character, and a short one stays', () => {
    assert.equal(cut('Fees and charges', 60), 'Fees and charges')
    assert.equal(cut('Fees and charges', 10), 'Fees and …')
    assert.equal(cut('👩‍⚖️'.repeat(3), 2).includes('\ufffd'), false)
    assert.equal(cut('word '.repeat(50), 20).length <= 22, true)
  })
})
