import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { openSnapshot, openSqlite } from '../src/backup/row-snapshot.ts'
import type { Source } from '../src/backup/row-source.ts'
import { sqliteFile } from '../src/database/open.ts'
import { throwOrphaned } from '../src/database/sqlite/database-files.ts'
import type { ErasedRow } from '../src/database/tables.ts'
import { type ErasedAgain, readErasedList } from '../src/erasure/erase-again.ts'

const UNKNOWN =
  'Who was erased after the backup is not known here. If the database before can still be read, restore with --replaces and its data folder or address; otherwise erase them again.'

/** The erase-again list of the database that is replaced; `place` is its data folder, file or address. */
export async function readReplaced(place: string | undefined): Promise<ErasedRow[]> {
  if (place === undefined) return []
  const before = await openReplaced(place)
  return await readErasedList(before).finally(() => before.close())
}

/** A data folder, an SQLite file that was moved away, or the address of a PostgreSQL database. */
async function openReplaced(place: string): Promise<Source> {
  if (/^postgres(ql)?:/.test(place)) return await openSnapshot({ dataDir: '', databaseUrl: place })
  const isFolder = statSync(place, { throwIfNoEntry: false })?.isDirectory()
  const file = isFolder ? sqliteFile({ dataDir: place }) : place
  if (!existsSync(file)) throw new Error(`There is no database to replace: ${file} does not exist`)
  // It was moved away without its log, which may have the newest erasures.
  throwOrphaned(sqliteFile({ dataDir: dirname(file) }))
  return openSqlite(file)
}

export function describeErased(
  { messages, emails, replies, mentions, deletedEntries, redactedEntries, unreadable }: ErasedAgain,
  place: string | undefined,
): string[] {
  const all = messages + emails + replies + mentions + deletedEntries + redactedEntries
  return [
    `Erased again: ${all} rows (messages: ${messages}, emails: ${emails}, stored replies: ${replies}, mentions: ${mentions}, deleted log entries: ${deletedEntries}, redacted log entries: ${redactedEntries}).`,
    ...(unreadable > 0 ? [`Entries of the list that could not be read: ${unreadable}.`] : []),
    ...(place === undefined ? [UNKNOWN] : []),
  ]
}
