import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../ui/client.ts'
import { CancelButton, Dialog, type ReturnsFocus } from '../../../ui/dialog/dialog.tsx'
import { useWrite } from '../../../ui/form/use-write.ts'
import { meQuery } from '../../../ui/me-query.ts'
import { showFailure, showToast } from '../../../ui/toast/toast.ts'
import { type Message, messages } from '../contract.ts'
import { MAX_TEXT } from '../conversation/contract.ts'
import { raiseVersion } from '../queries.ts'
import { refreshMessage } from '../replies/write.ts'
import { useOptions } from './use-options.ts'

interface ForwardDialogProps extends ReturnsFocus {
  readonly message: Message
  readonly onClose: () => void
}

/** Sends an enquiry to a colleague, with a comment. */
export function ForwardDialog({ message, onClose, returnTo }: ForwardDialogProps) {
  const me = useQuery(meQuery).data
  const colleagues = (useOptions()?.staff ?? []).filter(({ id }) => id !== me?.id)
  const [to, setTo] = useState('')
  const [comment, setComment] = useState('')
  const forward = useForwardTo(onClose)
  const colleague = colleagues.find(({ id }) => id === to)

  return (
    <Dialog
      title={`Forward the message from ${message.name}`}
      onClose={onClose}
      returnTo={returnTo}
      isTyped={comment !== ''}
      isBusy={forward.isPending}
      actions={
        <>
          <CancelButton />
          <button
            type="button"
            className="button button-primary"
            aria-disabled={!colleague || forward.isPending}
            onClick={() => colleague && forward.mutate({ message, colleague, comment: comment.trim() })}
          >
            {forward.isPending ? 'Forwarding …' : 'Forward'}
          </button>
        </>
      }
    >
      <label className="small inbox-tool-field">
        Colleague
        <select className="control" value={to} onChange={event => setTo(event.target.value)}>
          <option value="">Choose one</option>
          {colleagues.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label className="small inbox-tool-field">
        Comment (optional)
        <textarea
          className="control"
          rows={4}
          maxLength={MAX_TEXT}
          value={comment}
          onChange={event => setComment(event.target.value)}
        />
      </label>
    </Dialog>
  )
}

interface Forwarding {
  readonly message: Message
  readonly colleague: { readonly id: string; readonly name: string }
  readonly comment: string
}

function useForwardTo(onDone: () => void) {
  const client = useQueryClient()
  return useWrite<{ version?: number | undefined }, Forwarding>({
    mutationFn: ({ message: { id }, colleague, comment }) =>
      call(messages.forward, { id, to: colleague.id, ...(comment && { comment }) }),
    onSuccess({ version }, { message, colleague }) {
      raiseVersion(client, message.id, version)
      showToast({ title: 'Message Forwarded', description: `It was sent to ${colleague.name}.` })
      onDone()
    },
    onError: error => showFailure('Error Forwarding Message', error, 'Failed to forward message'),
    onSettled: (_reply, _error, { message }) => refreshMessage(client, message.id),
  })
}
