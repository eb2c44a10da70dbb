import { type FoundMessages, MAX_BULK } from './bulk-contract.ts'
import type { Versions } from './use-selection.ts'

/** The messages that match, newest first: as many as one action takes. */
export interface FoundAll {
  readonly ids: readonly string[]
  readonly versions: Versions
  /** Whether no others match. */
  readonly isWhole: boolean
}

interface Run {
  readonly read: (cursor: string | undefined) => Promise<FoundMessages>
  /** Called with the number of messages that were found. */
  readonly onProgress: (found: number) => void
  readonly isStopped: () => boolean
}

/** Finds all messages that match now. @returns null when it was stopped */
export async function findAll({ read, onProgress, isStopped }: Run): Promise<FoundAll | null> {
  const found: FoundMessages['found'] = []
  let cursor: string | undefined
  do {
    const page = await read(cursor)
    if (isStopped()) return null
    found.push(...page.found)
    onProgress(Math.min(found.length, MAX_BULK))
    cursor = page.nextCursor ?? undefined
  } while (cursor && found.length <= MAX_BULK)
  const some = found.slice(0, MAX_BULK)
  return {
    ids: some.map(({ id }) => id),
    versions: Object.fromEntries(some.map(({ id, version }) => [id, version])),
    isWhole: found.length <= MAX_BULK,
  }
}
