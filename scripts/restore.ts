import '../src/umask.ts'
import { existsSync, statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { openArchive } from '../src/backup/archive.ts'
import { restore } from '../src/backup/restore.ts'
import { openSnapshot, openSqlite } from '../src/backup/snapshot.ts'
import type { Source } from '../src/backup/source.ts'
import { type Config, readConfig } from '../src/config.ts'
import { openDatabase, sqliteFile } from '../src/database/open.ts'
import type { ErasedRow } from '../src/database/tables.ts'
import { type ErasedAgain, eraseAgain, hasList, readErasedList } from '../src/erasure/erase-again.ts'
import { insertErased } from '../src/erasure/erased-list.ts'
import { throwLocked } from '../src/folder-lock.ts'
import { findErasedKeys } from '../src/keys.ts'
import { doLongWork } from './long-work.ts'

const UNKNOWN =
  'Who was erased after the backup is not known here. If the database before can still be read, restore with --replaces and its data folder or address; otherwise erase them again.'

/**
 * Makes the database of a new installation from a backup, and compares the two: `npm run restore -- FILE`. With
 * `--replaces`, the data folder, file or address of the database before, what was erased there since is left out as well.
 */
await doLongWork(async ({ progress, signal }) => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { replaces: { type: 'string' }, 'keep-erased': { type: 'boolean', default: false } },
  })
  const [file] = positionals
  if (!file) throw new Error('Say what from: npm run restore -- landfall.backup')
  const config = readConfig(process.env)
  if (!config.databaseUrl) throwLocked(config.dataDir)
  const since = values.replaces === undefined ? [] : await readReplaced(values.replaces)
  const archive = await openArchive(file)
  const isForced = values['keep-erased']
  const { source, leftOut } = eraseAgain(archive, { since, keys: findErasedKeys(config), isForced })
  const held = await restore(source, config, progress, signal).finally(() => archive.close())
  if (!hasList(archive)) await keepList(config, since)
  const rows = [...held.values()].reduce((sum, holding) => sum + holding.rows, 0)
  return [
    `${rows.toLocaleString('en-AU')} rows were restored, and compared with the backup. Start Landfall with the secret key of then.`,
    ...describe(leftOut),
    ...(values.replaces === undefined ? [UNKNOWN] : []),
  ].join('\n')
})

async function readReplaced(place: string): Promise<ErasedRow[]> {
  const before = await openReplaced(place)
  return await readErasedList(before).finally(() => before.close())
}

/** A data folder, an SQLite file that was moved away, or the address of a PostgreSQL database. */
async function openReplaced(place: string): Promise<Source> {
  if (/^postgres(ql)?:/.test(place)) return await openSnapshot({ dataDir: '', databaseUrl: place })
  const isFolder = statSync(place, { throwIfNoEntry: false })?.isDirectory()
  const file = isFolder ? sqliteFile({ dataDir: place }) : place
  if (!existsSync(file)) throw new Error(`There is no database to replace: ${file} does not exist`)
  return openSqlite(file)
}

/** A backup of a version without the list has no place for it until its schema is of today. */
async function keepList(config: Config, list: readonly ErasedRow[]) {
  const db = await openDatabase(config)
  await insertErased(db, list).finally(() => db.destroy())
}

function describe({ messages, emails, answers, lines, rewrittenLines, unreadable }: ErasedAgain): string[] {
  const all = messages + emails + answers + lines + rewrittenLines
  return [
    `Erased again: ${all} rows (messages: ${messages}, emails: ${emails}, kept answers: ${answers}, log lines: ${lines}, rewritten log lines: ${rewrittenLines}).`,
    ...(unreadable > 0 ? [`Entries of the list that could not be read: ${unreadable}.`] : []),
  ]
}
