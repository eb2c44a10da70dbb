import { type ReactNode, useState } from 'react'
import { messageTypeLabels, serviceLabels } from '../../../i18n/texts.ts'
import { Button, InnerLink } from '../../../ui/button.tsx'
import { ShortTime } from '../../../ui/date-time.tsx'
import { Detail, EmailAddress } from '../../../ui/detail.tsx'
import { lazily } from '../../../ui/lazy-part.ts'
import { useMayCall } from '../../../ui/me-query.ts'
import { showToast } from '../../../ui/toast/toast.ts'
import { useChange } from '../../../ui/use-call.ts'
import type { Message, OpenMessage } from '../contract.ts'
import { useVisitorLanguage } from '../language/language.tsx'
import { nameLanguage } from '../language/languages.ts'
import { describeVerification, statusLabels, toAsciiEmail } from '../list/format.ts'
import { notices } from '../notices/contract.ts'
import { useOfficeTime } from '../queries.ts'
import { snoozeNow } from '../toolbar/snooze-times.ts'
import { TagList } from '../toolbar/toolbar.tsx'
import { conversation, merge } from './contract.ts'

const MergedMessages = lazily(async () => (await import('../merging/merged.tsx')).MergedMessages)
const PersonDialog = lazily(async () => (await import('./person-dialog.tsx')).PersonDialog)
const RevokeDialog = lazily(async () => (await import('./revoke-dialog.tsx')).RevokeDialog)
const MergeDialog = lazily(async () => (await import('../merging/merge-dialog.tsx')).MergeDialog)

interface DetailsColumnProps {
  readonly open: OpenMessage
  readonly onOpen: (id: string) => void
  readonly onRemoveTag: ((tag: string) => void) | undefined
}

/** What is known of the enquiry and of the person, beside the conversation. */
export function DetailsColumn({ open, onOpen, onRemoveTag }: DetailsColumnProps) {
  const { own, hints } = split(open)
  return (
    <div className="small inbox-details">
      <State open={open} onRemoveTag={onRemoveTag} />
      <Person message={open.message} />
      <OtherEnquiries title="This person’s other enquiries" others={own} onOpen={onOpen}>
        <PersonLink key={open.message.id} open={open} onOpen={onOpen} />
      </OtherEnquiries>
      <OtherEnquiries title="Same telephone, other address" others={hints} onOpen={onOpen} />
      <MergeLink open={open} />
      {open.merged && <MergedMessages merged={open.merged} />}
    </div>
  )
}

/** What is of the same address, and what only has the same phone number, which anybody may have typed. */
function split({ samePerson }: OpenMessage) {
  return {
    own: samePerson.filter(({ isSameAddress }) => isSameAddress),
    hints: samePerson.filter(({ isSameAddress }) => !isSameAddress),
  }
}

function State({ open, onRemoveTag }: Pick<DetailsColumnProps, 'open' | 'onRemoveTag'>) {
  const { message, firstReply: first } = open
  const formatTime = useOfficeTime()
  const until = snoozeNow(message.snoozedUntil)
  return (
    <dl className="details">
      <Detail label="Status">
        {statusLabels[message.status]}
        {until && `, snoozed until ${formatTime(until)}`}
      </Detail>
      <Detail label="Assigned">{message.assignee?.name ?? 'Unassigned'}</Detail>
      <Detail label="Following">
        <Following open={open} />
      </Detail>
      <Detail label="First reply">
        {first ? <ShortTime iso={first.createdAt} /> : <Due dueAt={message.dueAt} />}
        {first?.author && `, by ${first.author.name}`}
      </Detail>
      <Detail label="Tags">
        {message.tags.length > 0 ? <TagList tags={message.tags} onRemove={onRemoveTag} /> : 'None'}
      </Detail>
    </dl>
  )
}

/** Who follows an enquiry hears of each new email, as the colleague does to whom it is assigned. */
function Following({ open }: Pick<DetailsColumnProps, 'open'>) {
  const { id } = open.message
  const isFollowing = open.isFollowing === true
  const failed = ['Error', 'This could not be changed'] as const
  const follow = useChange(notices.follow, {
    done: () => ({ title: 'Following', description: 'You get a notice of each new email' }),
    failed,
  })
  const unfollow = useChange(notices.unfollow, { done: () => ({ title: 'No longer following' }), failed })
  const { mutate, isPending } = isFollowing ? unfollow : follow
  return (
    <>
      {isFollowing ? 'Yes' : 'No'}{' '}
      <Button kind="link" isIdle={isPending} onClick={() => mutate({ id })}>
        {isFollowing ? 'Stop following' : 'Follow'}
      </Button>
    </>
  )
}

function Due({ dueAt }: Pick<Message, 'dueAt'>): ReactNode {
  if (!dueAt) return 'None yet'
  return (
    <>
      {Date.parse(dueAt) < Date.now() ? 'Overdue since ' : 'Due '}
      <ShortTime iso={dueAt} />
    </>
  )
}

function Person({ message }: { message: Message }) {
  const address = toAsciiEmail(message.email)
  const { phone, service, reference } = message
  const language = useVisitorLanguage(message)
  return (
    <>
      <h3>
        <bdi>{message.name}</bdi>
      </h3>
      <dl className="details inbox-person">
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
        {language && <Detail label="Writes in">{nameLanguage(language)}</Detail>}
        {service && <Detail label="Service">{serviceLabels[service]}</Detail>}
        <Detail label="Sender">{describeVerification(message.verification)}</Detail>
        <Detail label="Reference">
          {reference}{' '}
          <Button kind="link" onClick={() => copy(reference)}>
            Copy
          </Button>
        </Detail>
        <Detail label="Page">
          <RevokeLinks id={message.id} />
        </Detail>
      </dl>
    </>
  )
}

/** The visitor’s emails have links to a page with the enquiry. They may have been forwarded. */
function RevokeLinks({ id }: Pick<Message, 'id'>) {
  const [isAsking, setAsking] = useState(false)
  if (!useMayCall()(conversation.revokeLinks)) return 'The visitor has a link'
  return (
    <>
      <Button kind="link" onClick={() => setAsking(true)}>
        Revoke the link …
      </Button>
      {isAsking && <RevokeDialog id={id} onClose={() => setAsking(false)} />}
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
  readonly title: string
  readonly others: OpenMessage['samePerson']
  readonly children?: ReactNode
}

function OtherEnquiries({ title, others, onOpen, children }: OtherEnquiriesProps) {
  if (others.length === 0) return null
  return (
    <>
      <h3 className="inbox-others-head">
        {title} <span>{others.length}</span>
      </h3>
      <ul className="inbox-others">
        {others.map(({ id, name, email, formType, status, createdAt, excerpt }) => (
          <li key={id}>
            <InnerLink href={`?message=${id}`} onFollow={() => onOpen(id)}>
              {messageTypeLabels[formType]} · {statusLabels[status]}
            </InnerLink>
            <ShortTime iso={createdAt} />
            <span>
              <bdi>{name}</bdi>, <EmailAddress>{toAsciiEmail(email)}</EmailAddress>
            </span>
            <span className="clip quiet" dir="auto">
              {excerpt}
            </span>
          </li>
        ))}
      </ul>
      {children}
    </>
  )
}

function PersonLink({ open, onOpen }: Pick<DetailsColumnProps, 'open' | 'onOpen'>) {
  const [isReading, setReading] = useState(false)
  return (
    <>
      <Button kind="link" onClick={() => setReading(true)}>
        Read everything they wrote
      </Button>
      {isReading && <PersonDialog open={open} onOpen={onOpen} onClose={() => setReading(false)} />}
    </>
  )
}

function MergeLink({ open }: { readonly open: OpenMessage }) {
  const [isChoosing, setChoosing] = useState(false)
  const { message, samePerson } = open
  if (!useMayCall()(merge.into) || samePerson.length === 0 || message.status === 'spam') return null
  return (
    <>
      <Button kind="link" onClick={() => setChoosing(true)}>
        Merge with another
      </Button>
      {isChoosing && <MergeDialog open={open} onClose={() => setChoosing(false)} />}
    </>
  )
}
