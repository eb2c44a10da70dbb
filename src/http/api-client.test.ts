import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { users } from '../features/users/contract.ts'
import { ApiError, createApiClient } from './api-client.ts'

/** What a read says that gets this answer. */
async function readFailure(answer: () => Response | Promise<Response>): Promise<ApiError> {
  const call = createApiClient(async () => answer())
  const error = await call(users.list, {}).then(
    () => null,
    failure => failure,
  )
  assert.ok(error instanceof ApiError)
  return error
}

suite('API client after a failed read', () => {
  test('a failed read reports the status and the error of the server', async () => {
    const error = await readFailure(() =>
      Response.json({ success: false, message: 'Not for you' }, { status: 403 }),
    )
    assert.deepEqual([error.message, error.said], ['403: Not for you', 'Not for you'])
  })

  test('a failed read reports the page of a proxy in a few words', async () => {
    const page =
      '<html><head><title>502 Bad Gateway</title></head><body><h1>Bad Gateway</h1>\n<script>x<1</script><hr>nginx</body>'
    const error = await readFailure(() => new Response(page, { status: 502, statusText: 'Bad Gateway' }))
    assert.deepEqual([error.message, error.said], ['502: Bad Gateway nginx', ''])
    const long = await readFailure(() => new Response('busy '.repeat(5000), { status: 503 }))
    assert.match(long.message, /^503: (busy ){40}…$/)
  })

  test('a failed read reports the text of the status when the response has no words', async () => {
    const empty = await readFailure(() => new Response('', { status: 504, statusText: 'Gateway Timeout' }))
    assert.equal(empty.message, '504: Gateway Timeout')
    const silent = await readFailure(() =>
      Response.json({ success: false }, { status: 500, statusText: 'Internal Server Error' }),
    )
    assert.equal(silent.message, '500: Internal Server Error')
    assert.equal((await readFailure(() => new Response('', { status: 500 }))).message, '500')
  })

  test('a failed read never shows an error that is meant for a submission', async () => {
    const error = await readFailure(() => Promise.reject(new TypeError('Failed to fetch')))
    assert.deepEqual(
      [error.message, error.said, error.status, error.isOffline],
      ['The server could not be reached.', '', 500, true],
    )
  })
})

test('A write that the network loses says so', async () => {
  const call = createApiClient(() => Promise.reject(new TypeError('Failed to fetch')))
  await assert.rejects(call(users.delete, { id: '01900000-0000-7000-8000-000000000000' }), {
    message: 'Network error while submitting your request. Please try again.',
    status: 500,
  })
})
