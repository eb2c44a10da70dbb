/** What the form of a table needs without its schema. */

/** More columns can be read on no screen, and of more rows people only read the first. */
export const MAX_COLUMNS = 12
export const MAX_ROWS = 100

/** A fact in the text of a cell, which is plain text: its name in braces. */
export interface CellFact {
  readonly fact: string
}

export const factInCell = (name: string) => `{${name}}`

/** A cell as its texts and its facts, in their order. */
export function splitCell(text: string): readonly (string | CellFact)[] {
  return text
    .split(/(\{[a-z0-9-]{1,100}\})/)
    .filter(part => part !== '')
    .map(part => (/^\{.*\}$/.test(part) ? { fact: part.slice(1, -1) } : part))
}

export function factsInCell(text: string): readonly string[] {
  return splitCell(text).flatMap(part => (typeof part === 'string' ? [] : [part.fact]))
}

/** The text of a cell. The id of a column may be the name of something that every object has. */
export function cellOf(cells: Readonly<Record<string, string>>, column: string): string {
  return (Object.hasOwn(cells, column) && cells[column]) || ''
}
