import * as z from 'zod/mini'
import type { Schema } from './endpoint.ts'
import type { JsonSchema } from './openapi-document.ts'

/** The JSON Schema of a zod schema, as input from a client or as output in a reply. */
export function toJsonSchema(schema: Schema, io: 'input' | 'output'): JsonSchema {
  const text = JSON.stringify(z.toJSONSchema(schema, { io, unrepresentable: 'any' }))
  const { $schema: _, ...jsonSchema }: JsonSchema = JSON.parse(text, (_key, value) => declareKeys(value))
  return jsonSchema
}

/** zod writes a record of known keys as `required` and `additionalProperties`; this lists them as `properties`. */
function declareKeys(schema: JsonSchema | null): JsonSchema | null {
  if (!schema || !Array.isArray(schema.required) || schema.properties) return schema
  const { additionalProperties, propertyNames: _, ...rest } = schema
  const each = schema.required.map(name => [name, additionalProperties ?? {}])
  return { ...rest, properties: Object.fromEntries(each), additionalProperties: false }
}

export function without(schema: JsonSchema, names: readonly string[]): JsonSchema {
  const properties = Object.entries(schema.properties ?? {}).filter(([name]) => !names.includes(name))
  const required = (schema.required ?? []).filter(name => !names.includes(name))
  const { required: _, ...rest } = schema
  return {
    ...rest,
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
  }
}

export const namesOf = (schema: JsonSchema) => Object.keys(schema.properties ?? {})
