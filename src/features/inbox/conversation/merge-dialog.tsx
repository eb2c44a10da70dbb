import { type FormEvent, useId, useState } from 'react'
import { messageTypeLabels } from '../../../i18n/texts.ts'
import { call } from '../../../ui/client.ts'
import { DateTime } from '../../../ui/date-time.tsx'
import { CancelButton, Dialog } from '../../../ui/dialog.tsx'
import type { OpenMessage } from '../contract.ts'
import { merge } from '../merge-contract.ts'
import { useMergeWrite } from './use-merge-write.ts'

/** Asks which of this person's other enquiries becomes part of this conversation. */
export function MergeDialog({ open, onClose }: { open: OpenMessage; onClose: () => void }) {
  const { message, samePerson } = open
  const [chosen, setChosen] = useState(samePerson[0]?.id)
  const form = useId()
  const into = useMergeWrite(
    (id: string) => call(merge.into, { id, into: message.id }),
    'Enquiries merged',
    'The enquiries could not be merged',
  )
  function submit(event: FormEvent) {
    event.preventDefault()
    if (chosen) into.mutate(chosen, { onSuccess: onClose })
  }
  return (
    <Dialog
      title="Merge one into this"
      onClose={onClose}
      isBusy={into.isPending}
      actions={
        <>
          <CancelButton />
          <button type="submit" form={form} className="button button-primary" aria-disabled={into.isPending}>
            Merge
          </button>
        </>
      }
    >
      <form id={form} onSubmit={submit}>
        <fieldset className="inbox-merge">
          <legend>It is shown in this conversation and closed. You can undo that.</legend>
          {samePerson.map(other => (
            <label key={other.id} className="check">
              <input
                type="radio"
                name="merge"
                checked={other.id === chosen}
                onChange={() => setChosen(other.id)}
              />
              <OtherWords {...other} />
            </label>
          ))}
        </fieldset>
      </form>
    </Dialog>
  )
}

function OtherWords({ formType, createdAt, excerpt }: OpenMessage['samePerson'][number]) {
  return (
    <span>
      {messageTypeLabels[formType]}, <DateTime iso={createdAt} />: <bdi>{excerpt}</bdi>
    </span>
  )
}
