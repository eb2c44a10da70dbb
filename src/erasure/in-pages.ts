/** Rows read, or deleted, by one statement. */
export const AT_ONCE = 1000

/** Reads a table in the order of its key, page by page. @param read the next page after a key */
export async function* inPages<Row>(read: (after: string) => Promise<Row[]>, keyOf: (row: Row) => string) {
  let rows = await read('')
  for (let last = rows.at(-1); last !== undefined; last = rows.at(-1)) {
    yield rows
    rows = await read(keyOf(last))
  }
}
