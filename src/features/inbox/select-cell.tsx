import { useRef } from 'react'
import type { Message } from './contract.ts'
import { figure } from './count-words.ts'
import type { Selection } from './use-selection.ts'

/** The checkbox of a row, in its first cell. With Shift it selects everything since the last one. */
export function SelectBox({ message, selection }: { message: Message; selection: Selection }) {
  /** Whether Shift was held: a change of a checkbox does not say. */
  const isRange = useRef(false)
  return (
    <label className="inbox-select">
      <input
        type="checkbox"
        aria-label={`Select message from ${message.name}`}
        checked={selection.ids.has(message.id)}
        onClick={event => {
          isRange.current = event.shiftKey
        }}
        onChange={() => selection.toggle(message.id, isRange.current)}
      />
    </label>
  )
}

/** The checkbox of the headings, for all messages that are loaded. */
export function SelectAllBox({ ids, selection }: { ids: readonly string[]; selection: Selection }) {
  const count = ids.filter(id => selection.ids.has(id)).length
  return (
    <label className="inbox-select">
      <input
        type="checkbox"
        ref={input => {
          if (input) input.indeterminate = count > 0 && count < ids.length
        }}
        aria-label={`Select the ${figure(ids.length)} enquiries shown`}
        checked={count > 0 && count === ids.length}
        onChange={event => selection.replace(event.target.checked ? ids : [])}
      />
    </label>
  )
}
