import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { JsonSchema } from '../../http/openapi/openapi-document.ts'
import { describeType } from './reference.tsx'

suite('Description of a field type', () => {
  const cases: [JsonSchema, string][] = [
    [{ type: 'string' }, 'text'],
    [{ type: 'string', format: 'uuid', pattern: '^…$' }, 'id'],
    [{ type: 'string', minLength: 2, maxLength: 100 }, 'text, 2 to 100 characters'],
    [{ type: 'string', maxLength: 254 }, 'text, at most 254 characters'],
    [{ type: 'string', minLength: 8 }, 'text, at least 8 characters'],
    [{ type: 'string', enum: ['api', 'web'] }, 'one of api, web'],
    [{ type: 'integer', minimum: 1, maximum: 200, default: 100 }, 'whole number, 1 to 200, default 100'],
    [{ type: ['string', 'null'] }, 'text or null'],
    [{ anyOf: [{ type: 'string', enum: ['sent'] }, { type: 'null' }] }, 'one of sent, or null'],
    [{ type: 'boolean', const: true }, 'true'],
    [{ type: 'array', items: { type: 'object' } }, 'list of objects'],
    [{ type: 'array', items: { type: 'string' } }, 'list of text'],
    [{ type: 'number' }, 'number'],
    [{}, 'anything'],
  ]
  for (const [schema, words] of cases)
    test(`a type is described as ${words}`, () => assert.equal(describeType(schema), words))
})
