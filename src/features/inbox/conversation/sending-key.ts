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
 * connection, also after a reload, is done once.
 */
export async function sendOnce<Reply extends Done>(
  client: QueryClient,
  sending: Sending,
  send: (options: WithKey) => Promise<Reply>,
): Promise<Reply> {
  try {
    const reply = await send({ headers: { 'Idempotency-Key': keyFor(client, sending) } })
    forgetKey(client, sending)
    raiseVersion(client, sending.id, reply.version)
    return reply
  } catch (error) {
    if (hasSentNothing(error)) forgetKey(client, sending)
    throw error
  }
}

/** Whether it is certain that an attempt with this error has not sent anything. */
export function hasSentNothing(error: unknown): boolean {
  return error instanceof ApiError && !error.isOffline && error.status < 500
}

function keyFor(client: QueryClient, sending: Sending): string {
  const content = JSON.stringify(sending.content)
  const kept = restoreInput(keyName(sending))
  const known = inputText(kept, 'content') === content ? inputText(kept, 'key') : undefined
  const key = known ?? crypto.randomUUID()
  keep(client, sending, { content, key })
  return key
}

type Named = Pick<Sending, 'id' | 'kind'>

export const forgetKey = (client: QueryClient, named: Named) => keep(client, named, null)
const keyName = ({ id, kind }: Named) => `sending ${kind} ${id}`

function keep(client: QueryClient, named: Named, values: object | null) {
  keepInput(client.getQueryData(meQuery.queryKey)?.id ?? '', keyName(named), values)
}
