import { Fragment, type KeyboardEvent, useRef } from 'react'
import { messageTypeLabels } from '../../../i18n/texts.ts'
import { InnerLink } from '../../../ui/button.tsx'
import { DateTime, ShortTime } from '../../../ui/date-time.tsx'
import { EmailAddress } from '../../../ui/detail.tsx'
import { type RowAction, RowActions, rowAttribute } from '../../../ui/list/row-actions.tsx'
import { isShortcut } from '../../../ui/shortcuts.ts'
import type { Message } from '../contract.ts'
import { LanguageLabel } from '../language/language.tsx'
import { assign, nextStatus } from '../toolbar/snooze-times.ts'
import type { ChangeRequest } from '../toolbar/use-change.ts'
import {
  describeOverdue,
  figure,
  initialsOf,
  stateOf,
  statusLabels,
  toAsciiEmail,
  verificationBadge,
} from './format.ts'
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
        <InnerLink
          className="clip"
          href={hrefOf(message)}
          dir="auto"
          // A finger may be about to scroll.
          onPointerDown={({ pointerType }) => pointerType === 'mouse' && props.onPress(message)}
          onFollow={() => onView(message)}
        >
          {message.match?.field === 'name' ? <Marked {...message.match} /> : message.name}
        </InnerLink>
        <div className="inbox-words">
          <span className="inbox-tags">
            <LanguageLabel message={message} />
            {message.files && <Files count={message.files} />}
            <Tags tags={message.tags} />
          </span>
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
    <span className="clip quiet tiny inbox-excerpt" dir={place ? undefined : 'auto'}>
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

function Files({ count }: { readonly count: number }) {
  return (
    <span className="quiet tiny inbox-files" title={`${count} ${count === 1 ? 'file' : 'files'}`}>
      <Icon name="file" /> {count}
      <span className="visually-hidden"> {count === 1 ? 'file' : 'files'}</span>
    </span>
  )
}

/** As many as fit beside a name. */
const TAGS_SHOWN = 2

function Tags({ tags }: Pick<Message, 'tags'>) {
  return (
    <>
      {tags.slice(0, TAGS_SHOWN).map(tag => (
        <span key={tag} className="clip quiet inbox-tag">
          {tag}
        </span>
      ))}
      {tags.length > TAGS_SHOWN && (
        <span className="visually-hidden"> and {tags.slice(TAGS_SHOWN).join(', ')}</span>
      )}
    </>
  )
}

/** What is unread, late or wrong, then what is to be done and by whom. */
export function RowStatus({
  message,
  overdue,
}: {
  readonly message: Message
  readonly overdue: string | null
}) {
  const verification = verificationBadge(message.verification)
  return (
    <>
      <span className="inbox-labels">
        <span className="badge inbox-read" data-kind={message.isRead ? 'quiet' : 'strong'}>
          {message.isRead ? 'Read' : 'Unread'}
        </span>{' '}
        {overdue && (
          <span className="badge" data-kind="danger">
            <Icon name="snoozed" /> {overdue}
          </span>
        )}{' '}
        {message.letter === 'failed' && (
          <span className="badge inbox-warning" data-kind="danger">
            Email failed
          </span>
        )}{' '}
        {verification && (
          <span className="badge inbox-warning" data-kind="warning">
            {verification}
          </span>
        )}
        <State state={stateOf(message, Date.now())} />
      </span>
      <Assignee assignee={message.assignee} />
    </>
  )
}

/** Lines of each icon in a square of 12 units. */
const icons = {
  open: 'M6 1.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9z',
  waiting: 'M4 2v8M8 2v8',
  snoozed: 'M6 1.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM6 3.5V6l2 1.2',
  closed: 'M2 6.5 5 9.5 10 3',
  file: 'M4 6l3-3a1.5 1.5 0 0 1 2 2L5 9a2.5 2.5 0 0 1-3.5-3.5L5 2',
  spam: 'M2.8 2.8l6.4 6.4M6 1.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9z',
}

function State({ state }: { readonly state: ReturnType<typeof stateOf> }) {
  return (
    <span className={state === 'open' ? 'visually-hidden' : 'quiet tiny inbox-state'} data-state={state}>
      <Icon name={state} /> {statusLabels[state]}
      <span className="inbox-by">, </span>
    </span>
  )
}

/** The first name, and initials where there is no room for it. */
function Assignee({ assignee }: Pick<Message, 'assignee'>) {
  return (
    <span
      className="quiet tiny inbox-assignee"
      title={assignee?.name ?? 'Unassigned'}
      data-unassigned={assignee ? undefined : ''}
    >
      <span className={assignee ? 'inbox-assignee-name' : 'visually-hidden'}>
        {assignee ? <bdi>{assignee.name.split(' ')[0]}</bdi> : 'Unassigned'}
      </span>
      <span className="inbox-initials" aria-hidden="true">
        {assignee ? initialsOf(assignee.name) : '–'}
      </span>
    </span>
  )
}

function Icon({ name }: { readonly name: keyof typeof icons }) {
  return (
    <svg className="icon inbox-icon" viewBox="0 0 12 12" aria-hidden="true">
      <path d={icons[name]} />
    </svg>
  )
}

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

/** What the actions of a row do. Undefined is what the user may not do. */
export interface RowHandlers {
  readonly onView: (message: Message) => void
  readonly onReply: ((message: Message) => void) | undefined
  readonly onChange: ((change: ChangeRequest) => void) | undefined
  readonly onForward: ((message: Message) => void) | undefined
  readonly onDelete: ((message: Message) => void) | undefined
  readonly myId: string | undefined
}

/** All are in the menu. Beside an open message, the buttons are those of answering one after the other. */
export function actionsOf(message: Message, handlers: RowHandlers, isBeside: boolean): RowAction[] {
  const { onView, onReply, onForward, onDelete } = handlers
  const about = `message from ${message.name}`
  const action = (
    label: string,
    act: ((message: Message) => void) | undefined,
    more: Partial<RowAction> = {},
  ) => (act ? [{ label, name: `${label} ${about}`, onChoose: () => act(message), ...more }] : [])
  return [
    // The row itself opens the message.
    ...action('View', onView, { isRare: true }),
    ...action('Reply', onReply, { name: `Reply to ${about}`, kind: isBeside ? 'quiet' : 'primary' }),
    ...changesOf(message, handlers).map(change => ({ ...change, isRare: !isBeside })),
    ...action('Forward', onForward, { isRare: isBeside }),
    ...action('Delete', onDelete, { isRare: isBeside, kind: 'danger-quiet' }),
  ]
}

function changesOf(message: Message, { onChange, myId }: RowHandlers): RowAction[] {
  if (!onChange) return []
  const about = `message from ${message.name}`
  const next = nextStatus(message)
  const take = myId !== undefined && myId !== message.assignee?.id && assign(message, myId, 'Assigned to you')
  return [
    ...(take ? [{ label: 'Assign', name: `Assign ${about} to me`, onChoose: () => onChange(take) }] : []),
    {
      label: next.label.replace(' enquiry', ''),
      name: `${next.label}: ${about}`,
      onChoose: () => onChange(next.change),
    },
  ]
}
