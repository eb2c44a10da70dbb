import { figure } from '../list/format.ts'
import type { Versions } from '../list/use-selection.ts'
import { type FoundMessages, MAX_BULK } from './contract.ts'

/** The messages that match, newest first: as many as one action takes. */
export interface FoundAll {
  readonly ids: readonly string[]
  readonly versions: Versions
  /** Whether no others match. */
  readonly isWhole: boolean
  /** What is said of them. */
  readonly text: string
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
  const isWhole = found.length <= MAX_BULK
  return {
    ids: some.map(({ id }) => id),
    versions: Object.fromEntries(some.map(({ id, version }) => [id, version])),
    isWhole,
    text: describe(some.length, isWhole),
  }
}

function describe(found: number, isWhole: boolean): string {
  const count = figure(found)
  if (isWhole) return `All ${count} that match selected`
  return `The newest ${count} selected. More match: one action takes ${count} at most, so do the others after these.`
}
