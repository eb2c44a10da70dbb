import { chmodSync, lstatSync, mkdirSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, parse } from 'node:path'
import { ConfigError } from '../config.ts'

/** The permissions of everybody but the owner. */
const OTHERS = 0o077
/** The sticky bit: a folder that many users share, such as /tmp. */
const STICKY = 0o1000

/**
 * Removes the permissions of all other users on the data folder and its files; an earlier version, or another program,
 * may have granted them. Links are not followed, because their targets may belong to somebody else.
 * @throws {ConfigError} for a shared folder such as /tmp
 * @returns the paths whose permissions could not be changed
 */
export function makePrivate(dataDir: string): string[] {
  mkdirSync(dataDir, { recursive: true })
  const folder = realpathSync(dataDir)
  if (isShared(folder))
    throw new ConfigError(`DATA_DIR takes a folder of Landfall's own, which ${dataDir} is not`)
  // On Windows, new folders inherit permissions, and there are no modes.
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

/** @returns whether only the owner has access now */
function closed(path: string): boolean {
  // SQLite may delete its own files meanwhile.
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found || (found.mode & OTHERS) === 0) return true
  if (found.isSymbolicLink()) return leadsToClosed(path)
  try {
    chmodSync(path, found.mode & ~OTHERS & 0o7777)
    return (lstatSync(path).mode & OTHERS) === 0
  } catch {
    // Another user's file, or a disk without modes: the caller warns the operator.
    return false
  }
}

function leadsToClosed(link: string): boolean {
  return ((statSync(link, { throwIfNoEntry: false })?.mode ?? 0) & OTHERS) === 0
}
