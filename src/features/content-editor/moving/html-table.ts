import { MAX_COLUMNS, MAX_ROWS, type TableBlock } from '../../../content/blocks/blocks.ts'
import { attributeOf, type Tag, type Token } from '../rich-text/html-tokens.ts'
import { cleanText } from '../rich-text/paste-lines.ts'
import { type Note, quote } from './report.ts'

/** Characters of one cell of a table here. */
const MAX_CELL_TEXT = 200
/** Columns that one cell may span: more than a table has here. */
const MAX_SPAN = 20

interface Cell {
  text: string
  readonly isHead: boolean
  readonly span: number
}

interface ImportedTable {
  /** Null where only its text can be kept. */
  readonly block: Omit<TableBlock, 'id'> | null
  readonly notes: readonly Note[]
  /** Pictures in it, which come after it. */
  readonly images: readonly Tag[]
}

/** A table from the tags and texts between `<table>` and its end. */
export function toTable(
  tokens: readonly Token[],
  link: (href: string) => { readonly href: string | null },
): ImportedTable {
  const { rows, caption, links, images, isNested, isMerged } = readTable(tokens)
  const filled = rows.filter(row => row.some(({ text }) => text !== ''))
  const width = Math.max(0, ...filled.map(row => row.reduce((sum, { span }) => sum + span, 0)))
  const problem = findProblem(filled, width, isNested)
  const asText = (why: string): ImportedTable => ({
    block: null,
    notes: [{ kind: 'changed', what: 'Table', why: `${why}: each of its rows is a line of text` }],
    images: [],
  })
  if (problem) return asText(problem)
  const [head = [], ...body] = filled.map(row => spread(row, width))
  const columns = head.map((label, at) => ({ id: `c${at + 1}`, label }))
  const notes: Note[] = links.map(href => ({
    kind: 'changed',
    what: `Link in a table: ${quote(link(href).href ?? href)}`,
    why: 'a cell has only words',
  }))
  const change = (what: string, why: string) => notes.push({ kind: 'changed', what, why })
  if (!filled[0]?.every(cell => cell.isHead)) change('Table', 'its first row became its headings')
  if (isMerged) change('Table', 'cells that were one are apart, and the others are empty')
  if (images.length > 0) change('Table', 'its pictures come after it')
  const grid = {
    columns,
    rows: body.map((cells, at) => ({
      id: `r${at + 1}`,
      cells: Object.fromEntries(cells.flatMap((text, column) => (text ? [[`c${column + 1}`, text]] : []))),
    })),
  }
  return { block: { type: 'table', caption, grid }, notes, images }
}

function findProblem(rows: readonly (readonly Cell[])[], width: number, isNested: boolean): string | null {
  if (isNested) return 'It has another table in it'
  if (rows.length < 2 || width < 2) return 'It has fewer than two rows or columns'
  if (width > MAX_COLUMNS) return `It has more than ${MAX_COLUMNS} columns`
  if (rows.length > MAX_ROWS + 1) return `It has more than ${MAX_ROWS} rows`
  const isLong = rows.some(row => row.some(({ text }) => text.length > MAX_CELL_TEXT))
  return isLong ? `It has a cell of more than ${MAX_CELL_TEXT} characters` : null
}

function spread(row: readonly Cell[], width: number): string[] {
  const texts = row.flatMap(({ text, span }) => [text, ...Array.from({ length: span - 1 }, () => '')])
  return Array.from({ length: width }, (_, at) => texts[at] ?? '')
}

function readTable(tokens: readonly Token[]) {
  const rows: Cell[][] = []
  const [links, images]: [string[], Tag[]] = [[], []]
  let [caption, isNested, isMerged, inCaption] = ['', false, false, false]
  let cell: Cell | null = null
  const addText = (text: string) => {
    if (cell) cell.text += text
    else if (inCaption) caption += text
  }
  for (const token of tokens.slice(1)) {
    if (typeof token === 'string') {
      addText(cleanText(token))
      continue
    }
    const { name, isEnd } = token
    if (name === 'caption') inCaption = !isEnd
    if (name === 'tr' || (isEnd && (name === 'td' || name === 'th'))) cell = null
    if (isEnd) continue
    if (name === 'table') isNested = true
    if (name === 'tr') rows.push([])
    if (name === 'td' || name === 'th') {
      cell = { text: '', isHead: name === 'th', span: spanOf(token) }
      if (cell.span > 1 || Number(attributeOf(token, 'rowspan')) > 1) isMerged = true
      if (rows.length === 0) rows.push([])
      rows.at(-1)?.push(cell)
    } else if (/^(br|p|div|li|ul|ol|h[1-6])$/.test(name)) addText(' ')
    if (name === 'a' && attributeOf(token, 'href')) links.push(attributeOf(token, 'href'))
    if (name === 'img') images.push(token)
  }
  const clean = (text: string) => withoutFacts(text.replace(/[\s\u00a0]+/g, ' ').trim())
  for (const row of rows) for (const each of row) each.text = clean(each.text)
  return { rows, caption: clean(caption), links, images, isNested, isMerged }
}

/** Braces around a name would show a fact of this site. */
const withoutFacts = (text: string) => text.replace(/\{([a-z0-9-]{1,100})\}/g, '($1)')

function spanOf(tag: Tag): number {
  const span = Number(attributeOf(tag, 'colspan'))
  return Number.isInteger(span) && span > 1 ? Math.min(span, MAX_SPAN) : 1
}
