import type { QueryClient } from '@tanstack/react-query'
import { meQuery } from '../../../portal/me-query.ts'
import { inputText, keepInput, restoreInput } from '../../../ui/input-backup.ts'
import type { Reply } from '../conversation-contract.ts'

/** One for each text, kept until it is known what became of it, so that a repeat after a lost connection sends once. */
export function keyFor(client: QueryClient, { id, body, cc, status }: Reply): string {
  const content = JSON.stringify([body, cc, status])
  const kept = restoreInput(keyName(id))
  const known = inputText(kept, 'content') === content ? inputText(kept, 'key') : undefined
  const key = known ?? crypto.randomUUID()
  keep(client, id, { content, key })
  return key
}

export const forgetKey = (client: QueryClient, id: string) => keep(client, id, null)
const keyName = (id: string) => `sending ${id}`

function keep(client: QueryClient, id: string, values: object | null) {
  keepInput(client.getQueryData(meQuery.queryKey)?.id ?? '', keyName(id), values)
}
