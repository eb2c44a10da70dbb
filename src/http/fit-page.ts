/**
 * Bytes of the texts in one page of a list, which has fewer rows than were asked for when they are long: to read, check and
 * write a mebibyte takes less than the 50 ms for which nothing may hold the event loop.
 */
export const MAX_PAGE_BYTES = 1024 * 1024

/** The rows that one page has room for: at least one, so that the next page begins behind it. */
export function fitPage<Row>(rows: readonly Row[], textOf: (row: Row) => string): Row[] {
  let bytes = 0
  const beyond = rows.findIndex((row, at) => {
    bytes += Buffer.byteLength(textOf(row))
    return bytes > MAX_PAGE_BYTES && at > 0
  })
  return beyond === -1 ? [...rows] : rows.slice(0, beyond)
}
