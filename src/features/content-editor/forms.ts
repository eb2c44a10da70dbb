import type { ContentDocument } from './contract.ts'
import { type Field, findKind, type ListField, type Section } from './fields.ts'
import { idOf, isList, isObject } from './json.ts'
import { articleForm, pageForm, visaForm } from './page-fields.ts'
import { pictureParts } from './picture-parts.ts'
import { firstLine, isRichText } from './rich-text-lines.ts'
import { siteForm } from './site-fields.ts'

/** The form of each kind of document. */
export const forms: Record<ContentDocument['kind'], readonly Section[]> = {
  site: siteForm,
  page: pageForm,
  article: articleForm,
  visa: visaForm,
}

/** The field at a path in words: "Slides, 1, Title". */
export function describeField(kind: ContentDocument['kind'], body: unknown, path: string): string {
  const fields = forms[kind].flatMap(section => section.fields)
  return describe(fields, body, path === '' ? [] : path.split('.')).join(', ') || path
}

function describe(
  fields: readonly Field[],
  value: unknown,
  [name = '', ...rest]: readonly string[],
): string[] {
  const field = fields.find(each => each.name === name)
  if (!field) return []
  const child = isObject(value) ? value[name] : undefined
  return [field.label, ...describeInside(field, child, rest)]
}

function describeInside(field: Field, value: unknown, path: readonly string[]): string[] {
  if (field.type === 'group') return describe(field.fields, value, path)
  if (field.type === 'picture') return describe(pictureParts, value, path)
  if (field.type === 'variant') return describe(findKind(field.kinds, value)?.fields ?? [], value, path)
  if (field.type === 'grid') return describeCell(value, path)
  const [at, ...rest] = path
  if (field.type !== 'list' || at === undefined) return []
  const item = isList(value) ? value[Number(at)] : undefined
  return [String(Number(at) + 1), ...describe(findKind(field.kinds, item)?.fields ?? [], item, rest)]
}

/** "Row, 2, Cell, Price", or "Column, 1, Heading". */
function describeCell(grid: unknown, [list, at, part, id]: readonly string[]): string[] {
  if (list === undefined) return []
  const columns: readonly unknown[] = isObject(grid) && isList(grid.columns) ? grid.columns : []
  const column = columns.find(each => idOf(each) === id)
  const heading = isObject(column) ? String(column.label) : id
  const words = [list === 'rows' ? 'Row' : 'Column', at && String(Number(at) + 1)]
  return [...words, part && (list === 'rows' ? 'Cell' : 'Heading'), heading].filter(
    word => word !== undefined,
  )
}

/** Characters of a title. More would be the text itself. */
const MAX_TITLE = 80

/** What an item is called in the form: the first text in it, after what it is where that may be many things. */
export function titleOfItem({ kinds, noun }: ListField, item: unknown): string {
  const kind = findKind(kinds, item)
  const text = textOfItem(kind?.fields ?? [], item)
  const label = kind?.label ?? noun
  const title = text && kinds.length > 2 ? `${label}: ${text}` : text || label
  return title.length > MAX_TITLE ? `${title.slice(0, MAX_TITLE).trimEnd()} …` : title
}

/** Lines come before rich text, and both before what is in a list. */
function textOfItem(fields: readonly Field[], item: unknown): string {
  if (!isObject(item)) return ''
  const isLine = ({ type }: Field) => type === 'line' || type === 'text'
  const texts = [...fields.filter(isLine), ...fields.filter(field => !isLine(field))].map(field => {
    const value = item[field.name]
    if (isLine(field)) return typeof value === 'string' ? value : ''
    if (isRichText(value)) return firstLine(value)
    if (field.type !== 'list' || !isList(value)) return ''
    return textOfItem(findKind(field.kinds, value[0])?.fields ?? [], value[0])
  })
  const [first = '', second = ''] = texts.filter(text => text !== '')
  const [field] = fields
  // A date alone does not say of what.
  return field?.type === 'line' && field.input === 'date' ? `${first} ${second}`.trim() : first
}
