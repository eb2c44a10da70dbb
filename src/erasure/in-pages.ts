import { z } from 'zod'

/** Rows read, or deleted, by one statement. */
export const AT_ONCE = 1000
/** Values of one statement; both engines take far more. */
const VALUES_AT_ONCE = 500

/** @param size how many are in one of them, but for the last */
export function inBatches<T>(all: readonly T[], size = VALUES_AT_ONCE): T[][] {
  const count = Math.ceil(all.length / size)
  return Array.from({ length: count }, (_, index) => all.slice(index * size, (index + 1) * size))
}

/** All rows, a batch at a time, of a database whose schema may be another one. */
export async function parseRows<Row>(batches: AsyncIterable<readonly unknown[]>, schema: z.ZodType<Row>) {
  const rows: Row[] = []
  for await (const batch of batches) rows.push(...z.array(schema).parse(batch))
  return rows
}

/** Reads a table in the order of its key, page by page. @param read the next page after a key */
export async function* inPages<Row>(read: (after: string) => Promise<Row[]>, keyOf: (row: Row) => string) {
  let rows = await read('')
  for (let last = rows.at(-1); last !== undefined; last = rows.at(-1)) {
    yield rows
    rows = await read(keyOf(last))
  }
}
