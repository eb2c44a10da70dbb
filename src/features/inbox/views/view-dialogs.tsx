import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../../../http/api-client.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { TextField } from '../../../ui/form/field.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { showUndoToast } from '../../../ui/toast/undo-toast.ts'
import { useChange } from '../../../ui/use-call.ts'
import type { InboxFilter } from '../messages/filter-contract.ts'
import { MAX_VIEW_NAME, type SavedView, savedViews } from './contract.ts'

const FALLBACK = 'The server failed.'

/** What is wrong with the name is said beside it. */
const isOfName = (error: Error) => error instanceof ApiError && error.errors.name !== undefined

interface SaveViewProps {
  readonly filter: InboxFilter
  readonly onClose: () => void
}

export function SaveViewDialog({ filter, onClose }: SaveViewProps) {
  const save = useChange(savedViews.add, {
    done: ({ view }) => ({ title: 'View Saved', description: view.name }),
    failed: ['View Not Saved', FALLBACK],
    isExpected: isOfName,
  })
  const { at, dialog } = useForm({
    start: { name: '' },
    schema: savedViews.add.input,
    toInput: values => ({ ...values, filter }),
    save: (view, shown) => save.mutate(view, { ...shown, onSuccess: onClose }),
    isBusy: save.isPending,
  })
  return (
    <FormDialog {...dialog} title="Save as a view" action="Save" onClose={onClose} returnTo={findLink}>
      <TextField
        {...at('name')}
        label="Name"
        hint="The search and the filters of this list, for you alone."
        autoComplete="off"
        maxLength={MAX_VIEW_NAME}
        dir="auto"
      />
    </FormDialog>
  )
}

interface EditViewsProps {
  readonly views: readonly SavedView[]
  readonly onClose: () => void
}

/** Where the views of the user get another name, and go. */
export function EditViewsDialog({ views, onClose }: EditViewsProps) {
  const [renamed, setRenamed] = useState<SavedView | null>(null)
  const list = useRef<HTMLUListElement>(null)
  const restore = useChange(savedViews.add, { failed: ['View Not Restored', FALLBACK] })
  const remove = useChange(savedViews.delete, {
    failed: ['View Not Deleted', FALLBACK],
    laneOf: ({ viewId }) => viewId,
  })

  const deleted = useRef<{ readonly id: string; readonly at: number } | null>(null)
  useEffect(() => {
    if (!deleted.current || views.some(({ id }) => id === deleted.current?.id)) return
    // The button that was pressed is gone. Pressed once more, the one that has the focus now deletes nothing.
    const rows = list.current?.children ?? []
    const row = rows[Math.min(deleted.current.at, rows.length - 1)]
    const next = row ?? list.current?.closest('dialog')?.querySelector('.dialog-actions')
    next?.querySelector('button')?.focus()
    deleted.current = null
  }, [views])

  function deleteView({ id, name, filter }: SavedView, at: number) {
    const undo = () => restore.mutate({ name, filter })
    const onSuccess = () => {
      deleted.current = { id, at }
      showUndoToast({ title: 'View Deleted', description: name, undo })
    }
    remove.mutate({ viewId: id }, { onSuccess })
  }

  if (renamed) return <RenameDialog view={renamed} onClose={() => setRenamed(null)} />
  return (
    <Dialog
      title="Saved views"
      onClose={onClose}
      returnTo={findLink}
      actions={
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      {views.length === 0 && <p>You have saved none.</p>}
      <ul className="inbox-saved-list" ref={list}>
        {views.map((view, at) => (
          <li key={view.id} className="line wrap">
            <span dir="auto">{view.name}</span>
            <Button onClick={() => setRenamed(view)}>
              Rename<span className="visually-hidden"> {view.name}</span>
            </Button>
            <Button kind="danger-quiet" onClick={() => deleteView(view, at)}>
              Delete<span className="visually-hidden"> {view.name}</span>
            </Button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

function RenameDialog({ view, onClose }: { readonly view: SavedView; readonly onClose: () => void }) {
  const rename = useChange(savedViews.rename, {
    failed: ['View Not Renamed', FALLBACK],
    isExpected: isOfName,
  })
  const { at, dialog } = useForm({
    start: { name: view.name },
    schema: savedViews.rename.input,
    toInput: values => ({ ...values, viewId: view.id }),
    save: (change, shown) => rename.mutate(change, { ...shown, onSuccess: onClose }),
    isBusy: rename.isPending,
  })
  return (
    <FormDialog {...dialog} title="Rename a view" action="Save" onClose={onClose}>
      <TextField {...at('name')} label="Name" autoComplete="off" maxLength={MAX_VIEW_NAME} dir="auto" />
    </FormDialog>
  )
}

/** What opened the dialog goes when the view is saved, or the last one deleted: the link of what is shown is beside it. */
function findLink(opener: Element | null): HTMLElement | null {
  if (opener?.isConnected) return null
  const links = document.querySelectorAll<HTMLElement>('.inbox-view[aria-current]')
  return [...links].find(link => link.checkVisibility()) ?? null
}
