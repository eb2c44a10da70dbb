import { useRef } from 'react'
import { ConfirmDialog } from '../../../ui/dialog/dialog.tsx'
import { showToast } from '../../../ui/toast/toast.ts'
import type { ContentDocument } from '../contract.ts'
import { useDeleteDocument, useUnpublish } from '../queries.ts'
import { useSaveFirst } from './use-save-first.ts'

interface DialogProps {
  readonly document: ContentDocument
  /** Saves what is typed, so that an undo of a deletion brings that back too. */
  readonly save: () => Promise<boolean>
  readonly onClose: () => void
}

/** Asks before a document goes offline, or is deleted. */
export function RemovalDialog({ kind, ...props }: DialogProps & { kind: 'offline' | 'delete' }) {
  return kind === 'delete' ? <DeleteDialog {...props} /> : <OfflineDialog {...props} />
}

function OfflineDialog({ document: { id }, onClose }: Omit<DialogProps, 'save'>) {
  const unpublish = useUnpublish()
  const isDone = useRef(false)
  return (
    <ConfirmDialog
      title="Take this offline?"
      question="Visitors no longer find it, and a version that is scheduled does not go live. The draft stays."
      action="Take offline"
      isSafe
      isBusy={unpublish.isPending}
      onConfirm={() =>
        unpublish.mutate(id, {
          onSuccess() {
            isDone.current = true
          },
          onSettled: onClose,
        })
      }
      onClose={onClose}
      // The button goes with what is live.
      returnTo={opener =>
        isDone.current || !(opener instanceof HTMLElement) ? document.querySelector('h1') : opener
      }
    />
  )
}

const UNSAVED = 'Your last changes could not be saved, so nothing was deleted.'

function DeleteDialog({ document, save, onClose }: DialogProps) {
  const remove = useDeleteDocument()
  const { isSaving, saveFirst } = useSaveFirst(save)

  function refuse() {
    showToast({ title: 'Not Deleted', description: UNSAVED, kind: 'error' })
    onClose()
  }

  return (
    <ConfirmDialog
      title="Delete this?"
      question="Visitors no longer find it. Its versions are kept as a record of what the site said, and the list has it under the state Deleted, from where you can bring it back."
      action="Delete"
      isBusy={isSaving || remove.isPending}
      onConfirm={() =>
        saveFirst(isSaved => (isSaved ? remove.mutate(document, { onError: onClose }) : refuse()))
      }
      onClose={onClose}
    />
  )
}
