import { sql } from 'kysely'
import { lockUser } from '../../../auth/lock-user.ts'
import type { SavedViewRow } from '../../../database/conversation-tables.ts'
import { newId } from '../../../database/id.ts'
import { offMainThread } from '../../../database/sqlite/reader-thread.ts'
import type { Database } from '../../../database/tables.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { type ApiRouter, serve } from '../../../http/api-router.ts'
import { throwFieldError, throwHttpError } from '../../../http/http-error.ts'
import { type Clock, isoAfter } from '../../../platform/clock.ts'
import {
  type InboxFilter,
  MAX_READ,
  MAX_UNREAD_COUNTED,
  readFilter,
  type ViewCounts,
} from '../messages/filter-contract.ts'
import { conditionsOf, isNotMerged, listFilterOf } from '../messages/list.server.ts'
import type { Store } from '../messages/store.server.ts'
import { MAX_SAVED_VIEWS, type NewSavedView, type SavedView, savedViews } from './contract.ts'

const GONE = 'This view no longer exists'

/** Saved again as it is, it stays one: nobody knows whether a request without a reply has come. @throws {HttpError} 400, 409 */
async function addView({ db, clock }: Store, userId: string, { name, filter }: NewSavedView) {
  return await inTransaction(db, async transaction => {
    const rows = await lockViews(transaction, userId)
    const row = { id: newId(clock()), user_id: userId, name, filter: JSON.stringify(filter) }
    const same = rows.find(it => it.name === name && it.filter === row.filter)
    if (same) return toView(same)
    assertFree(rows, name)
    if (rows.length >= MAX_SAVED_VIEWS)
      throwHttpError(409, `You have ${MAX_SAVED_VIEWS} views already. Delete one first.`)
    const saved = { ...row, updated_at: isoAfter(clock) }
    await transaction.insertInto('saved_views').values(saved).execute()
    return toView(saved)
  })
}

/** @throws {HttpError} 400 when another one has the name; 404 */
async function renameView(
  { db, clock }: Store,
  userId: string,
  { id, name }: Pick<SavedView, 'id' | 'name'>,
) {
  return await inTransaction(db, async transaction => {
    const rows = await lockViews(transaction, userId)
    const row = rows.find(it => it.id === id) ?? throwHttpError(404, GONE)
    assertFree(
      rows.filter(it => it !== row),
      name,
    )
    const change = { name, updated_at: isoAfter(clock) }
    await transaction.updateTable('saved_views').set(change).where('id', '=', id).execute()
    return toView({ ...row, name })
  })
}

/** @throws {HttpError} 404 */
async function deleteView(db: Database, userId: string, id: string): Promise<void> {
  const own = db.deleteFrom('saved_views').where('id', '=', id).where('user_id', '=', userId)
  if ((await own.executeTakeFirst()).numDeletedRows === 0n) throwHttpError(404, GONE)
}

/** Which names are free, and how many there are, depends on all of them, so two changes of one person wait for each other. */
async function lockViews(transaction: Database, userId: string): Promise<SavedViewRow[]> {
  if (!(await lockUser(transaction, userId))) throwHttpError(404, 'This user no longer exists')
  return await selectViews(transaction, userId)
}

async function selectViews(db: Database, userId: string): Promise<SavedViewRow[]> {
  const own = db.selectFrom('saved_views').selectAll().where('user_id', '=', userId)
  return await own.limit(MAX_SAVED_VIEWS).execute()
}

function assertFree(others: readonly SavedViewRow[], name: string): void {
  if (others.some(other => comparable(other.name) === comparable(name)))
    throwFieldError('name', 'You have a view with this name already')
}

/** In the same case and form, with the same spaces: what looks the same is the same. */
const comparable = (name: string) => name.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ')

const byName = new Intl.Collator('en-AU', { numeric: true })

const toView = ({ id, name, filter }: SavedViewRow): SavedView => ({ id, name, filter: JSON.parse(filter) })

/** Of which there are few, as a rule: what is closed grows for ever. */
const counted = ['open', 'waiting', 'spam'] as const
type Counted = (typeof counted)[number]

/** The status of all that a view shows; undefined where it may show what is closed, or where a text or a history has to be read. */
function statusOf({ q, answeredBy, letter, status, overdue }: InboxFilter): Counted | undefined {
  if (q !== undefined || answeredBy || letter) return undefined
  return counted.find(it => it === (overdue ? (status ?? 'open') : status))
}

/**
 * Counts the messages of the views that somebody has saved, where few messages have to be read for that: all of them in one
 * statement, which reads no text.
 */
export async function countSaved(db: Database, clock: Clock, userId: string): Promise<ViewCounts['saved']> {
  const views = (await selectViews(db, userId)).map(toView).flatMap(({ id, filter: saved }) => {
    const filter = readFilter(Object.entries(saved))
    const status = statusOf(filter)
    return status ? [{ id, status, conditions: conditionsOf(listFilterOf(filter, userId, clock)) }] : []
  })
  if (views.length === 0) return {}
  const sums = views.map(
    ({ conditions, status }, at) =>
      sql`sum(case when status = ${status} and ${sql.join(conditions, sql` and `)} then 1 else 0 end) as ${sql.ref(`view${at}`)}`,
  )
  const statuses = [...new Set(views.map(({ status }) => status))]
  const select = sql<Record<string, number | string | null>>`select ${sql.join(sums)}
    from (${sql.join(statuses.map(some), sql` union all `)}) as listed where ${isNotMerged}`
  const { rows } = await offMainThread(() => select.execute(db))
  const count = (at: number) => Math.min(Number(rows[0]?.[`view${at}`] ?? 0), MAX_UNREAD_COUNTED)
  return Object.fromEntries(views.map(({ id }, at) => [id, count(at)]))
}

/** What the conditions of a list look at. An index has first whether a message was read, then its status. */
const some = (status: Counted) => sql`select * from (
  select id, status, form_type, is_read, verification, assignee_id, due_at, snoozed_until, created_at, merged_into,
    first_reply_week
  from messages where is_read in (0, 1) and status = ${status} limit ${MAX_READ}) as ${sql.ref(status)}`

export function serveSavedViews(router: ApiRouter): void {
  const { services } = router

  serve(router, savedViews.list, async (_input, { user }) => {
    const views = (await selectViews(services.db, user.id)).map(toView)
    return { views: views.sort((one, other) => byName.compare(one.name, other.name)) }
  })

  serve(router, savedViews.add, async (view, { user }) => ({ view: await addView(services, user.id, view) }))

  serve(router, savedViews.rename, async ({ viewId: id, name }, { user }) => ({
    view: await renameView(services, user.id, { id, name }),
  }))

  serve(router, savedViews.delete, async ({ viewId }, { user }) => {
    await deleteView(services.db, user.id, viewId)
    return {}
  })
}
