import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { openTestApp, PUBLIC_URL } from '../../../tests/support/test-app.ts'
import type { OpenApiDocument, Operation } from './openapi.ts'

suite('API reference', async () => {
  const testApp = await openTestApp()
  const reply = await testApp.browser().fetch('/api/openapi.json')
  const document: OpenApiDocument = await reply.json()
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
  )
  const find = (id: string): Operation => {
    const found = operations.find(({ operationId }) => operationId === id)
    assert.ok(found, id)
    return found
  }
  const schemaOf = (id: string, status: string) => {
    const response = find(id).responses[status]
    return response && 'content' in response ? response.content['application/json']?.schema : undefined
  }

  test('the API reference follows the rules of OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate({ ...structuredClone(document) })
    assert.equal(valid, true, JSON.stringify(errors))
    assert.equal(document.openapi, '3.1.1')
    const { openapi: _, ...broken } = document
    assert.equal((await new Validator().validate(broken)).valid, false, 'and the check can fail')
  })

  test('the API reference names every served call, and no other', () => {
    const served = testApp.served.map(({ method, path }) => `${method} ${path.replace(/:\w+/g, '{}')}`)
    const described = operations.map(
      ({ method, path }) => `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '{}')}`,
    )
    assert.deepEqual(described.sort(), served.sort())
    assert.deepEqual(document.servers, [{ url: PUBLIC_URL }])
  })

  test('the API reference describes the purpose of every call, under a unique name', () => {
    for (const { method, path, summary } of testApp.served) assert.ok(summary, `${method} ${path}`)
    assert.equal(new Set(operations.map(({ operationId }) => operationId)).size, operations.length)
    const tags = document.tags.map(({ name }) => name)
    for (const { tags: own, path } of operations) assert.ok(own[0] && tags.includes(own[0]), path)
  })

  test('the API reference declares each part of an address, and has no broken reference', () => {
    for (const { path, parameters } of operations) {
      const inPath = parameters.filter(parameter => parameter.in === 'path').map(({ name }) => name)
      assert.deepEqual(
        [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
        inPath,
        path,
      )
    }
    const text = JSON.stringify(document)
    for (const [, target = ''] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      let found: unknown = document
      for (const step of target.split('/')) found = Object(found)[step]
      assert.ok(found, target)
    }
    const schemes = Object.keys(document.components.securitySchemes)
    for (const { security, path } of operations)
      for (const name of security.flatMap(Object.keys)) assert.ok(schemes.includes(name), `${path} ${name}`)
  })

  test('the API reference has one path for addresses that differ only by the name of a part, and describes each method', () => {
    assert.deepEqual(Object.keys(document.paths['/api/admin/tokens/{id}'] ?? {}), ['get', 'delete'])
    const partOf = (id: string) => find(id).parameters.find(parameter => parameter.in === 'path')
    assert.equal(partOf('get-api-admin-tokens-userid')?.description, 'The id of the user')
    assert.equal(partOf('delete-api-admin-tokens-tokenid')?.description, 'The id of the token')
    assert.equal(partOf('get-api-messages-id')?.description, undefined)
  })

  test('the API reference says who may make each call, and with which credentials', () => {
    const securityOf = (id: string) => find(id).security.map(scheme => Object.keys(scheme).join('+'))
    assert.deepEqual(securityOf('get-api-messages'), ['session', 'bearer'])
    assert.deepEqual(securityOf('put-api-messages-id-read'), ['session+csrfToken', 'bearer'])
    assert.deepEqual(securityOf('post-api-admin-tokens'), ['session+csrfToken'])
    assert.deepEqual(securityOf('post-api-auth-login'), ['anonymous+csrfToken'])
    assert.deepEqual(securityOf('post-api-auth-verify-2fa'), ['pending+csrfToken'])
    assert.deepEqual(securityOf('post-api-contact'), [])
    assert.equal(
      find('post-api-admin-tokens').description,
      'Needs the permission tokens. An API token is not accepted.',
    )
    const { session } = document.components.securitySchemes
    assert.equal(session?.name, '__Host-session')
  })

  test('the document describes the input, the reply and the errors of a call', () => {
    const create = find('post-api-admin-tokens')
    const body = create.requestBody?.content['application/json']?.schema
    assert.deepEqual(Object.keys(body?.properties ?? {}), [
      'userId',
      'description',
      'expiresInDays',
      'tokenType',
    ])
    assert.deepEqual(body?.properties?.expiresInDays?.enum, [7, 30, 90, 365, 730])
    assert.deepEqual(schemaOf('post-api-admin-tokens', '201')?.required, ['success', 'token'])
    const statuses = '201 400 401 403 404 409 413 415 429 503 default'
    assert.deepEqual(Object.keys(create.responses).sort(), statuses.split(' ').sort())
    const query = find('get-api-messages').parameters.find(({ name }) => name === 'limit')
    assert.deepEqual(query?.schema, { default: 100, type: 'integer', minimum: 1, maximum: 200 })
    assert.equal(find('put-api-messages-id-read').requestBody, undefined)
    assert.equal(schemaOf('post-api-auth-login', '200')?.anyOf?.length, 2)
    assert.equal(find('post-api-contact').parameters[0]?.name, 'Idempotency-Key')
    assert.ok('422' in find('post-api-contact').responses)
    assert.ok('409' in find('post-api-users-id-verification').responses)
  })

  test('the API reference is public, may be cached for five minutes, and is revalidated by its ETag', async () => {
    assert.equal(reply.headers.get('cache-control'), 'public, max-age=300')
    const known = { 'if-none-match': reply.headers.get('etag') }
    assert.equal((await testApp.browser().fetch('/api/openapi.json', { headers: known })).status, 304)
  })
})
