import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'
import type { OpenApiDocument, Operation } from '../../http/openapi/openapi.ts'
import type { Content, JsonSchema } from '../../http/openapi/openapi-document.ts'

interface NamedOperation extends Operation {
  readonly method: string
  readonly path: string
}

/** Every call, in groups. The open one is in the URL, so that it can be linked to. */
export function Reference({ document }: { document: OpenApiDocument }) {
  const [params, setParams] = useSearchParams()
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method, path })),
  )

  function toggle(id: string, isOpen: boolean) {
    if (isOpen === (params.get('call') === id)) return
    const next = new URLSearchParams(params)
    if (isOpen) next.set('call', id)
    else next.delete('call')
    setParams(next, { replace: true, preventScrollReset: true })
  }

  return document.tags.map(({ name }) => (
    <section key={name} className="api-tokens-calls">
      <h3>{name}</h3>
      {operations
        .filter(({ tags }) => tags.includes(name))
        .map(operation => (
          <Call
            key={operation.operationId}
            operation={operation}
            document={document}
            isOpen={params.get('call') === operation.operationId}
            onToggle={isOpen => toggle(operation.operationId, isOpen)}
          />
        ))}
    </section>
  ))
}

interface CallProps {
  readonly operation: NamedOperation
  readonly document: OpenApiDocument
  readonly isOpen: boolean
  readonly onToggle: (isOpen: boolean) => void
}

function Call({ operation, document, isOpen, onToggle }: CallProps) {
  const details = useRef<HTMLDetailsElement>(null)
  const cameByLink = useRef(isOpen)
  useEffect(() => {
    if (cameByLink.current) details.current?.scrollIntoView({ block: 'start' })
  }, [])
  return (
    <details
      ref={details}
      className="api-tokens-call"
      id={operation.operationId}
      open={isOpen}
      onToggle={event => onToggle(event.currentTarget.open)}
    >
      <summary>
        <span className="tiny api-tokens-call-method">{operation.method.toUpperCase()}</span>
        <span className="break api-tokens-call-path">{operation.path}</span>
        <span className="api-tokens-call-summary">{operation.summary}</span>
      </summary>
      {isOpen && <CallBody operation={operation} document={document} />}
    </details>
  )
}

function CallBody({ operation, document }: Pick<CallProps, 'operation' | 'document'>) {
  const { parameters, requestBody, responses } = operation
  const body = requestBody?.content['application/json']?.schema
  return (
    <div className="snug api-tokens-call-body">
      <p>{operation.description}</p>
      {parameters.length > 0 && (
        <>
          <h4>Parameters</h4>
          <Fields
            fields={parameters.map(({ name, in: place, required, schema, description: meaning }) => {
              return { name, isRequired: required, schema, note: [placeLabels[place], meaning] }
            })}
          />
        </>
      )}
      {body && (
        <>
          <h4>Body, as JSON</h4>
          <SchemaFields schema={body} />
        </>
      )}
      <h4>Responses</h4>
      <dl className="api-tokens-replies">
        {Object.entries(responses).map(([status, response]) => {
          const { description } = '$ref' in response ? shared(document, response.$ref) : response
          return (
            <div key={status}>
              <dt>{status === 'default' ? 'Other' : status}</dt>
              <dd>
                {description}
                {!('$ref' in response) && <ReplyFields content={response.content} />}
              </dd>
            </div>
          )
        })}
      </dl>
    </div>
  )
}

function ReplyFields({ content }: { content: Content }) {
  const { schema } = content['application/json'] ?? content['text/event-stream'] ?? {}
  return schema ? <SchemaFields schema={schema} /> : <p>Sent as {Object.keys(content).join()}</p>
}

const placeLabels = { path: 'in the path', query: 'in the query', header: 'as a header' }

function SchemaFields({ schema }: { schema: JsonSchema }) {
  if (schema.anyOf)
    return schema.anyOf.map((choice, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the choices of a schema never change places
      <div key={index}>
        {index > 0 && <p className="api-tokens-quiet">or</p>}
        <SchemaFields schema={choice} />
      </div>
    ))
  const fields = fieldsOf(schema)
  return fields.length > 0 ? <Fields fields={fields} /> : null
}

const shared = ({ components }: OpenApiDocument, ref: string) =>
  components.responses[ref.split('/').at(-1) ?? ''] ?? { description: undefined }

interface Field {
  readonly name: string
  readonly isRequired: boolean
  readonly schema: JsonSchema
  readonly note: readonly (string | undefined)[]
}

function Fields({ fields }: { fields: readonly Field[] }) {
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
  return fieldsOf(schema.items ?? schema.anyOf?.find(({ properties }) => properties) ?? schema)
}

const fieldsOf = ({ properties = {}, required }: JsonSchema): Field[] =>
  Object.entries(properties).map(([name, schema]) => {
    return { name, isRequired: required?.includes(name) ?? false, schema, note: [] }
  })

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
