import { z } from 'zod'
import type { Transaction } from '../database/transaction.ts'
import { encryptedKeys, isEncrypted, settingKeys } from '../features/settings/contract.ts'
import type { Source } from './row-snapshot.ts'

/** What admins set. Other rows of the table say what became of this database, such as when its retention last ran. */
const keys: readonly string[] = [...new Set<string>([...settingKeys, ...encryptedKeys])]
/** Of which nothing is shown, and which say only how the others were proven. */
const unnamed: readonly string[] = ['mail_waiting', 'mail_tested']

const Setting = z.object({ key: z.string(), value: z.string(), updated_at: z.string() })
export type SettingRow = z.output<typeof Setting>

export async function readSettings(source: Source): Promise<SettingRow[]> {
  const found: SettingRow[] = []
  for await (const batch of source.rows({ name: 'settings', key: ['key'] }))
    found.push(...z.array(Setting).parse(batch))
  return found.filter(({ key }) => keys.includes(key))
}

/**
 * Gives the restored database the settings that the replaced one had last: those of the backup may send enquiries to
 * somebody who has left, or emails through an account that was given up. @returns what differs, for the operator
 */
export async function takeOverSettings(
  transaction: Transaction,
  last: readonly SettingRow[],
): Promise<string[]> {
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
