import type { QueryClient } from '@tanstack/react-query'
import { meQuery } from '../../../portal/me-query.ts'
import { call } from '../../../ui/client.ts'
import { messages } from '../contract.ts'
import type { Entry, Reply } from '../conversation-contract.ts'

/** The reply that was stored although the answer about it was lost; undefined when there is none, or the server cannot be asked. */
export async function findSent(
  client: QueryClient,
  { id, body, lastSeq }: Reply,
): Promise<Entry | undefined> {
  const userId = client.getQueryData(meQuery.queryKey)?.id
  const { entries } = await call(messages.read, { id }).catch(() => ({ entries: [] }))
  return entries.findLast(
    ({ kind, seq, author, body: said }) =>
      kind === 'reply' && seq > lastSeq && author?.id === userId && said === body.trim(),
  )
}
