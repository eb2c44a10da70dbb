import { useQueryClient } from '@tanstack/react-query'
import { Button } from '../../../ui/button.tsx'
import { call } from '../../../ui/client.ts'
import { useWrite } from '../../../ui/form/use-write.ts'
import { useMayCall } from '../../../ui/me-query.ts'
import { showFailure } from '../../../ui/toast/toast.ts'
import type { Message } from '../contract.ts'
import { conversation, type Entry } from '../conversation/contract.ts'
import { raiseVersion, refreshMessage } from '../queries.ts'

/** Why a reply was not sent, and the button that sends it again. */
export function RetryReply({ message: { id }, entry }: { message: Message; entry: Entry }) {
  const client = useQueryClient()
  const mayRetry = useMayCall()(conversation.retryReply)
  const retry = useWrite({
    mutationFn: () => call(conversation.retryReply, { id, replyId: entry.id }),
    onSuccess: ({ version }) => raiseVersion(client, id, version),
    onError: error => showFailure('The reply could not be sent again', error, 'The server failed.'),
    onSettled: () => refreshMessage(client, id),
  })
  return (
    <div className="line wrap inbox-email-failed" role="alert">
      <span>This reply was not sent. {entry.deliveryError && <q>{entry.deliveryError}</q>}</span>
      {mayRetry && (
        <Button isIdle={retry.isPending} onClick={() => retry.mutate()}>
          {retry.isPending ? 'Sending …' : 'Try again'}
        </Button>
      )}
    </div>
  )
}
