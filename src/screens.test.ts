import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findScreen } from './screens.ts'

test('a screen with a parameter is found for every id, and not for what lies below it', () => {
  assert.equal(findScreen('/content')?.path, '/content')
  assert.equal(findScreen('/content/0192')?.path, '/content/:id')
  for (const path of ['/content/', '/content/0192/more', '/contents', '/'])
    assert.equal(findScreen(path), undefined)
})
