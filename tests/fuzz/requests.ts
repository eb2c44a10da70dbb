import fc, { type Arbitrary } from 'fast-check'
import type { OpenApiDocument, Operation } from '../../src/http/openapi/openapi.ts'
import type { Parameter } from '../../src/http/openapi/openapi-document.ts'
import { hostileBody, hostileText } from './hostile-values.ts'
import { bodyOf, sometimes, valuesOf } from './schema-values.ts'

export const roles = ['anonymous', 'pending', 'viewer', 'admin'] as const
export type Role = (typeof roles)[number]

/** A request as it is drawn. Its credentials and ids are filled in when it is sent. */
export interface FuzzRequest {
  readonly operation: Described
  readonly method: string
  /** Path parameter → text, not yet encoded. */
  readonly pathParts: Readonly<Record<string, string>>
  readonly query: readonly (readonly [string, string])[]
  /** A raw query string that replaces `query`. */
  readonly rawQuery: string | null
  readonly body: string | null
  readonly contentType: string
  readonly role: Role
  readonly shows: 'cookie' | 'token' | 'bad token' | 'both'
  readonly csrf: 'right' | 'none' | 'wrong'
  readonly origin: string | null
  readonly headers: readonly (readonly [string, string])[]
}

export interface Described extends Operation {
  readonly path: string
  readonly method: string
}

/** Valid and invalid requests for every call of the reference. */
export function requestsOf(document: OpenApiDocument): Arbitrary<FuzzRequest> {
  const operations = Object.entries(document.paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        ...operation,
        path,
        method: method.toUpperCase(),
      })),
    )
    // It does not end.
    .filter(({ path }) => path !== '/api/events')
  return fc.constantFrom(...operations).chain(requestsFor)
}

/** Mostly the first value, rarely one of the others. */
function mostly<T>(usual: T, odd: readonly T[], weight = 15): Arbitrary<T> {
  return fc.oneof(
    { weight, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: fc.constantFrom(...odd) },
  )
}

function requestsFor(operation: Described): Arbitrary<FuzzRequest> {
  const { parameters, requestBody, method } = operation
  const parametersIn = (place: Parameter['in']) => parameters.filter(parameter => parameter.in === place)
  const schema = requestBody?.content['application/json']?.schema
  return fc.record({
    operation: fc.constant(operation),
    method: mostly(method, otherMethods),
    pathParts: fc.record(Object.fromEntries(parametersIn('path').map(part => [part.name, textFor(part)]))),
    query: queryFor(parametersIn('query')),
    rawQuery: mostly<string | null>(null, rawQueries, 25),
    body: schema ? bodies(schema) : mostly<string | null>(null, ['{}', '{"x":1}', 'x']),
    contentType: mostly('application/json', contentTypes, 30),
    role: fc.constantFrom(...roles, 'admin' as const, 'admin' as const),
    shows: mostly<FuzzRequest['shows']>('cookie', ['token', 'token', 'bad token', 'both'], 3),
    csrf: mostly<FuzzRequest['csrf']>('right', ['none', 'wrong'], 25),
    origin: mostly<string | null>('same-origin', ['cross-site', 'none', 'x', null], 25),
    headers: headersFor(parametersIn('header')),
  })
}

const otherMethods = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'QUERY',
]
const rawQueries = [
  '&&==&',
  'a[]=1&a[b]=2',
  '%',
  '%ff=%zz',
  '__proto__=1',
  'limit=1&limit=2',
  '?'.repeat(3000),
]
const contentTypes = [
  'application/json; charset=utf-8',
  'application/json;charset=utf-16',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  '',
  'x'.repeat(500),
]

function textFor({ name, schema }: Parameter): Arbitrary<string> {
  return fc.oneof(
    { weight: 4, arbitrary: valuesOf(name, schema).map(String) },
    { weight: 1, arbitrary: hostileText },
  )
}

function queryFor(parameters: readonly Parameter[]): Arbitrary<(readonly [string, string])[]> {
  const given = parameters.map(parameter => sometimes(40, pair(parameter.name, textFor(parameter))))
  const undeclared = sometimes(4, fc.tuple(hostileText, hostileText))
  return fc.tuple(undeclared, ...given).map(pairs => pairs.flat())
}

function bodies(schema: Parameter['schema']): Arbitrary<string | null> {
  return fc.oneof(
    { weight: 14, arbitrary: bodyOf(schema).map(body => JSON.stringify(body)) },
    { weight: 1, arbitrary: hostileBody },
    { weight: 1, arbitrary: fc.constant(null) },
  )
}

const otherHeaders = [
  'User-Agent',
  'Cookie',
  'X-Request-Id',
  'If-None-Match',
  'Accept',
  'Range',
  'Expect',
  'Host',
]

function headersFor(own: readonly Parameter[]): Arbitrary<(readonly [string, string])[]> {
  const given = own.map(({ name }) => sometimes(50, pair(name, fc.oneof(fc.uuid(), hostileText))))
  const undeclared = sometimes(8, fc.tuple(fc.constantFrom(...otherHeaders), hostileText))
  return fc.tuple(undeclared, ...given).map(pairs => pairs.flat())
}

const pair = (name: string, text: Arbitrary<string>) => fc.tuple(fc.constant(name), text)
