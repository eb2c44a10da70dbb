import { useId, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { CancelButton, Dialog } from '../../../ui/dialog/dialog.tsx'
import { EmptyState } from '../../../ui/list/list-states.tsx'
import type { OpenDocument } from '../contract.ts'
import { useDocumentForm } from '../forms/form-context.ts'

type Target = OpenDocument['pages'][number]

interface PagePickerProps {
  /** The address in the field, which somebody may also have typed. */
  readonly address: string
  readonly onChoose: (address: string) => void
}

/** Below the field of an address: what it leads to, and all pages of this site to choose from. */
export function PagePicker({ address, onChoose }: PagePickerProps) {
  const { pages } = useDocumentForm()
  const [isOpen, setOpen] = useState(false)
  const target = pages.find(({ path }) => path === address.split(/[?#]/, 1)[0])
  return (
    <div className="line wrap small content-editor-target">
      {target && (
        <span className="quiet">
          {target.title}
          {!target.isLive && ': visitors do not see it yet, and in a menu no link to it'}
        </span>
      )}
      <Button kind="link" onClick={() => setOpen(true)}>
        Choose a page
      </Button>
      {isOpen && (
        <PageDialog
          pages={pages}
          onClose={() => setOpen(false)}
          onChoose={path => {
            setOpen(false)
            onChoose(path)
          }}
        />
      )}
    </div>
  )
}

/** Pages that are listed at once: of more, people type a word of the title. */
const MAX_LISTED = 50

interface PageDialogProps {
  readonly pages: readonly Target[]
  readonly onChoose: (path: string) => void
  readonly onClose: () => void
}

function PageDialog({ pages, onChoose, onClose }: PageDialogProps) {
  const id = useId()
  const [typed, setTyped] = useState('')
  const found = findPages(pages, typed)
  const shown = found.slice(0, MAX_LISTED)
  const left = found.length - shown.length
  return (
    <Dialog title="Choose a page" onClose={onClose} actions={<CancelButton />}>
      <div className="field">
        <label htmlFor={id}>Title or address</label>
        <input
          id={id}
          className="control"
          type="search"
          autoComplete="off"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          onKeyDown={event => {
            const [only] = shown
            if (event.key !== 'Enter') return
            event.preventDefault()
            if (only && (shown.length === 1 || typed !== '')) onChoose(only.path)
          }}
        />
      </div>
      <p className="quiet small" role="status">
        {left > 0 ? `${left} more: type a word of the title.` : `${found.length} found.`}
      </p>
      {shown.length === 0 && (
        <EmptyState title="No such page" hint="An address of another site can be typed into the field." />
      )}
      <ul className="content-editor-pages">
        {shown.map(({ path, title, isLive }) => (
          <li key={path}>
            <button type="button" className="content-editor-page" onClick={() => onChoose(path)}>
              <bdi>{title || 'Without a title'}</bdi>{' '}
              {!isLive && (
                <span className="badge" data-kind="quiet">
                  Not live yet
                </span>
              )}
              <span className="quiet tiny content-editor-path">{path}</span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

/** Those that have every word, those whose title begins with it first. Exported for its test. */
export function findPages(pages: readonly Target[], typed: string): readonly Target[] {
  const plain = (text: string) =>
    text
      .normalize('NFKD')
      .replace(/\p{Mn}/gu, '')
      .toLowerCase()
  const words = plain(typed).split(/\s+/).filter(Boolean)
  const found = pages.filter(({ path, title }) => {
    const text = plain(`${title} ${path}`)
    return words.every(word => text.includes(word))
  })
  const [first] = words
  if (first === undefined) return found
  const begins = ({ title }: Target) => plain(title).startsWith(first)
  return [...found.filter(begins), ...found.filter(page => !begins(page))]
}
