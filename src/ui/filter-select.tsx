import { useEffect, useRef, useState } from 'react'
import { useShortcuts } from './shortcuts.ts'

interface FilterSelectProps<Value extends string> {
  readonly label: string
  /** The label of the option that filters nothing. */
  readonly all: string
  readonly value: Value | undefined
  readonly options: readonly Value[]
  describe(option: Value): string
  /** Called with the empty string for all. */
  readonly onChange: (value: Value | '') => void
}

/** A filter of a list, in the `.filters` above it. */
export function FilterSelect<Value extends string>({
  label,
  all,
  value,
  options,
  describe,
  onChange,
}: FilterSelectProps<Value>) {
  return (
    <select
      className="control"
      aria-label={label}
      value={value ?? ''}
      onChange={event => onChange(options.find(option => option === event.target.value) ?? '')}
    >
      <option value="">{all}</option>
      {options.map(option => (
        <option key={option} value={option}>
          {describe(option)}
        </option>
      ))}
    </select>
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
  // The URL has changed, and not through this field: by Back, or a link.
  if (lastSearched !== searched) {
    setLastSearched(searched)
    if (text.trim() !== searched) setText(searched)
  }

  useEffect(() => {
    if (text.trim() === searched) return
    const timer = setTimeout(() => onSearch(text.trim()), SEARCH_DELAY)
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
        if (event.key === 'Enter') onSearch(text.trim())
        if (event.key !== 'Escape' || text === '') return
        event.preventDefault()
        setText('')
        onSearch('')
      }}
    />
  )
}
