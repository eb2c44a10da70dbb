import { chmodSync, lstatSync, mkdirSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, parse } from 'node:path'
import { ConfigError } from './config.ts'

/** What everybody but the owner may do. */
const OTHERS = 0o077
/** Its files are not deleted by others: a folder that many share, such as /tmp. */
const STICKY = 0o1000

/**
 * Takes the data folder and what is in it away from all other users of the machine: an earlier version, or another
 * program, may have let them in. Links are not followed, because what they lead to may be anybody's.
 * @throws {ConfigError} for a folder that Landfall must share, which it cannot close
 * @returns what could not be closed
 */
export function makePrivate(dataDir: string): string[] {
  mkdirSync(dataDir, { recursive: true })
  const folder = realpathSync(dataDir)
  if (isShared(folder))
    throw new ConfigError(`DATA_DIR takes a folder of Landfall's own, which ${dataDir} is not`)
  // Windows gives new folders the rights of the one above, and has no modes.
  if (process.platform === 'win32') return []
  return [folder, ...entriesOf(folder), ...entriesOf(join(folder, 'mail'))].filter(path => !closed(path))
}

function isShared(folder: string): boolean {
  const isSticky = (statSync(folder).mode & STICKY) !== 0
  return isSticky || folder === parse(folder).root || folder === realpathSync(tmpdir())
}

function entriesOf(folder: string): string[] {
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return []
  return readdirSync(folder).map(name => join(folder, name))
}

/** @returns whether only the owner can get in now. */
function closed(path: string): boolean {
  // SQLite's own files may go while we look.
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found || (found.mode & OTHERS) === 0) return true
  if (found.isSymbolicLink()) return leadsToClosed(path)
  try {
    chmodSync(path, found.mode & ~OTHERS & 0o7777)
    return (lstatSync(path).mode & OTHERS) === 0
  } catch {
    // Another user's file, or a disk without modes: the operator is told.
    return false
  }
}

function leadsToClosed(link: string): boolean {
  return ((statSync(link, { throwIfNoEntry: false })?.mode ?? 0) & OTHERS) === 0
}
