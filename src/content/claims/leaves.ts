import { splitCell } from '../blocks/blocks.ts'
import { childOf, isList, isObject, type JsonObject, joinPath, MAX_DEPTH } from '../json.ts'
import { factMark, removeInvisible } from './clean-text.ts'

/** A text of a body: one field, or one paragraph of rich text. */
export interface Leaf {
  readonly path: string
  readonly text: string
  /** The field or the rich text that it is part of. */
  readonly block: string
  /** The line before a list, which may deny all of its items: "We never promise:". */
  readonly lead: string
  /** Where in `text` that of the field begins: before it are the headings of a cell, or a label. */
  readonly ownFrom: number
  /** Whether it may have facts, which a title or a summary may not. */
  readonly takesFacts: boolean
  /** Names of people, visas and firms, in which a number is no figure. */
  readonly isName: boolean
}

/** Fields that are no texts where they are one line: an address that leads somewhere, the id of somebody who advises. */
const ofTexts = new Set(['address', 'agent'])
/** Fields that are no texts. */
const skipped = new Set(
  'brand id path url href image kind tone status type service avatarUrl portraitUrl buttonLink timeZone location abn registrationNumber email closedAfter asAt opens closes date days numbers visas leftOut fact level attrs'.split(
    ' ',
  ),
)
const isSkipped = (key: string, part: unknown) =>
  skipped.has(key) || (ofTexts.has(key) && typeof part === 'string')
/** With all that is inside of them. */
const names = new Set(
  'name legalName siteName author who visaType phone chat address version languages source more links'.split(
    ' ',
  ),
)

/** The texts of a body, in the order of the page. */
export function leavesOf(body: unknown): Leaf[] {
  const leaves: Leaf[] = []
  collect(body, { path: '', key: '', block: '', lead: '', isName: false, depth: 0 }, leaves)
  return leaves
}

interface Position extends Pick<Leaf, 'path' | 'block' | 'lead' | 'isName'> {
  readonly key: string
  readonly depth: number
}

function collect(value: unknown, at: Position, leaves: Leaf[]): void {
  // The id of a picture is no text; what it shows is one.
  if (typeof value === 'string' && at.key !== 'picture') add(removeInvisible(value), at, leaves)
  if (typeof value !== 'object' || value === null || at.depth > MAX_DEPTH) return
  if (isLine(value)) add(textOf(value.content), at, leaves, { takesFacts: true })
  // Neither means anything without its label.
  else if (hasTexts(value, 'label', 'value')) collectClaim(value, at, leaves)
  else if (hasTexts(value, 'label', 'fact')) collectFigure(value, at, leaves)
  else if (isGrid(value)) collectGrid(value, at, leaves)
  else collectInside(value, at, leaves)
}

function collectClaim(claim: Record<'label' | 'value', string>, at: Position, leaves: Leaf[]) {
  const { label, value, ...more } = claim
  const ownFrom = removeInvisible(`${label}: `).length
  add(removeInvisible(`${label}: ${value}`), { ...at, path: joinPath(at.path, 'value') }, leaves, { ownFrom })
  collectInside(more, at, leaves)
}

function collectFigure(of: Record<'label' | 'fact', string>, at: Position, leaves: Leaf[]) {
  const { label, ...figure } = of
  add(
    `${removeInvisible(label)}: ${factMark(figure.fact)}`,
    { ...at, path: joinPath(at.path, 'label') },
    leaves,
  )
  collectInside(figure, at, leaves)
}

/** Characters. A longer cell is a sentence of its own. */
const SHORT_CELL = 50

/** What visitors see of a table. A number or a word in it means nothing without the headings of its row and its column. */
function collectGrid({ columns, rows }: Grid, at: Position, leaves: Leaf[]) {
  collectInside({ columns }, at, leaves)
  for (const [row, line] of rows.entries()) {
    const texts = columns.map(({ id }) => childOf(childOf(line, 'cells'), String(id)))
    for (const [column, { id, label }] of columns.entries()) {
      const text = texts[column]
      if (typeof text !== 'string') continue
      const headings = [column > 0 && texts[0], label].filter(each => typeof each === 'string' && each !== '')
      const lead = headings.join(', ')
      const isRead = lead !== '' && (/\d/.test(text) || text.length <= SHORT_CELL)
      const shown = isRead ? `${lead}: ${text}` : text
      const path = `${at.path}.rows.${row}.cells.${id}`
      const ownFrom = isRead ? removeInvisible(`${lead}: `).length : 0
      const isName = at.isName || (column === 0 && isNumberOfVisa(text))
      const place = { ...at, path, lead, isName, key: '', block: at.block || at.path }
      if (text !== '') add(markFacts(shown), place, leaves, { ownFrom, takesFacts: true })
    }
  }
}

/** The number of a subclass alone, which names its row. */
const isNumberOfVisa = (text: string) => /^\s*\d{3}\s*$/.test(text)

/** A cell names its facts in braces. */
function markFacts(text: string): string {
  return splitCell(removeInvisible(text))
    .map(part => (typeof part === 'string' ? part : factMark(part.fact)))
    .join('')
}

function collectInside(value: object, at: Position, leaves: Leaf[]) {
  const block = 'type' in value && value.type === 'doc' ? at.path : at.block
  for (const [key, part] of Object.entries(value)) {
    if (isSkipped(key, part)) continue
    const lead = isListNode(part) ? leadOf(leaves.at(-1), block) : at.lead
    const isName = at.isName || names.has(key)
    collect(part, { path: joinPath(at.path, key), key, block, lead, isName, depth: at.depth + 1 }, leaves)
  }
}

function add(
  text: string,
  { path, block, lead, isName }: Position,
  leaves: Leaf[],
  { ownFrom = 0, takesFacts = false } = {},
) {
  if (text.trim() === '') return
  leaves.push({ path, text, lead, block: block || path, isName, ownFrom, takesFacts })
}

/** The line before a list of the same text. */
function leadOf(last: Leaf | undefined, block: string): string {
  return last?.block === block && !/[.!]\s*$/.test(last.text.slice(-5)) ? last.text : ''
}

function isListNode(value: unknown): boolean {
  return isObject(value) && (value.type === 'bullet_list' || value.type === 'ordered_list')
}

function isLine(value: unknown): value is { content: readonly unknown[] } {
  const isText = isObject(value) && (value.type === 'paragraph' || value.type === 'heading')
  return isText && isList(value.content)
}

function hasTexts<Key extends string>(value: unknown, ...keys: readonly Key[]): value is Record<Key, string> {
  return keys.every(key => typeof childOf(value, key) === 'string')
}

interface Grid {
  readonly columns: readonly JsonObject[]
  readonly rows: readonly unknown[]
}

function isGrid(value: unknown): value is Grid {
  return isObject(value) && isList(value.columns) && value.columns.every(isObject) && isList(value.rows)
}

/** The runs of a paragraph as one text, so that a bold syllable hides nothing. */
function textOf(content: readonly unknown[]): string {
  return content.map(runOf).join('')
}

function runOf(run: unknown): string {
  const [text, name] = [childOf(run, 'text'), childOf(childOf(run, 'attrs'), 'name')]
  if (typeof text === 'string') return removeInvisible(text)
  return typeof name === 'string' ? factMark(name) : ''
}
