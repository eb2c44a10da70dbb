import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { idOf, isList, joinPath } from '../../../content/json.ts'
import { Button } from '../../../ui/button.tsx'
import { type Field, findKind, type ListField, type ObjectKind } from '../forms/fields.ts'
import { useDocumentForm } from '../forms/form-context.ts'
import { titleOfItem } from '../forms/forms.ts'
import { ConflictAt, type FieldProps } from './field-frame.tsx'
import { DoneLine, useUndo } from './undo.tsx'

interface ListInputProps extends FieldProps<ListField> {
  readonly renderFields: (fields: readonly Field[], path: string, value: unknown) => ReactNode
}

/** A list of items: add, remove, and move with buttons or Alt+↑ and Alt+↓. What was done is read out and can be undone. */
export function ListInput({ field, path, value, renderFields }: ListInputProps) {
  const { errors, mayEdit, change } = useDocumentForm()
  const items = isList(value) ? value : []
  const edits = useListEdits(field, items, next => change(path, next))
  const list = useRef<HTMLFieldSetElement>(null)
  const { focusOn } = edits
  useEffect(() => {
    if (focusOn) list.current?.querySelector<HTMLElement>(focusOn)?.focus()
  }, [focusOn])

  return (
    <fieldset className="content-editor-items" data-field={path} ref={list}>
      <legend>{field.label}</legend>
      {field.hint && <p className="field-hint">{field.hint}</p>}
      {items.map((item, at) => (
        <Item
          key={idOf(item) ?? at}
          field={field}
          path={joinPath(path, at)}
          item={item}
          at={at}
          count={items.length}
          edits={edits}
          renderFields={renderFields}
        />
      ))}
      {errors[path] && <p className="field-error">{errors[path]}</p>}
      {mayEdit && <AddButtons field={field} onAdd={edits.add} />}
      <DoneLine done={edits.done} />
    </fieldset>
  )
}

/** More than two kinds are a menu. */
function AddButtons({ field, onAdd }: { field: ListField; onAdd: (kind: ObjectKind) => void }) {
  const { kinds, noun } = field
  const isMenu = kinds.length > 2
  const buttons = kinds.map(kind => (
    <Button key={kind.label} onClick={() => onAdd(kind)}>
      {isMenu ? kind.label : `Add ${kinds.length > 1 ? `${noun}: ${kind.label.toLowerCase()}` : noun}`}
    </Button>
  ))
  if (!isMenu) return <p className="line wrap content-editor-actions">{buttons}</p>
  return (
    <details className="content-editor-add" data-menu>
      <summary className="button">Add a {noun}</summary>
      <div className="content-editor-kinds">{buttons}</div>
    </details>
  )
}

interface ItemProps extends Pick<ListInputProps, 'renderFields'> {
  readonly field: ListField
  readonly path: string
  readonly item: unknown
  readonly at: number
  readonly count: number
  readonly edits: ReturnType<typeof useListEdits>
}

function Item({ field, path, item, at, count, edits, renderFields }: ItemProps) {
  const { mayEdit, errors, pages } = useDocumentForm()
  const title = titleOfItem(field, item)
  const kind = findKind(field.kinds, item)
  const name = `${field.noun} ${at + 1}`
  const hasError = Object.keys(errors).some(each => each.startsWith(`${path}.`))
  const [isOpen, setOpen] = useState(edits.added === idOf(item))

  function handleKey(event: KeyboardEvent) {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (!step || !event.altKey || event.ctrlKey || event.metaKey || !mayEdit) return
    event.preventDefault()
    // The innermost list moves its item.
    event.stopPropagation()
    edits.move(at, step)
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only hears the keys of the controls inside it
    <div className="content-editor-item" data-item={idOf(item)} data-field={path} onKeyDown={handleKey}>
      <details open={isOpen || hasError} onToggle={event => setOpen(event.currentTarget.open)}>
        <summary>
          <span className="content-editor-number">{at + 1}</span>{' '}
          {pages.find(({ path }) => path === title)?.title ?? title}
        </summary>
        {renderFields(kind?.fields ?? [], path, item)}
      </details>
      {mayEdit && (
        <p className="content-editor-moves">
          <MoveButton
            label={`Move ${name} up`}
            icon="↑"
            isIdle={at === 0}
            onClick={() => edits.move(at, -1)}
          />
          <MoveButton
            label={`Move ${name} down`}
            icon="↓"
            isIdle={at === count - 1}
            onClick={() => edits.move(at, 1)}
          />
          <MoveButton label={`Remove ${name}`} icon="×" isIdle={false} onClick={() => edits.remove(at)} />
        </p>
      )}
      <ConflictAt path={path} />
    </div>
  )
}

function useListEdits(
  field: ListField,
  items: readonly unknown[],
  change: (items: readonly unknown[]) => void,
) {
  const { done, apply } = useUndo(items, change)
  const [focusOn, setFocusOn] = useState<string | null>(null)
  const [added, setAdded] = useState<string | null>(null)
  const without = (now: readonly unknown[], id: string | null) => now.filter(item => idOf(item) !== id)

  function add(kind: ObjectKind) {
    const id = crypto.randomUUID()
    const next = [...items, { id, ...kind.is, ...kind.start }]
    apply(next, `Added ${field.noun} ${items.length + 1}.`, now => without(now, id))
    setAdded(id)
    setFocusOn(`[data-item="${id}"] :is(input, textarea, select, [role=textbox])`)
  }

  function remove(at: number) {
    const item = items[at]
    apply(
      items.toSpliced(at, 1),
      `Removed ${titleOfItem(field, item)}.`,
      now => now.toSpliced(at, 0, item),
      () => setFocusOn(`[data-item="${idOf(item)}"] summary`),
    )
    setFocusOn(':scope > [role=status] button')
  }

  function move(from: number, step: number) {
    const item = items[from]
    const to = from + step
    if (item === undefined || to < 0 || to >= items.length) return
    keepFocus()
    const next = items.toSpliced(from, 1).toSpliced(to, 0, item)
    const text = `Moved to place ${to + 1} of ${items.length}.`
    apply(next, text, now => without(now, idOf(item)).toSpliced(from, 0, item))
  }

  return { done, focusOn, added, add, remove, move }
}

/** An element loses the focus where the browser moves it in the document. */
function keepFocus() {
  const focused = document.activeElement
  requestAnimationFrame(() => {
    if (focused instanceof HTMLElement && focused.isConnected) focused.focus()
  })
}

export interface MoveButtonProps {
  readonly label: string
  readonly icon: string
  /** Whether there is nothing that it could do. The button keeps the focus. */
  readonly isIdle: boolean
  readonly onClick: () => void
}

export function MoveButton({ label, icon, isIdle, onClick }: MoveButtonProps) {
  return (
    <Button kind="quiet" aria-label={label} title={label} isIdle={isIdle} onClick={onClick}>
      <span aria-hidden="true">{icon}</span>
    </Button>
  )
}
