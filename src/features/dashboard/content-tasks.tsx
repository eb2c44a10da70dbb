import type { ReactNode } from 'react'
import { formatDay, formatShortTime } from '../../ui/dates.ts'
import type { ContentTasks as Tasks } from './contract.ts'

/** What is to be done about the public pages, with a link to each. */
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
      <ul className="dashboard-tasks">
        {children}
        {unlisted > 0 && <li>And {unlisted} more</li>}
      </ul>
    </>
  )
}

function Task({ href, label, children }: { href: string; label: string; children: ReactNode }) {
  return (
    <li>
      <a href={href}>{label}</a> <span>{children}</span>
    </li>
  )
}
