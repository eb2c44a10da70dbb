import { days, isoAfter, weekIn, wholeMinutes } from '../../clock.ts'
import { officeOf } from '../../content/office.ts'
import { workingTimeBetween } from '../../content/working-time.ts'
import { offMainThread } from '../../database/sqlite/off-main-thread.ts'
import type { Services } from '../../services.ts'
import {
  AGES,
  type Age,
  ANSWERS_COUNT_FOR,
  type Figures,
  WEEKS_SHOWN,
  type Week,
} from './contract-figures.ts'
import * as store from './figures-store.server.ts'

/** Reads the figures about how the office answers, each by an index of its own: decision 047. */
export async function readFigures({ db, clock, content }: Services): Promise<Figures> {
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

/** The Mondays of the last weeks up to the present one. */
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
