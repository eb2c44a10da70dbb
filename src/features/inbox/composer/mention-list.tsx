import {
  type KeyboardEvent,
  type RefObject,
  type SyntheticEvent,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { beginsWith } from '../list/format.ts'
import { useOptions } from '../queries.ts'
import { insertAtCaret } from './text-area.tsx'

/** Colleagues that are offered at a time: who looks for another one types on. */
const MOST = 6

/** An `@` and the beginning of a name, at the end of what is before the caret. */
const BEGUN = /(?:^|[^\p{L}\p{N}._%+-])@((?:[\p{L}\p{M}\p{N}'’.-]+(?: [\p{L}\p{M}\p{N}'’.-]+)*)?)$/u

interface MentionListProps {
  readonly area: RefObject<HTMLTextAreaElement | null>
  readonly text: string
  readonly onText: (text: string) => void
}

/**
 * The colleagues whom somebody may mean who has typed an `@`. The focus stays in the text: the arrow keys choose, Enter or Tab
 * inserts, and Escape puts the list away.
 * @returns the list, what its text needs, and that text without the beginning of a name that the list is for
 */
export function useMentionList({ area, text, onText }: MentionListProps) {
  const id = useId()
  const staff = useOptions()?.staff ?? []
  /** Null while the focus is elsewhere. */
  const [caret, setCaret] = useState<number | null>(null)
  const [moved, setMoved] = useState(0)
  /** Where the `@` is whose list was put away. */
  const [closedAt, setClosedAt] = useState<number | null>(null)
  const typed = caret === null ? undefined : BEGUN.exec(text.slice(0, caret))?.[1]
  const start = caret === null || typed === undefined ? null : caret - typed.length
  const found = typed === undefined ? [] : staff.filter(({ name }) => isBegun(name, typed)).slice(0, MOST)
  const chosen = Math.min(moved, found.length - 1)
  const isWhole = found.length === 1 && found[0]?.name.toLowerCase() === typed?.toLowerCase()
  const isOpen = start !== null && start !== closedAt && found.length > 0 && !isWhole
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first of those that are found now
  useEffect(() => setMoved(0), [typed, start])
  useEffect(() => {
    if (start === null) setClosedAt(null)
  }, [start])

  // What was typed before this form was there.
  useLayoutEffect(() => {
    if (area.current && area.current === document.activeElement) setCaret(area.current.selectionEnd)
  }, [area])

  function follow({ currentTarget: { selectionStart, selectionEnd } }: SyntheticEvent<HTMLTextAreaElement>) {
    setCaret(selectionStart === selectionEnd ? selectionEnd : null)
  }

  function insert(name: string) {
    if (start === null || caret === null) return
    area.current?.setSelectionRange(start, caret)
    const inserted = name + (caret === text.length ? ' ' : '')
    insertAtCaret(area, inserted, onText)
    setCaret(start + inserted.length)
    setClosedAt(start)
  }

  function onKeyDown(event: KeyboardEvent) {
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event
    if (!isOpen || event.nativeEvent.isComposing || ctrlKey || metaKey || altKey || shiftKey) return
    const step = { ArrowDown: 1, ArrowUp: found.length - 1 }[key]
    const name = found[chosen]?.name
    if (step !== undefined) setMoved((chosen + step) % found.length)
    else if (key === 'Escape') setClosedAt(start)
    else if ((key === 'Enter' || key === 'Tab') && name) insert(name)
    else return
    event.preventDefault()
  }

  const attributes = {
    onKeyDown,
    onSelect: follow,
    // What is dictated or pasted selects nothing.
    onInput: follow,
    onBlur: () => setCaret(null),
    'aria-autocomplete': 'list',
    ...(isOpen && { 'aria-controls': id, 'aria-activedescendant': `${id}${chosen}` }),
  } as const
  const list = isOpen && (
    <Colleagues id={id} names={found.map(({ name }) => name)} chosen={chosen} onChoose={insert} />
  )
  const settled = isOpen && caret !== null ? text.slice(0, start - 1) + text.slice(caret) : text
  return { attributes, list, settled }
}

/** With a space in it, it is the beginning of the whole name: `@Ana an` may go on as `@Ana and`. */
const isBegun = (name: string, typed: string) =>
  typed.includes(' ') ? name.toLowerCase().startsWith(typed.toLowerCase()) : beginsWith(name, typed)

interface ColleaguesProps {
  readonly id: string
  readonly names: readonly string[]
  readonly chosen: number
  readonly onChoose: (name: string) => void
}

function Colleagues({ id, names, chosen, onChoose }: ColleaguesProps) {
  const list = useRef<HTMLDivElement>(null)
  // Above the text, which may be at the edge of what is in sight.
  useEffect(() => {
    list.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <div className="inbox-mentions">
      <div className="menu-panel" ref={list} role="listbox" aria-label="Colleagues" id={id}>
        {names.map((name, at) => (
          <button
            // Two may have the same name.
            // biome-ignore lint/suspicious/noArrayIndexKey: they are in the same order for as long as they are there
            key={`${at} ${name}`}
            type="button"
            role="option"
            id={`${id}${at}`}
            className="menu-item"
            tabIndex={-1}
            aria-selected={at === chosen}
            dir="auto"
            // The focus stays in the text.
            onMouseDown={event => event.preventDefault()}
            onClick={() => onChoose(name)}
          >
            {name}
          </button>
        ))}
      </div>
    </div>
  )
}
