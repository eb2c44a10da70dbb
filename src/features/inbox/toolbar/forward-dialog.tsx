import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../ui/client.ts'
import type { ReturnsFocus } from '../../../ui/dialog/dialog.tsx'
import { Select } from '../../../ui/form/field.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
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
    <FormDialog
      title={`Forward the message from ${message.name}`}
      action="Forward"
      busy="Forwarding …"
      isTyped={comment !== ''}
      isBusy={forward.isPending}
      isReady={colleague !== undefined}
      onSubmit={() => colleague && forward.mutate({ message, colleague, comment: comment.trim() })}
      onClose={onClose}
      returnTo={returnTo}
    >
      <label className="small inbox-tool-field">
        Colleague
        <Select
          options={{ '': 'Choose one', ...Object.fromEntries(colleagues.map(({ id, name }) => [id, name])) }}
          value={to}
          onValue={setTo}
        />
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
    </FormDialog>
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
