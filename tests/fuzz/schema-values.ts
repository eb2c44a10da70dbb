import fc, { type Arbitrary } from 'fast-check'
import type { JsonSchema } from '../../src/http/openapi/openapi-document.ts'
import { hostileJson, hostileText } from './hostile-values.ts'

/** A placeholder for an id that exists when the request is sent. */
export const KNOWN_ID = 'known-id'

/** Values that the schema of a field may take, so that most requests pass validation. */
export function valuesOf(name: string, schema: JsonSchema): Arbitrary<unknown> {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(option => valuesOf(name, option)))
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.type === 'boolean') return fc.boolean()
  if (schema.type === 'integer' || schema.type === 'number') return fc.integer({ min: 0, max: 250 })
  if (schema.type === 'array') return fc.array(valuesOf(name, schema.items ?? {}), { maxLength: 4 })
  if (schema.type === 'object') return bodyOf(schema)
  return textsOf(name, schema)
}

function textsOf(name: string, { format, minLength }: JsonSchema): Arbitrary<string> {
  if (format === 'uuid' || /id$/i.test(name)) return fc.constant(KNOWN_ID)
  if (/email/i.test(name)) return fc.integer({ min: 0, max: 40 }).map(number => `Fuzz.${number}@agency.test`)
  if (/password/i.test(name)) return fc.constantFrom('Quiet-Harbour-9-Lantern!', 'short', 'Wrong-Password-1!')
  if (name === 'code') return fc.constantFrom('000000', '123456', '1234567')
  if (name === 'phone') return fc.constant('+61 2 5550 0100')
  if (name === 'key') return fc.constantFrom(...settingKeys)
  if (name === 'value')
    return fc.constantFrom('true', 'false', 'v2', 'v3', 'desk@agency.test', 'A value', '****')
  const plain = fc.constantFrom('Robin Fuzz', 'A text that is long enough for every field of the product')
  return minLength === undefined ? fc.oneof(plain, hostileText) : plain
}

const settingKeys = [
  'form_email',
  'site_name',
  'contact_phone',
  'recaptcha_site_key',
  'recaptcha_secret_key',
  'recaptcha_enabled',
  'recaptcha_version',
  'mailchimp_transactional_api_key',
]

const undeclaredNames = [
  'role',
  'id',
  'isDefault',
  'passwordHash',
  '__proto__',
  'constructor',
  'success',
  'x',
]

/** An object of the schema with some fields missing, some of a wrong type, and sometimes an undeclared one. */
export function bodyOf({ properties = {}, required = [] }: JsonSchema): Arbitrary<Record<string, unknown>> {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const value = fc.oneof(
      { weight: 12, arbitrary: valuesOf(name, schema) },
      { weight: 2, arbitrary: hostileText },
      { weight: 1, arbitrary: hostileJson },
    )
    return sometimes(required.includes(name) ? 95 : 60, fc.tuple(fc.constant(name), value))
  })
  const undeclared = fc.tuple(fc.constantFrom(...undeclaredNames), hostileJson)
  return fc.tuple(sometimes(8, undeclared), ...fields).map(entries => fromEntries(entries.flat()))
}

/** One value in `percent` of a hundred draws, none in the others. */
export function sometimes<T>(percent: number, arbitrary: Arbitrary<T>): Arbitrary<T[]> {
  const drawn = fc.integer({ min: 1, max: 100 })
  return fc.tuple(drawn, arbitrary).map(([number, value]) => (number <= percent ? [value] : []))
}

/** `__proto__` becomes a field of its own, as in parsed JSON. */
function fromEntries(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  const made: Record<string, unknown> = Object.create(null)
  for (const [name, value] of entries) made[name] = value
  return made
}
