import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { type AfterRestore, type LastState, readLastState } from '../src/backup/after-restore.ts'
import { openSnapshot, openSqlite, type Source } from '../src/backup/row-snapshot.ts'
import { sqliteFile, throwOrphaned } from '../src/database/open.ts'
import type { ErasedRow } from '../src/database/tables.ts'
import { type ErasedAgain, readErasedList } from '../src/erasure/erase-again.ts'

const UNKNOWN =
  'Who was erased after the backup is not known here. If the database before can still be read, restore with --replaces and its data folder or address; otherwise erase them again.'

/** What a restore needs of the database that is replaced. */
interface Replaced {
  /** Its erase-again list. */
  readonly erased: readonly ErasedRow[]
  /** Null when it is not known. */
  readonly last: LastState | null
}

/** @param place its data folder, file or address */
export async function readReplaced(place: string | undefined): Promise<Replaced> {
  if (place === undefined) return { erased: [], last: null }
  const before = await openReplaced(place)
  try {
    return { erased: await readErasedList(before), last: await readLastState(before) }
  } finally {
    await before.close()
  }
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

export function describeAccess(done: AfterRestore): string[] {
  const { cancelled, changedSettings, settings } = done
  return [
    `Everybody is signed out. Users deleted again: ${done.deletedUsers}. Users with the address, password and permissions of later: ${done.changedUsers}. API tokens deleted: ${done.deletedTokens}.`,
    `Emails to visitors that waited in the backup and are not sent: ${done.heldEmails}. Emails with links and codes deleted: ${done.deletedEmails}.`,
    ...(cancelled.length > 0
      ? [
          'Schedules that were withdrawn since, or may have been. Schedule again what is to go live:',
          ...indent(cancelled),
        ]
      : []),
    ...(changedSettings
      ? [`Settings of later than the backup: ${changedSettings.length}.`, ...indent(changedSettings)]
      : [
          'The settings are those of the backup. Check where enquiries go and how emails are sent:',
          ...indent(settings),
        ]),
    'Check who has access before you start Landfall. Users:',
    ...indent(done.users),
    ...(done.tokens.length > 0 ? ['API tokens:', ...indent(done.tokens)] : ['API tokens: none']),
  ]
}

const indent = (lines: readonly string[]) => lines.map(line => `  ${line}`)
