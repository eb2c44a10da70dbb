import { useQueryClient } from '@tanstack/react-query'
import { Button } from '../../../ui/button.tsx'
import { call } from '../../../ui/client.ts'
import { useWrite } from '../../../ui/form/use-write.ts'
import { useMayCall } from '../../../ui/me-query.ts'
import { showFailure, showToast } from '../../../ui/toast/toast.ts'
import { type Message, messages } from '../contract.ts'
import { refreshMessage, updateCached } from '../queries.ts'

/** Why the email to staff was not sent, and the button that sends it again. */
export function RetryNotice({ message, reason }: { message: Message; reason: string | null }) {
  const retry = useRetry()
  const mayRetry = useMayCall()(messages.retry)
  return (
    <div className="line wrap inbox-email-failed">
      {reason && <q>{reason}</q>}
      {mayRetry && (
        <Button isIdle={retry.isPending} onClick={() => retry.mutate(message)}>
          {retry.isPending ? 'Sending …' : 'Retry'}
        </Button>
      )}
    </div>
  )
}

/** Milliseconds to wait before each check whether an email was sent: a provider replies within seconds. */
const POLL_DELAYS = [300, 700, 1500, 3000]

/** Sends a failed email again, and waits a few seconds for the result. */
function useRetry() {
  const client = useQueryClient()
  return useWrite({
    mutationFn: async ({ id }: Pick<Message, 'id'>) => {
      await call(messages.retry, { id })
      return await awaitDelivery(id)
    },
    onSuccess(status, { id }) {
      updateCached(client, id, { letter: status })
      if (status === 'sent')
        showToast({ title: 'Email Sent', description: 'The email to staff has been sent.' })
      else showToast({ title: 'Email Queued', description: 'The email to staff is being sent again.' })
    },
    onError: error => showFailure('Error Sending Email', error, 'Failed to send the email again'),
    onSettled: (_status, _error, { id }) => refreshMessage(client, id),
  })
}

async function awaitDelivery(id: string): Promise<Message['letter']> {
  for (const wait of POLL_DELAYS) {
    await new Promise(resolve => setTimeout(resolve, wait))
    const [message] = (await call(messages.rows, { ids: id })).messages
    if (message && message.letter !== 'waiting') return message.letter
  }
  return 'waiting'
}
