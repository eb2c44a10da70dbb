import { lazy, Suspense, useState } from 'react'
import { messageTypeLabels } from '../../../i18n/texts.ts'
import { useMayCall } from '../../../portal/use-may-call.ts'
import { call } from '../../../ui/client.ts'
import type { OpenMessage } from '../contract.ts'
import { merge } from '../merge-contract.ts'
import { useMergeWrite } from './use-merge-write.ts'

/** Loaded when it is opened. */
const MergeDialog = lazy(async () => ({ default: (await import('./merge-dialog.tsx')).MergeDialog }))

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
      <Suspense>{isChoosing && <MergeDialog open={open} onClose={() => setChoosing(false)} />}</Suspense>
    </>
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
