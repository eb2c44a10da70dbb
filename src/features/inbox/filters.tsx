import { useEffect, useRef, useState } from 'react'
import { messageTypeLabels } from '../../i18n/texts.ts'
import { FilterSelect } from '../../ui/filter-select.tsx'
import { type MessageFilter, messageTypes, verifications } from './contract.ts'

/** Milliseconds without a key press after which the search starts. */
const SEARCH_DELAY = 250
/** Characters that the API accepts. */
const MAX_SEARCH = 200

const verificationLabels = {
  verified: 'Verified',
  off: 'Not checked',
  unverified: 'Unverified',
  suspect: 'Suspect',
}

interface FiltersProps {
  readonly filter: MessageFilter
  readonly onSearch: (text: string) => void
  readonly onChange: (name: keyof MessageFilter, value: string) => void
}

export function Filters({ filter, onSearch, onChange }: FiltersProps) {
  return (
    <search className="filters">
      <SearchBox searched={filter.q ?? ''} onSearch={onSearch} />
      <FilterSelect
        label="Type"
        all="All types"
        value={filter.formType}
        options={messageTypes}
        describe={type => messageTypeLabels[type]}
        onChange={value => onChange('formType', value)}
      />
      <FilterSelect
        label="Status"
        all="Any status"
        value={filter.isRead}
        options={['false', 'true']}
        describe={isRead => (isRead === 'true' ? 'Read' : 'Unread')}
        onChange={value => onChange('isRead', value)}
      />
      <FilterSelect
        label="Bot check"
        all="All senders"
        value={filter.verification}
        options={verifications}
        describe={kind => verificationLabels[kind]}
        onChange={value => onChange('verification', value)}
      />
      {filter.letter && (
        <button type="button" className="button" onClick={() => onChange('letter', '')}>
          Email failed <span aria-hidden="true">×</span>
          <span className="visually-hidden">: show others too</span>
        </button>
      )}
    </search>
  )
}

/** Searches after a pause in typing. `/` moves the focus here from anywhere, Escape clears the text. */
function SearchBox({ searched, onSearch }: { searched: string; onSearch: (text: string) => void }) {
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

  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return
      event.preventDefault()
      box.current?.select()
    }
    document.addEventListener('keydown', focus)
    return () => document.removeEventListener('keydown', focus)
  }, [])

  return (
    <input
      className="control"
      ref={box}
      type="search"
      aria-label="Search messages"
      aria-keyshortcuts="/"
      placeholder="Search"
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

function isTyping({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.closest('input, textarea, select, dialog') !== null
}
