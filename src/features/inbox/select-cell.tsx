import { useRef } from 'react'
import type { Message } from './contract.ts'
import type { Selection } from './use-selection.ts'

/** The checkbox of a row. With Shift it selects everything since the last one. */
export function SelectCell({ message, selection }: { message: Message; selection: Selection }) {
  /** Whether Shift was held: a change of a checkbox does not say. */
  const isRange = useRef(false)
  return (
    <td className="inbox-select">
      <label>
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
    </td>
  )
}

/** The checkbox of the heading, for all messages that are loaded. */
export function SelectAllCell({ ids, selection }: { ids: readonly string[]; selection: Selection }) {
  const count = ids.filter(id => selection.ids.has(id)).length
  return (
    <th scope="col" className="inbox-select">
      <label>
        <input
          ref={input => {
            if (input) input.indeterminate = count > 0 && count < ids.length
          }}
          type="checkbox"
          aria-label={`Select the ${ids.length.toLocaleString('en-AU')} messages shown`}
          checked={count > 0 && count === ids.length}
          onChange={event => selection.replace(event.target.checked ? ids : [])}
        />
      </label>
    </th>
  )
}
