import type { QueryClient } from '@tanstack/react-query'
import { meQuery } from '../../../portal/me-query.ts'
import { inputText, keepInput, restoreInput } from '../../../ui/input-backup.ts'
import { forgetKey } from './sending-key.ts'

const keyOf = (id: string) => `call ${id}`

/** What was typed about a phone call and is kept in this tab. */
export const keptCall = (id: string) => inputText(restoreInput(keyOf(id)), 'body')

/** Keeps what somebody has typed. */
export function keepCall(client: QueryClient, id: string, body: string) {
  forgetKey({ id, kind: 'call' })
  keepInput(client.getQueryData(meQuery.queryKey)?.id ?? '', keyOf(id), body ? { body } : null)
}

/** @returns whether nothing else was typed since `sent`, so that it is forgotten */
export function forgetSentCall(id: string, sent: string): boolean {
  const isSame = (keptCall(id) ?? sent) === sent
  if (isSame) keepInput('', keyOf(id), null)
  return isSame
}
