import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query'
import { serviceLabels } from '../../../i18n/texts.ts'
import { call, write } from '../../../ui/client.ts'
import { useWrite } from '../../../ui/form/use-write.ts'
import { showFailure } from '../../../ui/toast/toast.ts'
import type { Message, OpenMessage } from '../contract.ts'
import { CONSUMER_GUIDE_SENT, conversation, type Entry } from '../conversation/contract.ts'
import { refreshMessage } from '../queries.ts'
import { sendOrFind } from '../replies/send-once.ts'
import { hasSentNothing } from '../replies/sending-key.ts'
import { type CannedReply, cannedReplies, type PlaceholderValues } from './contract.ts'

export const cannedQuery = queryOptions({
  queryKey: ['canned-replies'],
  queryFn: () => call(cannedReplies.list, {}),
})

type CannedList = Awaited<ReturnType<NonNullable<typeof cannedQuery.queryFn>>>

/** What the placeholders stand for in the answer to a message. */
export function valuesFor(
  { name, reference, service }: Pick<Message, 'name' | 'reference' | 'service'>,
  { agent, agency }: Pick<CannedList, 'agent' | 'agency'>,
): PlaceholderValues {
  return { name, reference, agent, agency, service: service && serviceLabels[service] }
}

/** Counts an insertion. Nobody waits for that, and nothing is lost when it fails. */
export function countInsertion(client: QueryClient, { id }: CannedReply) {
  write(client, () => call(cannedReplies.use, { id })).catch(() => {})
}

/** Sends the Consumer Guide to the visitor; for ten seconds it can be taken back like a reply. */
export function useSendConsumerGuide({ message: { id }, lastSeq }: OpenMessage) {
  const client = useQueryClient()
  const sending = {
    id,
    kind: 'consumer guide',
    // Who sees that one was sent and sends another one means that.
    content: lastSeq,
    lastSeq,
    isSame: (entry: Entry) => entry.detail === CONSUMER_GUIDE_SENT,
  } as const
  return useWrite({
    mutationFn: () =>
      sendOrFind(client, sending, withKey => call(conversation.sendConsumerGuide, { id, lastSeq }, withKey)),
    onError(error) {
      const title = `The Consumer Guide ${hasSentNothing(error) ? 'was not' : 'may not have been'} sent`
      showFailure(title, error, 'The server failed.')
    },
    onSettled: () => refreshMessage(client, id),
  })
}
