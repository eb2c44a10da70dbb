import type { Database } from '../../database/tables.ts'
import type { SettingValues } from './contract.ts'

export interface Settings {
  /** All settings as they are now. */
  read(): Promise<SettingValues>
}

export function openSettings(db: Database, defaults: SettingValues): Settings {
  return {
    async read() {
      const rows = await db.selectFrom('settings').select(['key', 'value']).execute()
      return { ...defaults, ...Object.fromEntries(rows.map(({ key, value }) => [key, value])) }
    },
  }
}
