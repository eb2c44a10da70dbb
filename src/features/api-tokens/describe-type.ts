import type { JsonSchema } from '../../http/openapi-document.ts'

const words: Record<string, string> = {
  string: 'text',
  boolean: 'true or false',
  integer: 'whole number',
  object: 'object',
  null: 'null',
}

/** The type of a field, in words: `text, 2 to 100 characters`, `one of 7, 30`, `list of objects`. */
export function describeType(schema: JsonSchema): string {
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum) return `one of ${schema.enum.join(', ')}`
  if (schema.anyOf) return schema.anyOf.map(describeType).join(', or ')
  if (schema.type === 'array') return `list of ${describeItems(schema.items)}`
  const types = [schema.type ?? 'anything'].flat()
  const type = schema.format === 'uuid' ? 'id' : types.map(name => words[name] ?? name).join(' or ')
  return [type, describeRange(schema), describeDefault(schema)].filter(Boolean).join(', ')
}

function describeItems(items: JsonSchema = {}): string {
  if (items.type === 'object') return 'objects'
  return describeType(items)
}

function describeRange({ minLength, maxLength, minimum, maximum }: JsonSchema): string {
  if (maxLength !== undefined && minLength !== undefined) return `${minLength} to ${maxLength} characters`
  if (maxLength !== undefined) return `at most ${maxLength} characters`
  if (minLength !== undefined) return `at least ${minLength} characters`
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}`
  return ''
}

function describeDefault(schema: JsonSchema): string {
  return 'default' in schema ? `default ${JSON.stringify(schema.default)}` : ''
}
