import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { messageTypeLabels } from '../../../i18n/texts.ts'
import { useMayCall } from '../../../portal/use-may-call.ts'
import { call } from '../../../ui/client.ts'
import { DateTime } from '../../../ui/date-time.tsx'
import { CancelButton, Dialog } from '../../../ui/dialog.tsx'
import { showFailure, showToast } from '../../../ui/toast.ts'
import { useWrite } from '../../../ui/use-write.ts'
import type { OpenMessage } from '../contract.ts'
import { merge } from '../merge-contract.ts'

type Other = OpenMessage['samePerson'][number]

/** Makes one of this person's other enquiries part of this conversation. */
export function MergeLink({ open }: { readonly open: OpenMessage }) {
  const [isChoosing, setChoosing] = useState(false)
  const { message, samePerson } = open
  if (!useMayCall()(merge.into) || samePerson.length === 0 || message.status === 'spam') return null
  return (
    <>
      <button type="button" className="button button-link" onClick={() => setChoosing(true)}>
        Merge one into this
      </button>
      {isChoosing && <MergeDialog open={open} onClose={() => setChoosing(false)} />}
    </>
  )
}

function MergeDialog({ open, onClose }: { open: OpenMessage; onClose: () => void }) {
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

function OtherWords({ formType, createdAt, excerpt }: Other) {
  return (
    <span>
      {messageTypeLabels[formType]}, <DateTime iso={createdAt} />: <bdi>{excerpt}</bdi>
    </span>
  )
}

/** What is merged into this, each with a button that undoes it. */
export function MergedMessages({ merged = [] }: Pick<OpenMessage, 'merged'>) {
  const mayUndo = useMayCall()(merge.undo)
  const undo = useMergeWrite(
    (id: string) => call(merge.undo, { id }),
    'Merge undone',
    'The merge could not be undone',
  )
  if (merged.length === 0) return null
  return (
    <>
      <h3 className="inbox-others-head">
        Merged into this <span>{merged.length}</span>
      </h3>
      <ul className="inbox-others">
        {merged.map(({ id, reference, formType }) => (
          <li key={id}>
            {messageTypeLabels[formType]} · {reference}
            {mayUndo && (
              <button
                type="button"
                className="button button-link"
                aria-disabled={undo.isPending}
                onClick={() => undo.mutate(id)}
              >
                Undo merge
              </button>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

/** Lists and both messages change. */
function useMergeWrite(send: (id: string) => Promise<unknown>, done: string, failed: string) {
  const client = useQueryClient()
  return useWrite({
    mutationFn: send,
    onSuccess: () => showToast({ title: done }),
    onError: error => showFailure(failed, error, 'Please try again.'),
    onSettled: () =>
      Promise.all(['messages', 'dashboard'].map(key => client.invalidateQueries({ queryKey: [key] }))),
  })
}
