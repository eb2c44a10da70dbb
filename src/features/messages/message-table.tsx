import { type KeyboardEvent, useEffect, useState } from 'react'
import { formatDateTime } from '../../ui/dates.ts'
import { useVisibleRows } from '../../ui/visible-rows.ts'
import { type Message, typeLabels } from './contract.ts'
import { doubtOf, plainAddress } from './words.ts'

interface MessageTableProps {
  readonly messages: readonly Message[]
  /** Whether these are all there are, as far as is known. */
  readonly isWhole: boolean
  /** Where a message is opened by its address, for whoever opens it beside this. */
  readonly addressOf: (message: Message) => string
  readonly onView: (message: Message) => void
  readonly onForward: (message: Message) => void
  readonly onDelete: (message: Message) => void
  /** The window comes near the end of what is here. */
  readonly onNearEnd: () => void
}

const COLUMNS = ['Date', 'Name', 'Email', 'Type', 'Status', 'Actions']
/** Rows before the end at which more are asked for: a screen full of them. */
const NEAR_END = 30

/**
 * A row a message; on a phone each row is a card. Unread ones are bold, and say so. However long the list, the page
 * holds only the rows that are in sight, and the one with the focus.
 */
export function MessageTable({ messages, isWhole, onNearEnd, ...actions }: MessageTableProps) {
  const [active, setActive] = useState<number | null>(null)
  const [isMoving, setMoving] = useState(false)
  const { holder, rows, gapAfter, end } = useVisibleRows(messages.length, active)
  const isNearEnd = end > messages.length - NEAR_END

  useEffect(() => {
    if (isNearEnd) onNearEnd()
  }, [isNearEnd, onNearEnd])

  // The row that arrow keys lead to may have to be drawn before it can have the focus.
  useEffect(() => {
    if (!isMoving || active === null) return
    holder.current?.querySelector<HTMLElement>(`[aria-rowindex="${active + HEAD}"] a`)?.focus()
    setMoving(false)
  }, [isMoving, active, holder])

  function press(event: KeyboardEvent, index: number, message: Message) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const target = { ArrowDown: index + 1, ArrowUp: index - 1 }[event.key]
    const action = { f: actions.onForward, Delete: actions.onDelete }[event.key]
    if (target === undefined && !action) return
    event.preventDefault()
    action?.(message)
    if (target === undefined) return
    setActive(Math.max(0, Math.min(target, messages.length - 1)))
    setMoving(true)
  }

  return (
    <table className="table inbox" aria-rowcount={isWhole ? messages.length + 1 : -1}>
      <thead>
        <tr aria-rowindex={1}>
          {COLUMNS.map(column => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={holder}>
        {rows.flatMap(({ index, gapBefore }) => {
          const message = messages[index]
          if (!message) return []
          return [
            gapBefore > 0 && <Gap key={`before ${message.id}`} height={gapBefore} />,
            <Row
              key={message.id}
              index={index}
              message={message}
              {...actions}
              onFocus={() => setActive(index)}
              onKeyDown={event => press(event, index, message)}
            />,
          ]
        })}
        {gapAfter > 0 && <Gap height={gapAfter} />}
      </tbody>
    </table>
  )
}

/** The number of the first row, counted from 1, behind that of the headings. */
const HEAD = 2

/** The room of rows that are out of sight. */
function Gap({ height }: { height: number }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: there is nothing in it that could have the focus
    <tr className="table-gap" aria-hidden="true">
      <td colSpan={COLUMNS.length} height={height} />
    </tr>
  )
}

interface RowProps extends Pick<MessageTableProps, 'addressOf' | 'onView' | 'onForward' | 'onDelete'> {
  readonly index: number
  readonly message: Message
  readonly onFocus: () => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}

function Row({ index, message, addressOf, onView, onForward, onDelete, onFocus, onKeyDown }: RowProps) {
  const doubt = doubtOf(message.verification)
  const keys = { onFocus, onKeyDown }
  return (
    <tr aria-rowindex={index + HEAD} data-unread={message.isRead ? undefined : ''}>
      <td data-label="Date" className="table-fixed">
        {formatDateTime(message.createdAt)}
      </td>
      <td data-label="Name">
        <a
          href={addressOf(message)}
          {...keys}
          onClick={event => {
            if (event.metaKey || event.ctrlKey || event.shiftKey) return
            event.preventDefault()
            event.stopPropagation()
            onView(message)
          }}
        >
          <bdi>{message.name}</bdi>
        </a>
      </td>
      <td data-label="Email">{plainAddress(message.email)}</td>
      <td data-label="Type" className="table-fixed">
        {typeLabels[message.formType]}
      </td>
      <td data-label="Status" className="inbox-status">
        <span className="badge" data-kind={message.isRead ? 'quiet' : 'strong'}>
          {message.isRead ? 'Read' : 'Unread'}
        </span>
        {message.letter === 'failed' && <span className="badge">Letter failed</span>}
        {doubt && <span className="badge">{doubt}</span>}
      </td>
      <td className="table-actions">
        <RowButton label="View" message={message} onClick={onView} {...keys} />
        <RowButton label="Forward" message={message} onClick={onForward} {...keys} />
        <RowButton label="Delete" message={message} onClick={onDelete} {...keys} />
      </td>
    </tr>
  )
}

function RowButton({
  label,
  message,
  onClick,
  ...keys
}: {
  label: string
  message: Message
  onClick: (message: Message) => void
  onFocus: () => void
  onKeyDown: (event: KeyboardEvent) => void
}) {
  return (
    <button
      type="button"
      className="button button-quiet"
      aria-label={`${label} message from ${message.name}`}
      onClick={() => onClick(message)}
      {...keys}
    >
      {label}
    </button>
  )
}
