import type { KeyboardEvent } from 'react'
import { messageTypeLabels } from '../../i18n/texts.ts'
import { DateTime } from '../../ui/date-time.tsx'
import { EmailAddress } from '../../ui/email-address.tsx'
import { RowActions } from '../../ui/row-actions.tsx'
import { rowAttribute } from '../../ui/row-focus.ts'
import { isShortcut } from '../../ui/shortcuts.ts'
import type { Message } from './contract.ts'
import { describeOverdue, toAsciiEmail } from './format.ts'
import { actionsOf, type RowHandlers } from './row-actions-of.ts'
import { RowStatus } from './row-status.tsx'
import { SelectBox } from './select-cell.tsx'
import type { Selection } from './use-selection.ts'

export interface MessageRowProps extends RowHandlers {
  readonly rowIndex: number
  readonly message: Message
  readonly isOpen: boolean
  /** Then the keys of the row rest: they might be meant for that message. */
  readonly isOtherOpen: boolean
  /** The link to a message, to open it in another tab. */
  readonly hrefOf: (message: Message) => string
  /** Undefined when the user changes no messages. */
  readonly selection: Selection | undefined
  /** Called when a press begins. */
  readonly onPress: (message: Message) => void
}

export function MessageRow({ rowIndex, message, isOpen, isOtherOpen, ...props }: MessageRowProps) {
  const { selection, hrefOf, onView, onForward, onDelete } = props
  const overdue = describeOverdue(message, Date.now())

  function handleKey(event: KeyboardEvent) {
    const toggle = selection && (({ id }: Message) => selection.toggle(id, event.shiftKey))
    // The open message has its own F.
    const act = { f: isOpen ? undefined : onForward, Delete: onDelete }[event.key]
    const action = event.key.toLowerCase() === 'x' ? toggle : isOtherOpen ? undefined : act
    if (!action || !isShortcut(event.nativeEvent)) return
    event.preventDefault()
    action(message)
  }

  return (
    <tr
      {...rowAttribute(message.id)}
      aria-rowindex={rowIndex}
      aria-current={isOpen || undefined}
      data-unread={message.isRead ? undefined : ''}
      data-selected={selection?.ids.has(message.id) ? '' : undefined}
      data-overdue={overdue === null ? undefined : ''}
      onKeyDown={handleKey}
    >
      <td className="inbox-date">
        {selection && <SelectBox message={message} selection={selection} />}
        <DateTime iso={message.createdAt} />
      </td>
      <td className="inbox-name">
        <a
          href={hrefOf(message)}
          // A finger may be about to scroll.
          onPointerDown={({ pointerType }) => pointerType === 'mouse' && props.onPress(message)}
          onClick={event => {
            if (event.metaKey || event.ctrlKey || event.shiftKey) return
            event.preventDefault()
            event.stopPropagation()
            onView(message)
          }}
        >
          <bdi>{message.name}</bdi>
        </a>
        <div className="inbox-words">
          <span className="inbox-excerpt">
            <bdi>{message.excerpt}</bdi>
          </span>
          <Tags tags={message.tags} />
        </div>
      </td>
      <td className="inbox-email">
        <EmailAddress>{toAsciiEmail(message.email)}</EmailAddress>
      </td>
      <td className="inbox-type">{messageTypeLabels[message.formType]}</td>
      <td className="inbox-status">
        <RowStatus message={message} overdue={overdue} />
      </td>
      <td className="table-actions">
        <RowActions
          about={`message from ${message.name}`}
          actions={actionsOf(message, props, isOpen || isOtherOpen)}
        />
      </td>
    </tr>
  )
}

/** As many as fit beside a name. */
const TAGS_SHOWN = 2

function Tags({ tags }: Pick<Message, 'tags'>) {
  if (tags.length === 0) return null
  return (
    <span className="inbox-tags">
      {tags.slice(0, TAGS_SHOWN).map(tag => (
        <span key={tag} className="inbox-tag">
          {tag}
        </span>
      ))}
      {tags.length > TAGS_SHOWN && (
        <span className="visually-hidden"> and {tags.slice(TAGS_SHOWN).join(', ')}</span>
      )}
    </span>
  )
}
