import { useEffect, useRef, useState } from 'react'
import { Button } from '../button.tsx'
import { Select } from '../form/field.tsx'
import { useShortcuts } from '../shortcuts.ts'

interface FilterSelectProps {
  readonly label: string
  /** The label of the option that filters nothing. */
  readonly all: string
  readonly value: string | undefined
  readonly options: Iterable<readonly [value: string, label: string]> | Readonly<Record<string, string>>
  /** Called with the empty string for all. */
  readonly onValue: (value: string) => void
}

/** A filter of a list, in the `.filters` above it. */
export function FilterSelect({ label, all, value = '', options, onValue }: FilterSelectProps) {
  const labels = new Map([['', all], ...(Symbol.iterator in options ? options : Object.entries(options))])
  return <Select aria-label={label} options={labels} value={value} onValue={onValue} />
}

interface FilterChipProps {
  readonly label: string
  readonly onRemove: () => void
}

/** A filter that is set and has no control, with which it is removed. */
export function FilterChip({ label, onRemove }: FilterChipProps) {
  return (
    <Button onClick={onRemove}>
      {label} <span aria-hidden="true">×</span>
      <span className="visually-hidden">: show others too</span>
    </Button>
  )
}

/** Milliseconds without a key press after which the search starts. */
const SEARCH_DELAY = 250
/** Characters that the API accepts. */
const MAX_SEARCH = 200

interface SearchBoxProps {
  readonly label: string
  readonly placeholder?: string
  /** What the list shows now. */
  readonly searched: string
  readonly onSearch: (text: string) => void
}

/** Searches after a pause in typing. `/` moves the focus here from anywhere, Escape clears the text. */
export function SearchBox({ label, placeholder = 'Search', searched, onSearch }: SearchBoxProps) {
  const box = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(searched)
  const [lastSearched, setLastSearched] = useState(searched)
  /** What this field has asked for and the URL does not say yet: more may be typed meanwhile. */
  const [asked, setAsked] = useState<string | null>(null)
  if (lastSearched !== searched) {
    setLastSearched(searched)
    if (searched === asked) setAsked(null)
    // The URL has changed, and not through this field: by Back, or a link.
    else if (asked === null && text.trim() !== searched) setText(searched)
  }

  function search(wanted: string) {
    if (wanted !== searched) setAsked(wanted)
    onSearch(wanted)
  }

  useEffect(() => {
    if (text.trim() === searched) return
    const timer = setTimeout(() => {
      setAsked(text.trim())
      onSearch(text.trim())
    }, SEARCH_DELAY)
    return () => clearTimeout(timer)
  }, [text, searched, onSearch])

  useShortcuts({ '/': () => box.current?.select() })

  return (
    <input
      className="control"
      ref={box}
      type="search"
      dir="auto"
      aria-label={label}
      aria-keyshortcuts="/"
      placeholder={placeholder}
      maxLength={MAX_SEARCH}
      value={text}
      onChange={event => setText(event.target.value)}
      onKeyDown={event => {
        if (event.key === 'Enter') search(text.trim())
        if (event.key !== 'Escape' || text === '') return
        event.preventDefault()
        setText('')
        search('')
      }}
    />
  )
}
