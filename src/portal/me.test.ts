import assert from 'node:assert/strict'
import { test } from 'node:test'
import { meQuery } from './me-query.ts'
import { queryClient } from './query-client.ts'

test('The query for the signed-in user fails when the server cannot be reached', async () => {
  // Outside a browser there is none.
  await assert.rejects(queryClient.fetchQuery(meQuery), { message: 'Failed to fetch user' })
})
