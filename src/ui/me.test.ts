import assert from 'node:assert/strict'
import { test } from 'node:test'
import { queryClient } from '../portal/query-client.ts'
import { meQuery } from './me-query.ts'

test('The query for the signed-in user fails when the server cannot be reached', async () => {
  // Outside a browser there is none.
  await assert.rejects(queryClient.fetchQuery(meQuery), { message: 'Failed to fetch user' })
})
