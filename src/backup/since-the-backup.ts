import { z } from 'zod'
import { isScheduled } from '../content/live.server.ts'
import type { Transaction } from '../database/transaction.ts'
import { parseRows } from '../erasure/in-pages.ts'
import { encryptedKeys, isDetail, isEncrypted, settingKeys } from '../features/settings/contract.ts'
import { type Clock, isoAfter } from '../platform/clock.ts'
import type { Source } from './row-snapshot.ts'

/**
 * What admins set. Other rows of the table say what became of this database, such as when its retention last ran; and a name
 * and a phone of a backup from before they were part of the site are moved there by the next start.
 */
const keys: readonly string[] = [...new Set<string>([...settingKeys, ...encryptedKeys])].filter(
  key => !isDetail(key),
)
/** Of which nothing is shown, and which say only how the others were proven. */
const unnamed: readonly string[] = ['mail_waiting', 'mail_tested', 'set_up_link']

const Setting = z.object({ key: z.string(), value: z.string(), updated_at: z.string() })
export type SettingRow = z.output<typeof Setting>

export async function readSettings(source: Source): Promise<SettingRow[]> {
  const found = await parseRows(source.rows({ name: 'settings', key: ['key'] }), Setting)
  return found.filter(({ key }) => keys.includes(key))
}

/**
 * Gives the restored database the settings that the replaced one had last: those of the backup may send enquiries to
 * somebody who has left, or emails through an account that was given up. @returns what differs, for the operator
 */
export async function takeOverSettings(transaction: Transaction, last: readonly SettingRow[]) {
  const before = await listSettings(transaction)
  await transaction.deleteFrom('settings').where('key', 'in', keys).execute()
  for (const row of last) await transaction.insertInto('settings').values(row).execute()
  const [old, now] = [before, last].map(rows => new Map(rows.map(({ key, value }) => [key, value])))
  return keys
    .filter(key => !unnamed.includes(key) && old?.get(key) !== now?.get(key))
    .map(key => `${describe(key, now?.get(key))} (in the backup: ${describeValue(key, old?.get(key))})`)
}

/** The settings of a database, for the operator. */
export async function describeSettings(transaction: Transaction): Promise<string[]> {
  const rows = await listSettings(transaction)
  return rows.filter(({ key }) => !unnamed.includes(key)).map(({ key, value }) => describe(key, value))
}

async function listSettings(transaction: Transaction): Promise<SettingRow[]> {
  const rows = transaction.selectFrom('settings').select(['key', 'value', 'updated_at'])
  return await rows.where('key', 'in', keys).orderBy('key').execute()
}

const describe = (key: string, value: string | undefined) => `${key}: ${describeValue(key, value)}`

function describeValue(key: string, value: string | undefined): string {
  if (value === undefined) return 'not set'
  // That it is empty is encrypted too.
  return isEncrypted(key) ? 'a secret' : JSON.stringify(value)
}

/** The migration that created the publications. */
const FIRST_WITH_CONTENT = '0018-content'

const Publication = z.object({
  id: z.number(),
  document_id: z.string(),
  cancelled_at: z.nullable(z.string()),
})

/** @returns the publications that are not cancelled, as `nameOf` calls them */
export async function readPublications(source: Source): Promise<ReadonlySet<string>> {
  if (source.migration < FIRST_WITH_CONTENT) return new Set()
  const table = { name: 'content_publications', key: ['id'], isNumbered: true } as const
  const found = await parseRows(source.rows(table), Publication)
  return new Set(found.filter(row => row.cancelled_at === null).map(nameOf))
}

/** Ids count the publications of one database. */
const nameOf = ({ id, document_id }: Pick<z.output<typeof Publication>, 'id' | 'document_id'>) =>
  `${id} ${document_id}`

/**
 * Cancels what was scheduled when the backup was made and may have been cancelled since: what somebody withdrew must not go
 * live by itself. @param kept the publications that still stood; null when that is not known: then all are cancelled
 * @param madeAt when the database was left @returns them, for the operator
 */
export async function cancelSchedules(
  transaction: Transaction,
  clock: Clock,
  kept: ReadonlySet<string> | null,
  madeAt: string,
): Promise<string[]> {
  const scheduled = await transaction
    .selectFrom('content_publications as publication')
    .innerJoin('content_documents as document', 'document.id', 'publication.document_id')
    .select(['publication.id', 'publication.document_id', 'publication.live_from', 'document.path'])
    .where('publication.cancelled_at', 'is', null)
    .where(isScheduled(madeAt))
    .orderBy('publication.live_from')
    .orderBy('publication.id')
    .execute()
  const ended = scheduled.filter(row => !kept?.has(nameOf(row)))
  for (const { id } of ended)
    await transaction
      .updateTable('content_publications')
      .set({ cancelled_at: isoAfter(clock) })
      .where('id', '=', id)
      .execute()
  return ended.map(({ path, live_from }) => `${path}, for ${live_from}`)
}
