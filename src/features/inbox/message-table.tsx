import { type KeyboardEvent, useRef } from 'react'
import { messageTypeLabels } from '../../i18n/texts.ts'
import { DateTime } from '../../ui/date-time.tsx'
import { EmailAddress } from '../../ui/email-address.tsx'
import { type RowAction, RowActions } from '../../ui/row-actions.tsx'
import { rowAttribute } from '../../ui/row-focus.ts'
import { useRowKeys } from '../../ui/table-navigation.ts'
import { FIRST_ROW, WindowedRows } from '../../ui/windowed-rows.tsx'
import type { Message } from './contract.ts'
import { toAsciiEmail, verificationBadge } from './format.ts'
import { SelectAllBox, SelectBox } from './select-cell.tsx'
import type { Selection } from './use-selection.ts'

interface MessageTableProps {
  readonly messages: readonly Message[]
  /** The index of the open message, whose row gets the focus when it closes. */
  readonly openAt: number
  /** Whether these are all messages of the list. */
  readonly isWhole: boolean
  /** The link to a message, to open it in another tab. */
  readonly hrefOf: (message: Message) => string
  readonly onView: (message: Message) => void
  /** Undefined when the user changes no messages. */
  readonly selection: Selection | undefined
  /** Undefined when the user may not do it. */
  readonly onForward: ((message: Message) => void) | undefined
  readonly onDelete: ((message: Message) => void) | undefined
}

const COLUMNS = ['Date', 'Name', 'Email', 'Type', 'Status', 'Actions']

/**
 * One row per message; on a phone each row is a card. Unread messages are bold and have a badge. The page holds only the
 * rows that are visible or nearly so, however long the list is.
 */
export function MessageTable({ messages, openAt, isWhole, ...actions }: MessageTableProps) {
  const keys = useRowKeys(useRef(null))
  return (
    <table className="table inbox" aria-rowcount={isWhole ? messages.length + 1 : -1} {...keys}>
      <thead>
        <tr aria-rowindex={1}>
          {COLUMNS.map(column => (
            <th key={column} scope="col">
              {column === 'Date' && actions.selection && (
                <SelectAllBox ids={messages.map(({ id }) => id)} selection={actions.selection} />
              )}
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <WindowedRows rows={messages} columns={COLUMNS.length} needed={openAt}>
        {(message, index) => (
          <Row key={message.id} rowIndex={index + FIRST_ROW} message={message} {...actions} />
        )}
      </WindowedRows>
    </table>
  )
}

interface RowProps
  extends Pick<MessageTableProps, 'selection' | 'hrefOf' | 'onView' | 'onForward' | 'onDelete'> {
  readonly rowIndex: number
  readonly message: Message
}

function Row({ rowIndex, message, selection, hrefOf, onView, onForward, onDelete }: RowProps) {
  const badge = verificationBadge(message.verification)

  function handleKey(event: KeyboardEvent) {
    const toggle = selection && (({ id }: Message) => selection.toggle(id, false))
    const action = { f: onForward, x: toggle, Delete: onDelete }[event.key]
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    action(message)
  }

  return (
    <tr
      {...rowAttribute(message.id)}
      aria-rowindex={rowIndex}
      data-unread={message.isRead ? undefined : ''}
      data-selected={selection?.ids.has(message.id) ? '' : undefined}
      onKeyDown={handleKey}
    >
      <td className="inbox-date">
        {selection && <SelectBox message={message} selection={selection} />}
        <DateTime iso={message.createdAt} />
      </td>
      <td className="cell-title">
        <a
          href={hrefOf(message)}
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
      <td className="cell-quiet">
        <span className="inbox-email">
          <EmailAddress>{toAsciiEmail(message.email)}</EmailAddress>
        </span>
      </td>
      <td className="inbox-type">{messageTypeLabels[message.formType]}</td>
      <td>
        <div className="badges">
          <span className="badge" data-kind={message.isRead ? 'quiet' : 'strong'}>
            {message.isRead ? 'Read' : 'Unread'}
          </span>
          {message.letter === 'failed' && (
            <span className="badge" data-kind="danger">
              Email failed
            </span>
          )}
          {badge && (
            <span className="badge" data-kind="warning">
              {badge}
            </span>
          )}
        </div>
      </td>
      <td className="table-actions">
        <RowActions
          about={`message from ${message.name}`}
          actions={actionsOf(message, { onView, onForward, onDelete })}
        />
      </td>
    </tr>
  )
}

type Actions = Pick<MessageTableProps, 'onView' | 'onForward' | 'onDelete'>

function actionsOf(message: Message, { onView, onForward, onDelete }: Actions): RowAction[] {
  const action = (label: string, act: (message: Message) => void): RowAction => {
    return { label, name: `${label} message from ${message.name}`, onChoose: () => act(message) }
  }
  return [
    // The row itself opens the message.
    { ...action('View', onView), isRare: true },
    ...(onForward ? [action('Forward', onForward)] : []),
    ...(onDelete ? [{ ...action('Delete', onDelete), kind: 'danger-quiet' as const }] : []),
  ]
}
