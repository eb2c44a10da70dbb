import * as z from 'zod/mini'
import type { Schema } from './endpoint.ts'
import type { JsonSchema } from './openapi-document.ts'

/** The JSON Schema of a shape, as a client sends it or as a reply carries it. */
export function toJsonSchema(shape: Schema, io: 'input' | 'output'): JsonSchema {
  const written = JSON.stringify(z.toJSONSchema(shape, { io, unrepresentable: 'any' }))
  const { $schema: _, ...schema }: JsonSchema = JSON.parse(written, (_key, value) => declareKeys(value))
  return schema
}

/** A record of known keys names them as required, and says in `additionalProperties` what each holds. */
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
