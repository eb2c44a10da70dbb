import { readOldAddress } from '../../../content/old-addresses.ts'
import { MAX_NAMED, type NamedRedirect } from './contract.ts'

/** Old addresses as a file has them: one on a line, with where it leads. */

export interface RedirectLine extends NamedRedirect {
  /** Of the file, from 1. */
  readonly number: number
  /** What is wrong with the line itself; empty for nothing. */
  readonly error: string
}

/** Characters of a file: several times what a site can have. */
const MAX_FILE = 4 * 1024 * 1024

/** Reads `from,to` in CSV, with commas, semicolons or tabs. A first line that names the columns is skipped. */
export function readRedirectLines(csv: string): RedirectLine[] {
  if (csv.length > MAX_FILE) throw new Error('This file is too long.')
  const lines: RedirectLine[] = []
  const seen = new Map<string, number>()
  for (const [at, cells] of readCells(csv.replace(/^\uFEFF/, '')).entries()) {
    const [from = '', to = ''] = cells.map(cell => cell.trim())
    if (from === '' && to === '') continue
    if (lines.length === 0 && at === 0 && /^(from|old|source)/i.test(from)) continue
    const number = at + 1
    const key = readOldAddress(from) ?? from
    const first = seen.get(key)
    lines.push({ number, from, to, error: findLineError(from, to, first) })
    if (first === undefined) seen.set(key, number)
  }
  if (lines.length > MAX_NAMED)
    throw new Error(`A site can have ${MAX_NAMED} old addresses, and this file has more.`)
  return lines
}

function findLineError(from: string, to: string, first: number | undefined): string {
  if (to === '') return 'It does not say where the address leads'
  if (readOldAddress(from) === null) return 'This is not the address of a page, such as /2021/03/fees'
  if (first !== undefined) return `Line ${first} has the same address`
  return ''
}

/** Of each line the two cells that count; quotes may enclose separators, and two quotes are one. */
function readCells(csv: string): string[][] {
  const separator = /^[^\n]*\t/.test(csv) ? '\t' : /^[^,\n]*;/.test(csv) ? ';' : ','
  return csv.split(/\r\n|\r|\n/).map(line => {
    const cells: string[] = []
    for (let rest: string | null = line; rest !== null && cells.length < 2; ) {
      const quoted: RegExpExecArray | null = /^ *"((?:[^"]|"")*)" */.exec(rest)
      const after: string = quoted ? rest.slice(quoted[0].length) : rest
      const end = after.indexOf(separator)
      const plain = end < 0 ? after : after.slice(0, end)
      cells.push((quoted ? (quoted[1] ?? '').replaceAll('""', '"') : '') + plain)
      rest = end < 0 ? null : after.slice(end + 1)
    }
    return cells
  })
}

/** A file that `readRedirectLines` reads. Addresses begin with a slash, so none is a formula. */
export function writeRedirectLines(redirects: readonly NamedRedirect[]): string {
  const cell = (text: string) => `"${text.replaceAll('"', '""')}"`
  return ['from,to', ...redirects.map(({ from, to }) => `${cell(from)},${cell(to)}`), ''].join('\r\n')
}
