import type { Message } from './contract.ts'
import { initialsOf, stateOf, verificationBadge } from './format.ts'

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

const labels = { open: 'Open', waiting: 'Waiting', snoozed: 'Snoozed', closed: 'Closed', spam: 'Spam' }

/** Lines of each icon in a square of 12 units. */
const icons = {
  open: 'M6 1.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9z',
  waiting: 'M4 2v8M8 2v8',
  snoozed: 'M6 1.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM6 3.5V6l2 1.2',
  closed: 'M2 6.5 5 9.5 10 3',
  spam: 'M2.8 2.8l6.4 6.4M6 1.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9z',
}

function State({ state }: { readonly state: keyof typeof labels }) {
  return (
    <span className="inbox-state" data-state={state}>
      <Icon name={state} /> {labels[state]}
      <span className="inbox-by">, </span>
    </span>
  )
}

/** The first name, and initials where there is no room for it. */
function Assignee({ assignee }: Pick<Message, 'assignee'>) {
  return (
    <span
      className="inbox-assignee"
      title={assignee?.name ?? 'Unassigned'}
      data-unassigned={assignee ? undefined : ''}
    >
      <span className="inbox-assignee-name">
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
    <svg className="inbox-icon" viewBox="0 0 12 12" aria-hidden="true">
      <path d={icons[name]} />
    </svg>
  )
}
