/** What the form of a table needs without its schema. */

/** More columns can be read on no screen, and of more rows people only read the first. */
export const MAX_COLUMNS = 12
export const MAX_ROWS = 100

/** The text of a cell. The id of a column may be the name of something that every object has. */
export function cellOf(cells: Readonly<Record<string, string>>, column: string): string {
  return (Object.hasOwn(cells, column) && cells[column]) || ''
}
