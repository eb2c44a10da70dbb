import type { ReactNode } from 'react'
import { messageTypeLabels, serviceLabels } from '../../../i18n/texts.ts'
import { DateTime } from '../../../ui/date-time.tsx'
import { Detail } from '../../../ui/detail.tsx'
import { EmailAddress } from '../../../ui/email-address.tsx'
import { showToast } from '../../../ui/toast.ts'
import type { Message, OpenMessage } from '../contract.ts'
import { describeVerification, toAsciiEmail } from '../format.ts'
import { MergedMessages, MergeLink } from './merge-link.tsx'
import { snoozeNow } from './snooze-times.ts'
import { TagList } from './tag-menu.tsx'
import { useOfficeTime } from './use-options.ts'

interface DetailsColumnProps {
  readonly open: OpenMessage
  readonly onOpen: (id: string) => void
  /** Undefined when the user may not do it. */
  readonly onRemoveTag: ((tag: string) => void) | undefined
}

/** What is known of the enquiry and of the person, beside the conversation. */
export function DetailsColumn({ open, onOpen, onRemoveTag }: DetailsColumnProps) {
  return (
    <div className="inbox-details">
      <State open={open} onRemoveTag={onRemoveTag} />
      <Person message={open.message} />
      <OtherEnquiries others={open.samePerson} onOpen={onOpen} />
      <MergeLink open={open} />
      <MergedMessages merged={open.merged} />
    </div>
  )
}

/** The folded details in one line. */
export function DetailsSummary({ samePerson }: OpenMessage) {
  const count = samePerson.length
  if (count === 0) return 'Details'
  return (
    <>
      Details and{' '}
      <strong>
        {count} other {count === 1 ? 'enquiry' : 'enquiries'}
      </strong>
    </>
  )
}

export const statusLabels = { open: 'Open', waiting: 'Waiting', closed: 'Closed', spam: 'Spam' }

function State({ open, onRemoveTag }: Pick<DetailsColumnProps, 'open' | 'onRemoveTag'>) {
  const { message, entries } = open
  const formatTime = useOfficeTime()
  const until = snoozeNow(message.snoozedUntil)
  const first = entries.find(({ kind }) => kind === 'reply')
  return (
    <dl className="details">
      <Detail label="Status">
        {statusLabels[message.status]}
        {until && `, snoozed until ${formatTime(until)}`}
      </Detail>
      <Detail label="Assigned">{message.assignee?.name ?? 'Nobody'}</Detail>
      <Detail label="First reply">{first ? <FirstReply {...first} /> : <Due dueAt={message.dueAt} />}</Detail>
      <Detail label="Tags">
        {message.tags.length > 0 ? <TagList tags={message.tags} onRemove={onRemoveTag} /> : 'None'}
      </Detail>
    </dl>
  )
}

function FirstReply({ createdAt, author }: OpenMessage['entries'][number]) {
  return (
    <>
      <DateTime iso={createdAt} />
      {author && `, by ${author.name}`}
    </>
  )
}

function Due({ dueAt }: Pick<Message, 'dueAt'>): ReactNode {
  if (!dueAt) return 'None yet'
  return (
    <>
      {Date.parse(dueAt) < Date.now() ? 'Overdue since ' : 'Due '}
      <DateTime iso={dueAt} />
    </>
  )
}

function Person({ message }: { message: Message }) {
  const address = toAsciiEmail(message.email)
  const { phone, service, reference } = message
  return (
    <>
      <h3>
        <bdi>{message.name}</bdi>
      </h3>
      <dl className="details">
        <Detail label="Email">
          <a href={`mailto:${address}`}>
            <EmailAddress>{address}</EmailAddress>
          </a>
        </Detail>
        {phone && (
          <Detail label="Phone">
            <a href={`tel:${phone.replace(/[^+\d]/g, '')}`}>{phone}</a>
          </Detail>
        )}
        {service && <Detail label="Service">{serviceLabels[service]}</Detail>}
        <Detail label="Sender">{describeVerification(message.verification)}</Detail>
        <Detail label="Reference">
          {reference}{' '}
          <button type="button" className="button button-link" onClick={() => copy(reference)}>
            Copy
          </button>
        </Detail>
      </dl>
    </>
  )
}

/** A browser has no clipboard for plain HTTP, or may deny it. */
async function copy(reference: string) {
  try {
    await navigator.clipboard.writeText(reference)
    showToast({ title: 'Reference copied' })
  } catch {
    showToast({ title: 'Your browser does not allow copying', description: reference, kind: 'error' })
  }
}

interface OtherEnquiriesProps extends Pick<DetailsColumnProps, 'onOpen'> {
  readonly others: OpenMessage['samePerson']
}

function OtherEnquiries({ others, onOpen }: OtherEnquiriesProps) {
  if (others.length === 0) return null
  return (
    <>
      <h3 className="inbox-others-head">
        This person’s other enquiries <span>{others.length}</span>
      </h3>
      <ul className="inbox-others">
        {others.map(({ id, formType, status, createdAt, excerpt }) => (
          <li key={id}>
            <a
              href={`?message=${id}`}
              onClick={event => {
                if (event.metaKey || event.ctrlKey || event.shiftKey) return
                event.preventDefault()
                event.stopPropagation()
                onOpen(id)
              }}
            >
              {messageTypeLabels[formType]} · {statusLabels[status]}
            </a>
            <DateTime iso={createdAt} />
            <span className="inbox-others-excerpt">
              <bdi>{excerpt}</bdi>
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}
