// In a process of its own: it measures processor time.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import * as z from 'zod/mini'
import { threadTime } from '../../tests/support/processor-time.ts'
import { openTestApp } from '../../tests/support/test-app.ts'
import type { JsonSchema } from './openapi/openapi-document.ts'

/** To put its marks in order takes a time that grows with the square of their number. */
const UNORDERED = `a@a${'\u0315'.repeat(8000)}${'\u0334'.repeat(8000)}.test`
/** Programs that go back over what they have read take as long for some of these. */
const texts = [
  UNORDERED,
  `x${' '.repeat(32_000)}x`,
  'a-'.repeat(16_000),
  '@a.'.repeat(10_000),
  '\n'.repeat(32_000),
]

/** A value in which every text is this one. */
function filledWith(schema: JsonSchema, text: string): unknown {
  const { anyOf, type, properties = {}, items = {} } = schema
  if (anyOf?.[0]) return filledWith(anyOf[0], text)
  if ('const' in schema) return schema.const
  if (schema.enum) return schema.enum[0]
  if (type === 'array') return [filledWith(items, text)]
  if (type === 'integer' || type === 'number') return 1
  if (type === 'boolean') return true
  if (type !== 'object') return text
  return Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, filledWith(each, text)]))
}

suite('Long texts', async () => {
  const { served } = await openTestApp()
  const timeOf = (work: () => unknown) => {
    const start = threadTime()
    work()
    return threadTime() - start
  }
  const most = timeOf(() => UNORDERED.normalize('NFC')) / 5

  test('no call spends long on a text before it is refused for its length', () => {
    for (const { method, path, input } of served) {
      const schema = z.toJSONSchema(input, { unrepresentable: 'any', io: 'input' }) as JsonSchema
      for (const text of texts) {
        const value = filledWith(schema, text)
        const read = () => timeOf(() => input.safeParse(value))
        // A garbage collection meets one of them.
        const time = Math.min(read(), read())
        assert.ok(time < most, `${method} ${path}: ${time} of ${most} ms for ${text.slice(0, 9)}`)
      }
    }
  })
})
