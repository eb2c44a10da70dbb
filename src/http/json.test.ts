import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { stopwatch } from '../../tests/support/processor-time.ts'
import fc from '../../tests/support/properties.ts'
import { fieldErrors } from './field-errors.ts'
import { parseJsonObject } from './json.ts'

const read = (text: string) => parseJsonObject(Buffer.from(text))
const refused = { status: 400, message: 'The request is not a JSON object that can be read' }

suite('A JSON body', () => {
  test('a JSON body is read as JSON.parse reads it, if it is an object with each key once', () => {
    const object = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ maxDepth: 5 }))
    const spacing = fc.constantFrom(undefined, 1, '\t', '\r\n')
    const property = fc.property(object, spacing, (value, space) => {
      const text = JSON.stringify(value, null, space)
      assert.deepEqual(read(text), JSON.parse(text))
    })
    fc.assert(property)
  })

  test('a JSON body with a duplicate key is refused, however the key is written and wherever it is', () => {
    const property = fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.integer({ min: 0, max: 10 }),
      (key, depth) => {
        const twice = `{${JSON.stringify(key)}:1, ${escaped(key)} :2}`
        assert.throws(() => read(`${'{"a":['.repeat(depth / 2)}${twice}${']}'.repeat(depth / 2)}`), refused)
      },
    )
    fc.assert(property)
  })

  test('a JSON body with more keys than any document has is refused before they are read', () => {
    const withKeys = (count: number) => `{${Array.from({ length: count }, (_, at) => `"${at}":1`).join()}}`
    assert.equal(Object.keys(read(withKeys(6000))).length, 6000)
    assert.throws(() => read(withKeys(6001)), refused)
  })

  test('the errors of a body name a hundred fields at most, however many are wrong', () => {
    const issues = Array.from({ length: 38_000 }, (_, at) => ({ path: ['versions', at], message: 'Invalid' }))
    assert.equal(Object.keys(fieldErrors(issues)).length, 100)
  })

  test('a JSON body may repeat a key in another object, and as a value', () => {
    const text = '{"a":{"a":"a"},"b":[{"a":"a"},{"a":"b"}],"c":"a"}'
    assert.deepEqual(read(text), JSON.parse(text))
  })

  test('a JSON body cannot set the prototype of the object that is read', () => {
    const value = read('{"__proto__":{"admin":1}}')
    assert.equal(Object.getPrototypeOf(value), Object.prototype)
    assert.equal('admin' in value, false)
  })

  test('a JSON body is twenty levels deep at most', () => {
    const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`
    assert.doesNotThrow(() => read(nested(20)))
    assert.throws(() => read(nested(21)), refused)
    assert.throws(() => read('{"a":'.repeat(10_000)), refused)
  })

  test('a JSON body must be an object', () => {
    for (const text of [
      '[]',
      '"a"',
      '1',
      'null',
      'true',
      '',
      ' ',
      '{',
      '{}{}',
      "{'a':1}",
      '{"a":1,}',
      '{"a":NaN}',
    ])
      assert.throws(() => read(text), refused, text)
  })

  test('a JSON body that is any other text is refused, not misread', () => {
    const property = fc.property(fc.string({ unit: fc.constantFrom(...'{}[]":,\\ a1\n') }), text => {
      if (isObject(text)) return
      assert.throws(() => read(text), refused)
    })
    fc.assert(property, { numRuns: 1000 })
  })

  test('a JSON body must be UTF-8', () => {
    for (const bytes of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0x80]]) {
      const body = Buffer.concat([Buffer.from('{"a":"'), Buffer.from(bytes), Buffer.from('"}')])
      assert.throws(() => parseJsonObject(body), refused, bytes.join())
    }
  })

  test('a JSON body that is written to take long is refused without delay', () => {
    const hostile = [
      `{"a":"${'\\"'.repeat(32_000)}`,
      '"\\'.repeat(32_000),
      '{"a" '.repeat(13_000),
      '"'.repeat(65_000),
    ]
    for (const text of hostile) {
      const watch = stopwatch()
      assert.throws(() => read(text), refused)
      assert.ok(watch.passedAtRest() < 250, text.slice(0, 10))
    }
  })
})

/** The same string with every character as an escape. */
function escaped(key: string): string {
  const units = Array.from({ length: key.length }, (_, at) =>
    key.charCodeAt(at).toString(16).padStart(4, '0'),
  )
  return `"${units.map(unit => `\\u${unit}`).join('')}"`
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}
