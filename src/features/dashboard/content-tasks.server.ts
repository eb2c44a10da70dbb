import type { Authority } from '../../auth/session.ts'
import { dateIn } from '../../clock.ts'
import { listFactsToReview } from '../../content/facts.server.ts'
import { listScheduledNext } from '../../content/live.server.ts'
import { listReviewsFor } from '../../content/reviews.server.ts'
import type { Services } from '../../services.ts'
import { type ContentTasks, TASKS_LISTED } from './contract.ts'

/** What this reader has to do about the public pages. Facts are overdue by the date of the office. */
export async function listContentTasks(
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
