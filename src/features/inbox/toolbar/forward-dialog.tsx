import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { AreaField, ChoiceField } from '../../../ui/form/field.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { meQuery } from '../../../ui/me-query.ts'
import type { Message } from '../contract.ts'
import { MAX_TEXT } from '../conversation/contract.ts'
import { useForward, useOptions } from '../queries.ts'

export function ForwardDialog({ message, onClose }: { message: Message; onClose: () => void }) {
  const me = useQuery(meQuery).data
  const colleagues = (useOptions()?.staff ?? []).filter(({ id }) => id !== me?.id)
  const [to, setTo] = useState('')
  const [comment, setComment] = useState('')
  const forward = useForward(onClose)
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
    >
      <ChoiceField
        label="Colleague"
        options={{ '': 'Choose one', ...Object.fromEntries(colleagues.map(({ id, name }) => [id, name])) }}
        value={to}
        onValue={setTo}
      />
      <AreaField
        label="Comment (optional)"
        rows={4}
        maxLength={MAX_TEXT}
        value={comment}
        onValue={setComment}
      />
    </FormDialog>
  )
}
