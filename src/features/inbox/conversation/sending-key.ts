import type { QueryClient } from '@tanstack/react-query'
import { ApiError } from '../../../http/api-client.ts'
import { meQuery } from '../../../portal/me-query.ts'
import { inputText, keepInput, restoreInput } from '../../../ui/input-backup.ts'
import { raiseVersion } from './refresh.ts'

/** What is sent about one message. */
interface Sending {
  readonly id: string
  readonly kind: 'reply' | 'consumer guide' | 'note' | 'call'
  /** What a repeat has in common with the first attempt. */
  readonly content: unknown
}

/** What the message has once the call is done. */
interface Done {
  readonly version?: number | undefined
}

interface WithKey {
  readonly headers: { readonly 'Idempotency-Key': string }
}

/**
 * Makes a call with an idempotency key, which is kept until it is known what became of the call: the same again after a lost
 * connection, also after a reload, is done once. Who has edited the text meanwhile means another one: see `forgetKey`.
 */
export async function sendOnce<Reply extends Done>(
  client: QueryClient,
  sending: Sending,
  send: (options: WithKey) => Promise<Reply>,
): Promise<Reply> {
  const { key, isNew } = keyFor(client, sending)
  try {
    const reply = await send({ headers: { 'Idempotency-Key': key } })
    forgetKey(sending)
    raiseVersion(client, sending.id, reply.version)
    return reply
  } catch (error) {
    // That this attempt was refused says nothing of an earlier one with its key.
    if (hasSentNothing(error) && (isNew || error.status === USED_FOR_ANOTHER)) forgetKey(sending)
    throw error
  }
}

const USED_FOR_ANOTHER = 422

/** Whether it is certain that an attempt with this error has not sent anything. */
export function hasSentNothing(error: unknown): error is ApiError {
  return error instanceof ApiError && !error.isOffline && error.status < 500
}

function keyFor(client: QueryClient, sending: Sending) {
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
