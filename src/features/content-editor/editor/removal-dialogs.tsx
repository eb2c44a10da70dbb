import { type Query, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useNavigate } from 'react-router'
import { call } from '../../../ui/client.ts'
import { ConfirmDialog } from '../../../ui/dialog/dialog.tsx'
import { useWrite } from '../../../ui/form/use-write.ts'
import { showFailure, showToast } from '../../../ui/toast/toast.ts'
import { showUndoToast } from '../../../ui/toast/undo-toast.ts'
import { keyOf, useChange } from '../../../ui/use-call.ts'
import { archive, type ContentDocument, content, STALE } from '../contract.ts'
import { useOpenEditor } from '../forms/form-context.ts'
import { forgetRow } from '../last-opened.ts'
import { useRestoreDocument } from '../queries.ts'
import { useSaveFirst } from './editor-session.ts'

interface DialogProps {
  readonly onClose: () => void
}

export function RemovalDialog({ kind, onClose }: DialogProps & { kind: 'offline' | 'delete' }) {
  return kind === 'delete' ? <DeleteDialog onClose={onClose} /> : <OfflineDialog onClose={onClose} />
}

function OfflineDialog({ onClose }: DialogProps) {
  const { open } = useOpenEditor()
  const unpublish = useChange(content.unpublish, {
    done: ({ document: { title } }) => ({
      title: 'Taken Offline',
      description: `Visitors no longer see ${title}.`,
    }),
    failed: ['Error', 'It could not be taken offline'],
  })
  const isDone = useRef(false)
  return (
    <ConfirmDialog
      title="Take this offline?"
      question="Visitors no longer find it, and a version that is scheduled does not go live. The draft stays."
      action="Take offline"
      isSafe
      isBusy={unpublish.isPending}
      onConfirm={() =>
        unpublish.mutate(
          { id: open.document.id },
          {
            onSuccess() {
              isDone.current = true
            },
            onSettled: onClose,
          },
        )
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

function DeleteDialog({ onClose }: DialogProps) {
  const { open, session } = useOpenEditor()
  const remove = useDeleteDocument()
  // So that an undo of the deletion brings back what was typed, too.
  const { isSaving, saveFirst } = useSaveFirst(session.flush)

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
        saveFirst(isSaved => (isSaved ? remove.mutate(open.document, { onError: onClose }) : refuse()))
      }
      onClose={onClose}
    />
  )
}

/** Deletes a document and goes back to the list, from where it can be undone. */
function useDeleteDocument() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const undo = useRestoreDocument()
  return useWrite({
    mutationFn: ({ id }: ContentDocument) => call(archive.delete, { id }),
    async onSuccess(_reply, { id, title }) {
      forgetRow()
      // First, or the editor would ask for a document that is no longer there.
      await navigate('/content')
      const description = `Visitors no longer see ${title}. You find it in the list under the state Deleted.`
      showUndoToast({ title: 'Page Deleted', description, undo: () => undo.mutate({ id }) })
      // Nothing of it is read again.
      const predicate = ({ queryKey }: Query) => !JSON.stringify(queryKey).includes(id)
      await Promise.all(STALE.map(path => client.invalidateQueries({ queryKey: keyOf({ path }), predicate })))
    },
    onError: error => showFailure('Error', error, 'It could not be deleted'),
  })
}
