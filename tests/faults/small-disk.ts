import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onExit } from './on-exit.ts'

/** A separate disk that can be filled to the last byte. */
export interface SmallDisk {
  readonly folder: string
  /** Leaves no room at all. */
  fill(): void
  makeRoom(): void
  remove(): void
}

const CHUNK = Buffer.alloc(1 << 20)

/** Mounts a disk in memory, which needs root on Linux. @returns null where that is not allowed. */
export function mountSmallDisk(megabytes: number): SmallDisk | null {
  const folder = mkdtempSync(join(tmpdir(), 'landfall-disk-'))
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder])
  if (status !== 0) {
    rmSync(folder, { recursive: true })
    return null
  }
  const filler = join(folder, 'filler')
  return {
    folder,
    fill: () => fill(filler),
    makeRoom: () => rmSync(filler, { force: true }),
    remove: onExit(() => {
      // Lazily, since a process that is being killed may have files open for a moment.
      spawnSync('umount', ['--lazy', folder])
      rmSync(folder, { recursive: true, force: true })
    }),
  }
}

/** Appends until the disk is full. */
function fill(file: string) {
  const descriptor = openSync(file, 'a')
  try {
    while (statfsSync(file).bavail > 0) writeSync(descriptor, CHUNK)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  } finally {
    closeSync(descriptor)
  }
}
