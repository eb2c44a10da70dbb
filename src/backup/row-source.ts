import { createHash } from 'node:crypto'
import type { CopiedTable } from './copied-tables.ts'

/** A row as both engines know it. */
export type Row = Readonly<Record<string, string | number | null>>

/** All rows of a database at one moment. */
export interface Source {
  /** The last migration of the schema that the rows have. */
  readonly migration: string
  /** Rows in the order of their key, a batch at a time. */
  rows(table: CopiedTable): AsyncIterable<readonly Row[]>
  close(): Promise<void>
}

/** Called now and then while rows are read, to show progress. */
export type Progress = (what: string, count: number) => void

/** The row count and digest of a table, to verify a copy of it. */
export interface Checksum {
  readonly rows: number
  readonly sha256: string
}

/** One line for a row, the same whatever the order of its columns. */
export function toLine(row: Row): string {
  return `${JSON.stringify(Object.fromEntries(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1))))}\n`
}

/** Counts and digests lines as they pass. */
export function checksum() {
  const hash = createHash('sha256')
  let rows = 0
  return {
    add(line: string) {
      rows++
      hash.update(line)
    },
    sum: (): Checksum => ({ rows, sha256: hash.digest('hex') }),
  }
}
