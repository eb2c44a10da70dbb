import { useQueryClient } from '@tanstack/react-query'
import { serviceLabels } from '../../../i18n/texts.ts'
import { Button } from '../../../ui/button.tsx'
import { call } from '../../../ui/client.ts'
import { EmailAddress } from '../../../ui/detail.tsx'
import { useWrite } from '../../../ui/form/use-write.ts'
import { useMayCall } from '../../../ui/me-query.ts'
import { showFailure, showToast } from '../../../ui/toast/toast.ts'
import type { Message, OpenMessage } from '../contract.ts'
import { type Entry, merge } from '../conversation/contract.ts'
import { SentEnquiry } from '../conversation/enquiry.tsx'
import { MergedReference } from '../history/entry-card.tsx'
import { toAsciiEmail } from '../list/format.ts'
import { outgoing, readAddresses, useOutgoing } from '../replies/outgoing.ts'

type Merged = NonNullable<OpenMessage['merged']>[number]

/** What is merged into this, each with its sender. */
export function MergedMessages({ merged }: { readonly merged: readonly Merged[] }) {
  return (
    <>
      <h3 className="inbox-others-head">
        Merged into this <span>{merged.length}</span>
      </h3>
      <ul className="inbox-others">
        {merged.map(other => (
          <li key={other.id}>
            <MergedReference {...other} />
            <Sender {...other} />
          </li>
        ))}
      </ul>
    </>
  )
}

interface MergedEnquiryProps {
  readonly merged: Merged
  /** What its visitor wrote. */
  readonly entry: Entry
  /** The one that is open. */
  readonly message: Message
}

/** An enquiry that is merged into the open message. */
export function MergedEnquiry({ merged, entry, message }: MergedEnquiryProps) {
  return (
    <SentEnquiry sent={{ ...merged, message: entry.body }} origin={merged} mail={entry} message={message}>
      <p className="quiet small">
        <Sender {...merged} /> <UndoMerge id={merged.id} />
      </p>
    </SentEnquiry>
  )
}

function UndoMerge({ id }: Pick<Merged, 'id'>) {
  const mayUndo = useMayCall()(merge.undo)
  const undo = useUndoMerge()
  return (
    mayUndo && (
      <Button kind="link" isIdle={undo.isPending} onClick={() => undo.mutate(id)}>
        Undo merge
      </Button>
    )
  )
}

/** From whom a merged enquiry came: what its visitor gave beside the message. */
function Sender({ name, email, phone, service, isSameAddress }: Merged) {
  return (
    <span className="quiet small">
      <bdi>{name}</bdi>, <EmailAddress>{toAsciiEmail(email)}</EmailAddress>
      {phone && `, ${phone}`}
      {service && `, ${serviceLabels[service]}`}
      {!isSameAddress && <strong className="inbox-hint">Other address: gets no replies</strong>}
    </span>
  )
}

/** Who could think that a reply is for them, because their enquiry is shown here, and does not get it. */
export function NoRecipients({ id, merged }: { readonly id: string; readonly merged: readonly Merged[] }) {
  const { cc } = useOutgoing(id)
  const copies = readAddresses(cc ?? '')
  const addresses = new Map(merged.map(other => [other.email.toLowerCase(), other]))
  const isCopied = (email: string) => copies.some(copy => copy.toLowerCase() === email.toLowerCase())
  const left = [...addresses.values()].filter(
    ({ email, isSameAddress }) => !isSameAddress && !isCopied(email),
  )
  return left.map(({ name, email }) => (
    <div key={email} className="line wrap small break inbox-composer-to">
      <span className="quiet small">Not to</span> <bdi>{name}</bdi>{' '}
      <EmailAddress>{toAsciiEmail(email)}</EmailAddress>
      {email && (
        <Button kind="link" onClick={() => outgoing(id).set({ cc: [...copies, email].join(', ') })}>
          Add to Cc
        </Button>
      )}
    </div>
  ))
}

/** Lists and both messages change. */
export function useMergeWrite<Input>(
  send: (input: Input) => Promise<unknown>,
  onDone: (input: Input) => void,
  failed: string,
) {
  const client = useQueryClient()
  return useWrite({
    mutationFn: send,
    onSuccess: (_reply, input) => onDone(input),
    onError: error => showFailure(failed, error, 'Please try again.'),
    onSettled: () =>
      Promise.all(['messages', 'dashboard'].map(key => client.invalidateQueries({ queryKey: [key] }))),
  })
}

/** Takes the id of what is merged into another. */
export const useUndoMerge = () =>
  useMergeWrite(
    (id: string) => call(merge.undo, { id }),
    () => showToast({ title: 'Merge undone' }),
    'The merge could not be undone',
  )
