import type { JsonSchema } from '../../http/openapi-document.ts'
import { describeType } from './describe-type.ts'

interface Field {
  readonly name: string
  readonly isRequired: boolean
  readonly schema: JsonSchema
  /** Further remarks. */
  readonly note: readonly (string | undefined)[]
}

/** Fields with their types and nested fields. */
export function Fields({ fields }: { fields: readonly Field[] }) {
  return (
    <ul className="api-tokens-fields">
      {fields.map(({ name, isRequired, schema, note }) => {
        const within = fieldsWithin(schema)
        const words = [describeType(schema), isRequired ? '' : 'optional', ...note].filter(Boolean)
        return (
          <li key={name}>
            <code>{name}</code> <span className="api-tokens-fields-type">{words.join(', ')}</span>
            {within.length > 0 && <Fields fields={within} />}
          </li>
        )
      })}
    </ul>
  )
}

/** The fields of an object, or of each object in a list. */
function fieldsWithin(schema: JsonSchema): Field[] {
  const object = schema.items ?? schema.anyOf?.find(({ properties }) => properties) ?? schema
  return Object.entries(object.properties ?? {}).map(([name, field]) => {
    return { name, isRequired: object.required?.includes(name) ?? false, schema: field, note: [] }
  })
}
