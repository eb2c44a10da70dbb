import type { QueryClient } from '@tanstack/react-query'
import type { ApiError } from '../../../http/api-client.ts'
import { call } from '../../../ui/client.ts'
import { meQuery } from '../../../ui/me-query.ts'
import { conversation, type Entry, type ReplyQueued } from '../conversation/contract.ts'
import { endWriting } from '../presence/use-presence.ts'
import { raiseVersion } from '../queries.ts'
import { forgetKey, hasSentNothing, keyFor, type Sending } from './sending-key.ts'

interface WithKey {
  readonly headers: { readonly 'Idempotency-Key': string }
}

/**
 * Makes a call with an idempotency key, which is kept until it is known what became of the call: the same again after a lost
 * connection, also after a reload, is done once. Who has edited the text meanwhile means another one: see `forgetKey`.
 */
export async function sendOnce<Reply extends Pick<ReplyQueued, 'version'>>(
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

interface SendingReply extends Sending {
  /** The number of the last entry that its writer has seen. */
  readonly lastSeq: number
  /** Whether an entry says what is sent. */
  isSame(entry: Entry): boolean
}

/** Sends a reply. When the answer about it is lost, it looks whether the reply is there. @returns its id */
export async function sendOrFind(
  client: QueryClient,
  sending: SendingReply,
  send: (options: WithKey) => Promise<ReplyQueued>,
): Promise<string> {
  try {
    return (await sendOnce(client, sending, send)).reply.id
  } catch (error) {
    const found = hasSentNothing(error) ? undefined : await findSent(client, sending)
    if (!found) throw error
    forgetKey(sending)
    return found.id
  }
}

/** Undefined when there is none, or the server cannot be asked. */
async function findSent(client: QueryClient, { id, lastSeq, isSame }: SendingReply) {
  const userId = client.getQueryData(meQuery.queryKey)?.id
  const { entries } = await call(conversation.entries, { id }).catch(() => ({ entries: [] }))
  return entries.findLast(
    entry => entry.kind === 'reply' && entry.seq > lastSeq && entry.author?.id === userId && isSame(entry),
  )
}
