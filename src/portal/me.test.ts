import assert from 'node:assert/strict'
import { test } from 'node:test'
import { meQuery } from './me-query.ts'
import { queryClient } from './query-client.ts'

test('Who is signed in cannot be told where no server is to be reached', async () => {
  // Outside a browser there is none.
  await assert.rejects(queryClient.fetchQuery(meQuery), { message: 'Failed to fetch user' })
})
