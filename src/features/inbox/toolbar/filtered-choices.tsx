import { type ReactNode, useRef, useState } from 'react'
import { beginsWith } from '../list/format.ts'
import { MenuItem } from './tool-menu.tsx'

interface Choice {
  readonly key: string
  /** What is looked for in it. */
  readonly label: string
  readonly isCurrent?: boolean
  readonly onChoose: () => void
}

interface FilteredChoicesProps {
  readonly label: string
  readonly choices: readonly Choice[]
  /** Called with what is typed, on Enter, in place of the first choice. */
  readonly onEnter?: (typed: string) => void
  /** Between the field and the choices. */
  readonly children?: (typed: string) => ReactNode
}

/** The choices of a menu: those whose words begin with what is typed. Enter takes the first. */
export function FilteredChoices({ label, choices, onEnter, children }: FilteredChoicesProps) {
  const [typed, setTyped] = useState('')
  const place = useRef<HTMLDivElement>(null)
  const found = choices.filter(choice => beginsWith(choice.label, typed))

  function enter() {
    const menu = place.current?.closest('details')
    if (onEnter) onEnter(typed.trim())
    else found[0]?.onChoose()
    // Like a press on a choice, which closes it.
    if (menu && (onEnter ? typed.trim() : found[0])) menu.open = false
  }

  return (
    <div ref={place}>
      <label className="small inbox-tool-field">
        {label}
        <input
          className="control"
          value={typed}
          autoComplete="off"
          spellCheck={false}
          onChange={event => setTyped(event.target.value)}
          onKeyDown={event => {
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
            event.preventDefault()
            enter()
          }}
        />
      </label>
      {children?.(typed.trim())}
      {found.map(({ key, label: words, isCurrent = false, onChoose }) => (
        <MenuItem key={key} isCurrent={isCurrent} onChoose={onChoose}>
          <bdi>{words}</bdi>
        </MenuItem>
      ))}
      {found.length === 0 && typed && (
        <p className="quiet small inbox-tool-none">Nothing begins with this.</p>
      )}
    </div>
  )
}
