import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../ui/client.ts'
import { useWrite } from '../../../ui/form/use-write.ts'
import { showFailure } from '../../../ui/toast/toast.ts'
import type { OpenMessage } from '../contract.ts'
import { CONSUMER_GUIDE_SENT, conversation, type Entry } from '../conversation/contract.ts'
import { refreshMessage } from '../queries.ts'
import { sendOrFind } from '../replies/send-once.ts'
import { hasSentNothing } from '../replies/sending-key.ts'
import { cannedReplies } from './contract.ts'

export const cannedQuery = queryOptions({
  queryKey: ['canned-replies'],
  queryFn: () => call(cannedReplies.list, {}),
})

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
