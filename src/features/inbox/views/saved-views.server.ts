import { lockUser } from '../../../auth/lock-user.ts'
import type { SavedViewRow } from '../../../database/conversation-tables.ts'
import { newId } from '../../../database/id.ts'
import type { Database } from '../../../database/tables.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { type ApiRouter, serve } from '../../../http/api-router.ts'
import { throwFieldError, throwHttpError } from '../../../http/http-error.ts'
import { isoAfter } from '../../../platform/clock.ts'
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
