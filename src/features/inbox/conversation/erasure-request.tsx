import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { ShortTime } from '../../../ui/date-time.tsx'
import { ConfirmDialog } from '../../../ui/dialog/dialog.tsx'
import { AreaField } from '../../../ui/form/field.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { useMayCall } from '../../../ui/me-query.ts'
import { useChange } from '../../../ui/use-call.ts'
import { erasureRequests, MAX_REASON, type ErasureRequest as Request } from '../../privacy/contract.ts'
import type { Message } from '../contract.ts'

interface ErasureRequestProps {
  readonly message: Pick<Message, 'id' | 'name'>
  readonly erasure: Request
  /** Nothing is left to show. */
  readonly onErased: () => void
}

/** The visitor asks to be erased: an admin erases, or refuses with a reason. */
export function ErasureRequest({ message, erasure, onErased }: ErasureRequestProps) {
  const [asking, setAsking] = useState<'erase' | 'refuse' | null>(null)
  const mayDecide = useMayCall()(erasureRequests.erase)
  const close = () => setAsking(null)
  const erase = useChange(erasureRequests.erase, {
    done: ({ certificate: { reference, enquiries, isEmailed } }) => ({
      title: 'Erased',
      description: `${enquiries === 1 ? 'One enquiry' : `${enquiries} enquiries`}, as ${reference}. ${isEmailed ? 'The visitor has the certificate by email.' : 'The certificate could not be emailed.'}`,
    }),
    failed: ['Not Erased', 'The server failed.'],
  })
  if (erasure.refusedAt)
    return (
      <p className="break">
        Asked to be erased. Refused <ShortTime iso={erasure.refusedAt} />: {erasure.reason}
      </p>
    )
  return (
    <section className="callout" data-kind="warning" aria-label="Request to be erased">
      <p>
        <strong>
          <bdi>{erasure.email}</bdi> asks to be erased
        </strong>
        , <ShortTime iso={erasure.requestedAt} />. {!mayDecide && 'An admin decides.'}
      </p>
      {mayDecide && (
        <div className="line wrap">
          <Button kind="danger-quiet" onClick={() => setAsking('erase')}>
            Erase …
          </Button>
          <Button onClick={() => setAsking('refuse')}>Refuse …</Button>
        </div>
      )}
      {asking === 'erase' && (
        <ConfirmDialog
          title="Erase this visitor"
          question={`Erase everything that came from ${erasure.email}: every enquiry of that address, its files and emails, and what the log says of it? This cannot be undone. An agent must keep the file of a client for seven years.`}
          action="Erase"
          isBusy={erase.isPending}
          onConfirm={() =>
            erase.mutate(
              { id: erasure.messageId },
              // Of what is merged into this, nothing else goes.
              { onSuccess: erasure.messageId === message.id ? onErased : close },
            )
          }
          onClose={close}
        />
      )}
      {asking === 'refuse' && <RefuseForm message={message} erasure={erasure} onClose={close} />}
    </section>
  )
}

function RefuseForm({
  message,
  erasure,
  onClose,
}: Pick<ErasureRequestProps, 'message' | 'erasure'> & { readonly onClose: () => void }) {
  const refuse = useChange(erasureRequests.refuse, {
    done: () => ({
      title: 'Refused',
      description: `${message.name} gets the reason by email, and reads it on the page of the enquiry`,
    }),
    failed: ['Not Refused', 'The server failed.'],
  })
  const { at, dialog } = useForm({
    start: { reason: '' },
    schema: erasureRequests.refuse.input,
    toInput: values => ({ id: erasure.messageId, ...values }),
    save: sent => refuse.mutate(sent, { onSuccess: onClose }),
    isBusy: refuse.isPending,
  })
  return (
    <FormDialog {...dialog} title="Refuse to erase" action="Refuse" onClose={onClose}>
      <AreaField
        {...at('reason')}
        label="Reason"
        hint="The visitor gets it by email, and reads it on the page of the enquiry."
        dir="auto"
        rows={4}
        maxLength={MAX_REASON}
      />
    </FormDialog>
  )
}
