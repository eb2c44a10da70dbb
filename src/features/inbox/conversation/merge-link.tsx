import { lazy, Suspense, useState } from 'react'
import { useMayCall } from '../../../portal/use-may-call.ts'
import type { OpenMessage } from '../contract.ts'
import { merge } from '../merge-contract.ts'

/** Loaded when it is opened. */
const MergeDialog = lazy(async () => ({ default: (await import('./merge-dialog.tsx')).MergeDialog }))

/** Makes one conversation of this enquiry and another. */
export function MergeLink({ open }: { readonly open: OpenMessage }) {
  const [isChoosing, setChoosing] = useState(false)
  const { message, samePerson } = open
  if (!useMayCall()(merge.into) || samePerson.length === 0 || message.status === 'spam') return null
  return (
    <>
      <button type="button" className="button button-link" onClick={() => setChoosing(true)}>
        Merge with another
      </button>
      <Suspense>{isChoosing && <MergeDialog open={open} onClose={() => setChoosing(false)} />}</Suspense>
    </>
  )
}
