import { type ReactNode, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { Button } from '../../../ui/button.tsx'
import { call } from '../../../ui/client.ts'
import { lazily } from '../../../ui/lazy-part.ts'
import type { InboxFilter } from '../messages/filter-contract.ts'
import { type SavedView, savedViews } from './contract.ts'

const SaveViewDialog = lazily(async () => (await import('./view-dialogs.tsx')).SaveViewDialog)
const EditViewsDialog = lazily(async () => (await import('./view-dialogs.tsx')).EditViewsDialog)

export const readViews = async () => (await call(savedViews.list, {})).views

interface SavedViewsProps {
  readonly saved: readonly SavedView[]
  /** The one that the list shows. */
  readonly shown: SavedView | undefined
  /** Of the list. */
  readonly filter: InboxFilter
  /** Whether no view has that filter. */
  readonly isSavable: boolean
  readonly countOf: (id: string) => ReactNode
}

/** What the user has saved, below the fixed views of the rail, and after those above the list. */
export function SavedViews({ saved, shown, filter, isSavable, countOf }: SavedViewsProps) {
  const save = useDialog(onClose => <SaveViewDialog filter={filter} onClose={onClose} />)
  const edit = useDialog(onClose => <EditViewsDialog views={saved} onClose={onClose} />)
  const link = useRef<HTMLAnchorElement>(null)
  const shownId = shown?.id
  // On a phone it is beyond the edge of the window.
  useEffect(() => {
    if (shownId && link.current) bringIntoSight(link.current)
  }, [shownId])
  return (
    <>
      {(isSavable || saved.length > 0) && (
        <p className="inbox-saved-head">
          Saved views
          {isSavable && (
            <button type="button" className="bare" aria-label="Save as a view" onClick={save.open}>
              +
            </button>
          )}
        </p>
      )}
      {saved.map(view => (
        <a
          key={view.id}
          ref={view === shown ? link : undefined}
          className="inbox-view inbox-saved-view"
          href={`/messages?${new URLSearchParams(view.filter)}`}
          aria-current={view === shown || undefined}
        >
          <bdi>{view.name}</bdi> {countOf(view.id)}
        </a>
      ))}
      {saved.length > 0 && (
        <button type="button" className="bare inbox-view inbox-saved-edit" onClick={edit.open}>
          Edit saved views
        </button>
      )}
      {save.dialog}
      {edit.dialog}
    </>
  )
}

/** Pixels. The link before it shows that there are more. */
const BEFORE = 60

/** Moves nothing but the line that it is in, and nothing where that does not scroll. */
function bringIntoSight(link: HTMLElement) {
  const line = link.parentElement
  if (line) line.scrollLeft += link.getBoundingClientRect().left - line.getBoundingClientRect().left - BEFORE
}

/** Among the filters of the list, while they are not those of a view. */
export function SaveView({ filter }: { readonly filter: InboxFilter }) {
  const save = useDialog(onClose => <SaveViewDialog filter={filter} onClose={onClose} />)
  return (
    <>
      <Button className="inbox-save-view" onClick={save.open}>
        <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
          <path d="m12 4 2.5 5.2 5.7.8-4.1 4 1 5.7-5.1-2.7-5.1 2.7 1-5.7-4.1-4 5.7-.8z" />
        </svg>
        Save as a view
      </Button>
      {save.dialog}
    </>
  )
}

/** A dialog outside of the list of links that opens it, whose styles are not for dialogs. */
function useDialog(draw: (onClose: () => void) => ReactNode) {
  const [isOpen, setOpen] = useState(false)
  return {
    open: () => setOpen(true),
    dialog:
      isOpen &&
      createPortal(
        draw(() => setOpen(false)),
        document.body,
      ),
  }
}
