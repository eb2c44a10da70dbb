/** Excel takes a file without it for one in the alphabet of the computer. */
export const BYTE_ORDER_MARK = '\ufeff'

/**
 * The beginning of a cell that a spreadsheet may calculate instead of showing it, also after white space, quotation marks
 * and invisible characters, which some of them drop first.
 */
const FORMULA = /^[\s\p{C}"]*[=+\-@＝＋－＠]|^[\t\r\n]/u

/** The same where a program that splits at semicolons, tabs or lines, also within quotes, sees the beginning of a cell. */
const FORMULA_INSIDE = /([;\t\r\n])(?=(?:(?![;\t\r\n])[\s\p{C}"])*[=+\-@＝＋－＠])/gu

/** Nothing that anybody writes, and not accepted by every program. */
const CONTROLS = /[\p{Cc}--[\t\n\r]]/gv

/** One line of a CSV file (RFC 4180). Every cell is quoted, so that none of its characters ends it. */
export function toCsvLine(cells: readonly string[]): string {
  return `${cells.map(quote).join(',')}\r\n`
}

function quote(text: string): string {
  const shown = text.replace(CONTROLS, '')
  const inside = shown.replace(FORMULA_INSIDE, "$1'")
  const safe = FORMULA.test(shown) ? `'${inside}` : inside
  return `"${safe.replaceAll('"', '""').replaceAll('\r\n', '\n')}"`
}
