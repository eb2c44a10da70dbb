import type { QueryClient } from '@tanstack/react-query'
import { call } from '../../../ui/client.ts'
import { meQuery } from '../../../ui/me-query.ts'
import { conversation, type Entry, type ReplyQueued } from '../conversation/contract.ts'
import { sendOnce, type WithKey } from './send-once.ts'
import { forgetKey, hasSentNothing, type Sending } from './sending-key.ts'

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
