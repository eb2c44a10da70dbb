import type { QueryClient } from '@tanstack/react-query'
import { ApiError } from '../../../http/api-client.ts'
import { inputText, keepInput, restoreInput } from '../../../ui/form/input-backup.ts'
import { meQuery } from '../../../ui/me-query.ts'

export interface Sending {
  readonly id: string
  readonly kind: 'reply' | 'consumer guide' | 'note' | 'call'
  /** What a repeat has in common with the first attempt. */
  readonly content: unknown
}

/** Whether it is certain that an attempt with this error has not sent anything. */
export function hasSentNothing(error: unknown): error is ApiError {
  return error instanceof ApiError && !error.isOffline && error.status < 500
}

/** The key of what is sent now, which is that of the same text before. */
export function keyFor(client: QueryClient, sending: Sending) {
  const content = JSON.stringify(sending.content)
  const kept = restoreInput(keyName(sending))
  const known = inputText(kept, 'content') === content ? inputText(kept, 'key') : undefined
  const key = known ?? crypto.randomUUID()
  keepInput(client.getQueryData(meQuery.queryKey)?.id ?? '', keyName(sending), { content, key })
  return { key, isNew: !known }
}

type Named = Pick<Sending, 'id' | 'kind'>

/** What is sent next is no repeat, even if it says the same. */
export const forgetKey = (named: Named) => keepInput('', keyName(named), null)
const keyName = ({ id, kind }: Named) => `sending ${kind} ${id}`
