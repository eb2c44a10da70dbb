import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import * as z from 'zod/mini'
import { Email } from '../../../http/common-schemas.ts'
import { call } from '../../../ui/client.ts'
import { TextField } from '../../../ui/form/field.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useWrite } from '../../../ui/form/use-write.ts'
import { showFailure } from '../../../ui/toast/toast.ts'
import { type Message, messages } from '../contract.ts'
import { refreshMessage, updateCached } from '../queries.ts'

interface CorrectAddressProps {
  readonly message: Message
  /** What its button says. */
  readonly action: string
  readonly onCorrected?: () => void
  readonly onClose: () => void
}

/** Corrects the address that replies go to, or adds one. */
export function CorrectAddress({ message, action, onCorrected, onClose }: CorrectAddressProps) {
  const { id, email: old, version } = message
  const client = useQueryClient()
  const [email, setEmail] = useState(old)
  const [isTried, setTried] = useState(false)
  const checked = z.safeParse(Email, email)
  const error = !checked.success
    ? checked.error.issues[0]?.message
    : checked.data === old
      ? 'This is the address that it has'
      : undefined
  const correct = useWrite({
    mutationFn: () => call(messages.change, { id, version, email: email.trim() }),
    onSuccess({ message: changed }) {
      updateCached(client, id, changed)
      onCorrected?.()
      onClose()
    },
    onError: failure => showFailure('The address could not be corrected', failure, 'Please try again.'),
    onSettled: () => refreshMessage(client, id),
  })
  return (
    <FormDialog
      title={`${old ? 'Correct the' : 'Add an'} address ${old ? 'of' : 'for'} ${message.name}`}
      action={action}
      isTyped={email !== old}
      isBusy={correct.isPending}
      onSubmit={() => {
        setTried(true)
        if (!error) correct.mutate()
      }}
      onClose={onClose}
    >
      <TextField
        label="Email"
        hint={`Replies go there from now on.${old && ' The history keeps the old address.'}`}
        type="email"
        autoComplete="off"
        spellCheck={false}
        error={isTried ? error : undefined}
        value={email}
        onValue={setEmail}
      />
    </FormDialog>
  )
}
