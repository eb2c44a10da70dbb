import type { QueryClient } from '@tanstack/react-query'
import type { ApiError } from '../../../http/api-client.ts'
import { endWriting } from '../presence/use-presence.ts'
import { raiseVersion } from '../queries.ts'
import { forgetKey, hasSentNothing, keyFor, type Sending } from './sending-key.ts'

/** What the message has once the call is done. */
interface Done {
  readonly version?: number | undefined
}

export interface WithKey {
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
    endWriting()
    raiseVersion(client, sending.id, reply.version)
    return reply
  } catch (error) {
    // That this attempt was refused says nothing of an earlier one with its key, except here.
    if (hasSentNothing(error) && (isNew || isSettled(error))) forgetKey(sending)
    throw error
  }
}

/** Whether the key was used for another text, or for what was taken back or has failed: what comes next is no repeat. */
const isSettled = ({ status, code = '' }: ApiError) =>
  status === 422 || code === 'reply_undone' || code === 'reply_failed'
