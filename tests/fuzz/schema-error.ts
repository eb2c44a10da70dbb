import type { OpenApiDocument } from '../../src/http/openapi/openapi.ts'
import type { JsonSchema } from '../../src/http/openapi/openapi-document.ts'

/** Checks a value against its schema; undeclared fields are errors too. @returns what is wrong, or null. */
export function schemaError(
  value: unknown,
  schema: JsonSchema,
  document: OpenApiDocument,
  where = 'reply',
): string | null {
  if (typeof schema.$ref === 'string')
    return schemaError(value, resolve(document, schema.$ref), document, where)
  if (schema.anyOf) {
    const errors = schema.anyOf.map(option => schemaError(value, option, document, where))
    return errors.includes(null) ? null : errors.join(' or ')
  }
  if ('const' in schema && value !== schema.const) return `${where} is not ${schema.const}`
  if (schema.enum && !schema.enum.includes(value)) return `${where} is not one of ${schema.enum.join()}`
  const types = [schema.type ?? []].flat()
  if (types.length > 0 && !types.includes(typeOf(value)) && !isInteger(value, types))
    return `${where} is ${typeOf(value)}, not ${types.join()}`
  if (Array.isArray(value)) {
    const { items = {} } = schema
    return first(value.map((item, index) => schemaError(item, items, document, `${where}[${index}]`)))
  }
  return typeof value === 'object' && value !== null ? fieldError(value, schema, document, where) : null
}

function fieldError(value: object, schema: JsonSchema, document: OpenApiDocument, where: string) {
  const { properties, required = [], additionalProperties } = schema
  const missing = required.find(name => !(name in value))
  if (missing) return `${where} has no ${missing}`
  // Without a list of fields any field is allowed; otherwise only declared ones are.
  const others = isSchema(additionalProperties) ? additionalProperties : properties ? null : {}
  return first(
    Object.entries(value).map(([name, field]) => {
      const known = properties && Object.hasOwn(properties, name) ? properties[name] : others
      return known
        ? schemaError(field, known, document, `${where}.${name}`)
        : `${where}.${name} is not declared`
    }),
  )
}

export function resolve(document: OpenApiDocument, target: string): JsonSchema {
  let found: unknown = document
  for (const step of target.replace('#/', '').split('/')) found = Object(found)[step]
  if (!isSchema(found)) throw new Error(`${target} does not exist`)
  return found
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

const isInteger = (value: unknown, types: readonly unknown[]) =>
  types.includes('integer') && Number.isInteger(value)

const first = (errors: readonly (string | null)[]) => errors.find(one => one !== null) ?? null
