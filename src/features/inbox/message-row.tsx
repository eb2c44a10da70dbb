import { Fragment, type KeyboardEvent } from 'react'
import { messageTypeLabels } from '../../i18n/texts.ts'
import { DateTime, ShortTime } from '../../ui/date-time.tsx'
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
  /** Whether there is no column for a date and time. */
  readonly isBrief: boolean
  /** The link to a message, to open it in another tab. */
  readonly hrefOf: (message: Message) => string
  /** Undefined when the user changes no messages. */
  readonly selection: Selection | undefined
  /** Called when a press begins. */
  readonly onPress: (message: Message) => void
}

export function MessageRow({ rowIndex, message, isOpen, isOtherOpen, isBrief, ...props }: MessageRowProps) {
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
        {isBrief ? <ShortTime iso={message.createdAt} /> : <DateTime iso={message.createdAt} />}
      </td>
      <td className="inbox-name">
        <a
          href={hrefOf(message)}
          dir="auto"
          // A finger may be about to scroll.
          onPointerDown={({ pointerType }) => pointerType === 'mouse' && props.onPress(message)}
          onClick={event => {
            if (event.metaKey || event.ctrlKey || event.shiftKey) return
            event.preventDefault()
            event.stopPropagation()
            onView(message)
          }}
        >
          {message.match?.field === 'name' ? <Marked {...message.match} /> : message.name}
        </a>
        <div className="inbox-words">
          <Tags tags={message.tags} />
          <Excerpt message={message} />
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

/** What the visitor said last; in a search, what was found, and where if the visitor did not say it. */
function Excerpt({ message: { match, excerpt } }: Pick<MessageRowProps, 'message'>) {
  const found = match && match.field !== 'name' ? match : undefined
  const place = found && places[found.field]
  const words = found ? <Marked {...found} /> : excerpt
  return (
    // From its beginning, whichever way it is written.
    <span className="inbox-excerpt" dir={place ? undefined : 'auto'}>
      {place && <span data-note={found.field === 'note' ? '' : undefined}>{place}</span>}
      {place ? <bdi>{words}</bdi> : words}
    </span>
  )
}

const places: Readonly<Partial<Record<NonNullable<Message['match']>['field'], string>>> = {
  answer: 'Answer',
  email: 'Email',
  phone: 'Phone',
  reference: 'Reference',
  tag: 'Tag',
  reply: 'Reply',
  call: 'Call',
  note: 'Note',
}

/** A text with its hits, as text only: it is somebody else's. */
function Marked({ excerpt, marks }: Pick<NonNullable<Message['match']>, 'excerpt' | 'marks'>) {
  return (
    <>
      {marks.map(({ start, end }, at) => (
        <Fragment key={start}>
          {excerpt.slice(marks[at - 1]?.end ?? 0, start)}
          <mark>{excerpt.slice(start, end)}</mark>
        </Fragment>
      ))}
      {excerpt.slice(marks.at(-1)?.end ?? 0)}
    </>
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
