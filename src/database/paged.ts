import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { offMainThread } from './sqlite/reader-thread.ts'

interface Page {
  /** Columns of an index. Together they are unique. */
  readonly order: readonly string[]
  readonly direction: 'asc' | 'desc'
  /** Their values in the last row of the page before. */
  readonly after: readonly (string | number)[] | undefined
  readonly limit: number
}

/**
 * One page of a query, by key: the last page costs as much as the first. @returns its rows, and the last of them if there
 * are more after it
 */
export async function paged<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  { order, direction, after, limit }: Page,
): Promise<{ rows: Row[]; last: Row | undefined }> {
  const columns = order.map(column => sql.ref(column))
  const comparison = direction === 'asc' ? sql`>` : sql`<`
  const rows = await query
    .$if(after !== undefined, select =>
      select.where(sql<SqlBool>`(${sql.join(columns)}) ${comparison} (${sql.join(after ?? [])})`),
    )
    .orderBy(sql.join(columns.map(column => sql`${column} ${sql.raw(direction)}`)))
    // One more than requested shows whether there is a next page.
    .limit(limit + 1)
    .execute()
  return { rows: rows.slice(0, limit), last: rows.length > limit ? rows[limit - 1] : undefined }
}

/** Consecutive matches of a list, in its order. */
export interface Chunk<Found> {
  readonly found: readonly Found[]
  /** The cursor from which to continue; null at the end of the list. */
  readonly next: string | null
}

/** The most rows that one call reads. */
const MAX_SCANNED = 20_000
/** Milliseconds after which a call reads no other chunk, so that it answers within 50 when texts are long, too. */
const SCAN_TIME = 10
/**
 * Rows of a chunk. What every call reads is in small ones, because on SQLite others wait for each, and the rows may have
 * the longest texts; the following ones are read only while there is time.
 */
const CHUNK = { small: 125, large: 500 }
/** Rows that a call reads even if that takes long, so that a page is mostly full on a busy machine, too. */
export const ALWAYS_SCANNED = 500

interface ChunkLimits {
  /** Rows that the chunk reads. */
  readonly size: number
  /** The time after which nothing more is read, as `performance.now()` has it. */
  readonly end: number
}

interface Scan<Found> {
  readonly from: string | undefined
  readonly limit: number
  /** Rows that are read even if that takes long. */
  readonly atLeast?: number
  readonly readChunk: (from: string | undefined, limit: number, limits: ChunkLimits) => Promise<Chunk<Found>>
}

/**
 * Finds the next `limit` rows that match, where no index finds them. Reads at most a fixed number of rows: where matches are
 * far apart it returns fewer, perhaps none, and `next` is where the following call continues.
 */
export async function scan<Found>({
  from,
  limit,
  atLeast = ALWAYS_SCANNED,
  readChunk,
}: Scan<Found>): Promise<Chunk<Found>> {
  // The time depends on the texts that are compared, so it must not block the main thread.
  return await offMainThread(async () => {
    const end = performance.now() + SCAN_TIME
    const found: Found[] = []
    let next: string | null | undefined = from
    for (let scanned = 0, size = 0; scanned < MAX_SCANNED && next !== null; scanned += size) {
      if (scanned >= atLeast && performance.now() > end) break
      size = scanned < atLeast ? CHUNK.small : CHUNK.large
      const chunk: Chunk<Found> = await readChunk(next, limit - found.length, { size, end })
      found.push(...chunk.found)
      next = chunk.next
      if (found.length === limit) break
    }
    return { found, next: next ?? null }
  })
}
