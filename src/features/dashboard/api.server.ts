import type { Authority } from '../../auth/session.ts'
import { listScheduledNext } from '../../content/live.server.ts'
import { officeOf } from '../../content/office/office.ts'
import { opensNext, openUntil, workingTimeBetween } from '../../content/office/working-time.ts'
import { listReviewsFor } from '../../content/reviews.server.ts'
import { listFactsToReview } from '../../content/store.server.ts'
import { offMainThread } from '../../database/sqlite/reader-thread.ts'
import { type ApiRouter, serve } from '../../http/api-router.ts'
import { dateIn, days, isoAfter, weekIn, wholeMinutes } from '../../platform/clock.ts'
import type { Services } from '../../services.ts'
import {
  AGES,
  type Age,
  ANSWERS_COUNT_FOR,
  type ContentTasks,
  DAYS_SHOWN,
  dashboard,
  type Figures,
  figures,
  SPACE_WARNING,
  TASKS_LISTED,
  WEEKS_SHOWN,
  type Week,
} from './contract.ts'
import { samples } from './contract-samples.ts'
import * as store from './figures-store.server.ts'
import { listHiddenSamples, readFirstSteps } from './first-steps.server.ts'
import { countAttention, countByDay, lastDays, listNewestUnread, readErasures } from './store.server.ts'

export function serveDashboard(router: ApiRouter): void {
  serve(router, dashboard.read, async (_input, reader) => {
    const [messages, content, firstSteps] = await Promise.all([
      readMessages(router.services, reader),
      listContentTasks(router.services, reader),
      readFirstSteps(router.services, reader),
    ])
    return { office: readOffice(router.services), ...messages, content, firstSteps }
  })
  serve(router, samples.list, async () => ({ missing: listHiddenSamples(router.services) }))
  serve(router, figures.read, async () => await readFigures(router.services))
}

function readOffice({ clock, content }: Services) {
  const office = officeOf(content.read().site)
  const now = clock()
  return {
    timeZone: office.timeZone,
    openUntil: openUntil(office, now)?.toISOString() ?? null,
    opensAt: opensNext(office, now)?.toISOString() ?? null,
  }
}

async function readMessages({ db, clock, mail, content, fileSpace }: Services, { permissions }: Authority) {
  if (!permissions.includes('inbox:read')) return { attention: null, newest: null, enquiries: null }
  // Days are those of the office's time zone, wherever the reader is.
  const { timeZone } = content.read().content.company
  const [counts, newest, days, transport, space, erasures] = await Promise.all([
    countAttention(db, clock()),
    listNewestUnread(db),
    countByDay(db, lastDays(clock(), DAYS_SHOWN, timeZone)),
    mail.transport(),
    permissions.includes('settings') ? fileSpace.read() : null,
    permissions.includes('inbox:manage') ? readErasures(db) : null,
  ])
  return {
    attention: {
      ...counts,
      failedAccountEmails: permissions.includes('logs') ? counts.failedAccountEmails : null,
      isMailKeptHere: permissions.includes('settings') ? transport === 'mailbox' : null,
      erasures,
      fileSpace: space && space.used >= SPACE_WARNING * space.most ? space : null,
    },
    newest,
    enquiries: { days, timeZone },
  }
}

/** What this reader has to do about the public pages. Facts are overdue by the date of the office. */
async function listContentTasks(
  { db, clock, content }: Pick<Services, 'db' | 'clock' | 'content'>,
  { user, permissions }: Authority,
): Promise<ContentTasks | null> {
  if (!permissions.includes('content:read')) return null
  const today = dateIn(clock(), content.read().content.company.timeZone)
  const [facts, reviews, scheduled] = await Promise.all([
    listFactsToReview(db, today),
    permissions.includes('content:edit') ? listReviewsFor(db, user.id) : [],
    listScheduledNext(db, clock(), TASKS_LISTED),
  ])
  return {
    facts: facts.slice(0, TASKS_LISTED),
    factCount: facts.length,
    reviews: reviews.slice(0, TASKS_LISTED),
    reviewCount: reviews.length,
    scheduled,
  }
}

/** Reads the figures about how the office answers, each by an index of its own: decision 047. */
async function readFigures({ db, clock, content }: Services): Promise<Figures> {
  const office = officeOf(content.read().site)
  const now = clock()
  const mondays = lastMondays(now, office.timeZone)
  const since = isoAfter(clock, -days(ANSWERS_COUNT_FOR))
  // Counting a hundred thousand rows takes some milliseconds, in which others are served.
  return await offMainThread(async () => {
    const [count, late, minutes, counts, people] = await Promise.all([
      store.countOverdue(db, now),
      store.listOverdue(db, now),
      store.countReplyTimes(db, mondays[0] ?? ''),
      store.countOpen(db, agesAt(now)),
      store.countAnswers(db, since),
    ])
    return {
      target: office.target === null ? null : wholeMinutes(office.target),
      overdue: {
        count,
        messages: late.map(row => ({
          ...row,
          lateBy: wholeMinutes(workingTimeBetween(office, new Date(row.dueAt), now)),
        })),
      },
      weeks: mondays.map(monday => toWeek(monday, minutes.get(monday) ?? [])),
      ages: agesAt(now).map((age, at) => ({ ...age, count: counts[at] ?? 0 })),
      answers: { since, people },
    }
  })
}

function lastMondays(now: Date, timeZone: string): string[] {
  const present = Date.parse(weekIn(now, timeZone))
  return Array.from({ length: WEEKS_SHOWN }, (_, ago) =>
    new Date(present - days(7 * ago)).toISOString().slice(0, 10),
  ).reverse()
}

/** The groups of ages, each with the interval in which its messages came. */
function agesAt(now: Date): Omit<Age, 'count'>[] {
  const before = (age: number) => isoAfter(() => now, -days(age))
  return AGES.map((from, at) => {
    const next = AGES[at + 1]
    const [oldest, youngest] = [next === undefined ? '..' : before(next), from === 0 ? '..' : before(from)]
    return { from, until: next === undefined ? null : next - 1, received: `${oldest}/${youngest}` }
  })
}

function toWeek(monday: string, times: store.ReplyTimes): Week {
  const count = times.reduce((sum, each) => sum + each.count, 0)
  return { monday, count, median: percentile(times, count, 0.5), ninetieth: percentile(times, count, 0.9) }
}

/** The shortest time within which this share was answered. */
function percentile(times: store.ReplyTimes, count: number, share: number): number | null {
  let left = Math.ceil(count * share)
  for (const time of times) {
    left -= time.count
    if (left <= 0) return time.minutes
  }
  return null
}
