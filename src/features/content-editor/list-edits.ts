import { useRef, useState } from 'react'
import type { ListField, ObjectKind } from './fields.ts'
import { titleOfItem } from './forms.ts'
import { idOf } from './json.ts'

interface Done {
  readonly text: string
  readonly undo: () => void
}

/** The changes of a list, each of which can be undone, also after others have changed the list. */
export function useListEdits(
  field: ListField,
  items: readonly unknown[],
  change: (items: readonly unknown[]) => void,
) {
  const [done, setDone] = useState<Done | null>(null)
  /** What gets the focus once it is rendered. */
  const [focusOn, setFocusOn] = useState<string | null>(null)
  const [added, setAdded] = useState<string | null>(null)
  /** The list at the time of the undo. */
  const latest = useRef(items)
  latest.current = items

  function add(kind: ObjectKind) {
    const id = crypto.randomUUID()
    change([...items, { id, ...kind.is, ...kind.start }])
    setAdded(id)
    setFocusOn(`[data-item="${id}"] :is(input, textarea, select, [role=textbox])`)
    setDone({ text: `Added ${field.noun} ${items.length + 1}.`, undo: () => removeId(id) })
  }

  function removeId(id: string | null) {
    change(latest.current.filter(item => idOf(item) !== id))
    setDone(null)
  }

  function remove(at: number) {
    const item = items[at]
    change(items.toSpliced(at, 1))
    setFocusOn('[data-undo]')
    const undo = () => {
      change(latest.current.toSpliced(at, 0, item))
      setDone(null)
      setFocusOn(`[data-item="${idOf(item)}"] summary`)
    }
    setDone({ text: `Removed ${titleOfItem(field, item)}.`, undo })
  }

  function move(from: number, step: number) {
    const item = items[from]
    const to = from + step
    if (item === undefined || to < 0 || to >= items.length) return
    keepFocus()
    change(items.toSpliced(from, 1).toSpliced(to, 0, item))
    const undo = () => {
      const rest = latest.current.filter(each => idOf(each) !== idOf(item))
      change(rest.toSpliced(from, 0, item))
      setDone(null)
    }
    setDone({ text: `Moved to place ${to + 1} of ${items.length}.`, undo })
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
