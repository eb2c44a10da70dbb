import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { useSearchParams } from 'react-router'
import type { SignedInUser } from '../../auth/session.ts'
import { messageTypeLabels } from '../../i18n/texts.ts'
import { mayOpenPath, type ScreenPath } from '../../screens.ts'
import { Button } from '../../ui/button.tsx'
import { formatDay, formatShortTime, YOUR_TIME } from '../../ui/dates.ts'
import { describeGigabytes } from '../../ui/describe-bytes.ts'
import { meQuery } from '../../ui/me-query.ts'
import { ScreenHead } from '../../ui/screen-head.tsx'
import { useCall } from '../../ui/use-call.ts'
import { roleLabels } from '../users/contract.ts'
import {
  ACCOUNT_EMAILS_COUNT_FOR,
  type Attention as Counts,
  dashboard,
  MAX_COUNTED,
  type ContentTasks as Tasks,
  type UnreadMessage,
} from './contract.ts'
import { EnquiriesChart } from './enquiries-chart.tsx'
import { Figures } from './figures.tsx'
import { FirstSteps } from './first-steps.tsx'

export function Screen() {
  const { data: me } = useQuery(meQuery)
  const { data } = useCall(dashboard.read, {})
  if (!me) return null
  const tasks = data?.content && hasTasks(data.content) ? data.content : null
  const may = (path: ScreenPath) => mayOpenPath(path, me.permissions)
  return (
    <>
      <ScreenHead title="Dashboard" />
      <div className="dashboard">
        {data?.firstSteps && <FirstSteps {...data.firstSteps} />}
        {(may('/messages') || tasks) && (
          <div className="dashboard-main">
            {may('/messages') && <NewestUnread />}
            {data?.attention && <Attention {...data.attention} />}
            {tasks && <ContentTasks tasks={tasks} />}
            {may('/messages') && <Figures />}
            {may('/messages') && <EnquiriesChart />}
          </div>
        )}
        <div className="dashboard-side">
          <ProfileCard me={me} />
          {may('/users') && <UserManagement />}
          <QuickActions mayChangeSettings={may('/settings')} mayReadMessages={may('/messages')} />
        </div>
      </div>
    </>
  )
}

/** What needs attention beside the unread messages above it. Each figure links to the list of what it counts. */
export function Attention(counts: Counts) {
  const figures = figuresOf(counts).filter(({ count }) => count > 0)
  const { fileSpace } = counts
  if (figures.length === 0 && !fileSpace) return null
  return (
    <section className="panel" aria-labelledby="attention">
      <h2 id="attention">Needs attention</h2>
      <ul className="dashboard-figures">
        {figures.map(({ count, words, href }) => (
          <li key={href}>
            <a href={href}>
              <strong>{count >= MAX_COUNTED ? '1,000+' : count}</strong> {words}
            </a>
          </li>
        ))}
        {fileSpace && (
          <li>
            <a href="/settings">{describeSpace(fileSpace)}</a>
          </li>
        )}
      </ul>
    </section>
  )
}

function describeSpace({ used, most }: NonNullable<Counts['fileSpace']>) {
  if (used >= most) return `The space for files, ${describeGigabytes(most)}, is full: no more are kept`
  return (
    <>
      <strong>{Math.floor((100 * used) / most)}%</strong> of the space for files is taken,{' '}
      {describeGigabytes(used)} of {describeGigabytes(most)}
    </>
  )
}

function figuresOf({ unverified, suspect, failedEmails, failedAccountEmails, erasures }: Counts) {
  return [
    {
      count: erasures?.count ?? 0,
      words: erasures?.count === 1 ? 'visitor asks to be erased' : 'visitors ask to be erased',
      href: `/messages?message=${erasures?.firstId}`,
    },
    {
      count: failedEmails,
      words: failedEmails === 1 ? 'email that could not be sent' : 'emails that could not be sent',
      href: '/messages?letter=failed',
    },
    {
      count: unverified,
      words: 'unread, sender not verified',
      href: '/messages?verification=unverified&isRead=false',
    },
    {
      count: suspect,
      words: 'unread, may be from a bot',
      href: '/messages?verification=suspect&isRead=false',
    },
    {
      count: failedAccountEmails ?? 0,
      words: `account ${failedAccountEmails === 1 ? 'email' : 'emails'} not sent in the last ${ACCOUNT_EMAILS_COUNT_FOR} days`,
      href: '/logs?level=error&source=EmailService',
    },
  ]
}

export function NewestUnread() {
  const { data, error, isFetching, refetch } = useCall(dashboard.read, {})
  return (
    <section className="panel dashboard-newest" aria-labelledby="newest">
      <div className="line wrap between small dashboard-panel-head">
        <h2 id="newest">Newest unread</h2>
        {data?.attention && data.attention.unread > 0 && (
          <a href="/messages?isRead=false">All {describe(data.attention.unread)} unread</a>
        )}
      </div>
      {error && (
        <div role="alert">
          <p>
            <strong>The enquiries could not be loaded.</strong> {error.message}
          </p>
          <Button isIdle={isFetching} onClick={() => refetch()}>
            {isFetching ? 'Trying …' : 'Try again'}
          </Button>
        </div>
      )}
      {!error && !data?.newest && (
        <div className="skeleton dashboard-newest-loading" role="status" aria-label="Loading" />
      )}
      {data?.newest?.length === 0 && <p className="dashboard-caught-up">All caught up.</p>}
      {data?.newest && data.newest.length > 0 && (
        <ul>
          {data.newest.map(message => (
            <Unread key={message.id} {...message} />
          ))}
        </ul>
      )}
    </section>
  )
}

function Unread({ id, name, formType, excerpt, createdAt }: UnreadMessage) {
  return (
    <li>
      <a className="focus-inside small dashboard-newest-link" href={`/messages?message=${id}`}>
        <span className="line wrap dashboard-newest-top">
          <span className="clip dashboard-newest-who">
            <bdi className="dashboard-newest-name">{name}</bdi>{' '}
            <span className="quiet">{messageTypeLabels[formType]}</span>
          </span>
          <time dateTime={createdAt} title={YOUR_TIME}>
            {formatShortTime(createdAt)}
          </time>
        </span>
        <span className="clip" dir="auto">
          {excerpt}
        </span>
      </a>
    </li>
  )
}

const describe = (count: number) => (count >= MAX_COUNTED ? '1,000+' : count)

interface QuickActionsProps {
  readonly mayChangeSettings: boolean
  readonly mayReadMessages: boolean
}

/** Links to frequent tasks. Those about messages are disabled, with the reason, for staff who may not read them. */
export function QuickActions({ mayChangeSettings, mayReadMessages }: QuickActionsProps) {
  return (
    <section className="panel screen-only dashboard-quick" aria-labelledby="actions">
      <h2 id="actions">Quick Actions</h2>
      <ul className="dashboard-actions">
        <QuickAction href="/">Visit Website</QuickAction>
        {mayChangeSettings && <QuickAction href="/settings">Website Settings</QuickAction>}
        <QuickAction href={mayReadMessages ? '/messages?formType=contact' : null}>
          Contact Requests
        </QuickAction>
        <QuickAction href={mayReadMessages ? '/messages?formType=tracking' : null}>
          View Applications
        </QuickAction>
      </ul>
    </section>
  )
}

/** Disabled when `href` is null: this user may not open the page. */
function QuickAction({ href, children }: { href: string | null; children: ReactNode }) {
  const id = useId()
  return (
    <li>
      {href ? (
        <a className="line between small focus-inside dashboard-action" href={href}>
          {children}
        </a>
      ) : (
        <>
          <button
            type="button"
            className="line between small focus-inside dashboard-action"
            aria-disabled="true"
            aria-describedby={id}
          >
            {children}
          </button>
          <p className="field-hint" id={id}>
            You have no access to messages. An admin can grant it.
          </p>
        </>
      )}
    </li>
  )
}

/** The signed-in user. Edit Profile sets a URL parameter, for which the portal opens the dialog. */
export function ProfileCard({ me }: { me: SignedInUser }) {
  const [, setParams] = useSearchParams()
  return (
    <section className="panel" aria-labelledby="profile">
      <h2 id="profile">Profile</h2>
      <p className="break dashboard-profile-name">{me.name}</p>
      <p className="dashboard-profile-role">{roleLabels[me.role]}</p>
      <Button onClick={() => setParams({ profile: 'edit' })}>Edit Profile</Button>
    </section>
  )
}

export function UserManagement() {
  return (
    <section className="panel" aria-labelledby="user-management">
      <h2 id="user-management">User Management</h2>
      <p>Add, edit or delete staff accounts.</p>
      <a className="button" href="/users">
        Manage Users
      </a>
    </section>
  )
}

export function ContentTasks({ tasks }: { tasks: Tasks }) {
  const { facts, factCount, reviews, reviewCount, scheduled } = tasks
  return (
    <section className="panel" aria-labelledby="content-tasks">
      <h2 id="content-tasks">Website content</h2>
      <TaskList title="Waiting for your review" unlisted={reviewCount - reviews.length}>
        {reviews.map(({ id, title, askedBy, askedAt }) => (
          <Task key={id} href={`/content/${id}`} label={title}>
            {askedBy} asked on {formatShortTime(askedAt)}
          </Task>
        ))}
      </TaskList>
      <TaskList title="Facts to check again" unlisted={factCount - facts.length}>
        {facts.map(({ name, value, unit, reviewBy }) => (
          <Task key={name} href="/content?view=facts" label={unit ? `${value} ${unit}` : value}>
            {name}, to be checked by {formatDay(reviewBy)}
          </Task>
        ))}
      </TaskList>
      <TaskList title="Goes live next" unlisted={0}>
        {scheduled.map(({ id, title, liveFrom }) => (
          <Task key={id} href={`/content/${id}`} label={title}>
            {formatShortTime(liveFrom)}
          </Task>
        ))}
      </TaskList>
    </section>
  )
}

export function hasTasks({ facts, reviews, scheduled }: Tasks): boolean {
  return facts.length + reviews.length + scheduled.length > 0
}

interface TaskListProps {
  readonly title: string
  readonly unlisted: number
  readonly children: readonly ReactNode[]
}

function TaskList({ title, unlisted, children }: TaskListProps) {
  if (children.length === 0) return null
  return (
    <>
      <h3 className="dashboard-tasks-title">{title}</h3>
      <ul className="small dashboard-tasks">
        {children}
        {unlisted > 0 && <li className="quiet">And {unlisted} more</li>}
      </ul>
    </>
  )
}

function Task({ href, label, children }: { href: string; label: string; children: ReactNode }) {
  return (
    <li>
      <a href={href}>{label}</a> <span className="quiet">{children}</span>
    </li>
  )
}
