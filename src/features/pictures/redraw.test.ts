import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { fitWithin } from './upload.tsx'

suite('The size in which the browser draws a picture before it is uploaded', () => {
  test('is at most 2,560 pixels on either side, with the same proportions', () => {
    assert.deepEqual(fitWithin({ width: 6000, height: 4000 }), { width: 2560, height: 1707 })
    assert.deepEqual(fitWithin({ width: 3000, height: 12_000 }), { width: 640, height: 2560 })
  })

  test('is that of the picture where it is small enough', () => {
    assert.deepEqual(fitWithin({ width: 2560, height: 2560 }), { width: 2560, height: 2560 })
    assert.deepEqual(fitWithin({ width: 2561, height: 2561 }), { width: 2560, height: 2560 })
    assert.deepEqual(fitWithin({ width: 1, height: 1 }), { width: 1, height: 1 })
  })

  test('is never nothing', () => {
    assert.deepEqual(fitWithin({ width: 20_000, height: 1 }), { width: 2560, height: 1 })
  })
})
