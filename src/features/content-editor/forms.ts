import type { ContentDocument } from './contract.ts'
import { type Field, findKind, type ListField, type Section } from './fields.ts'
import { idOf, isList, isObject } from './json.ts'
import { articleForm, pageForm, visaForm } from './page-fields.ts'
import { pictureParts } from './picture-parts.ts'
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

/** What an item is called in the form: the first text in it, or else what it is. */
export function titleOfItem({ kinds, noun }: ListField, item: unknown): string {
  const kind = findKind(kinds, item)
  const names = kind?.fields.filter(({ type }) => type === 'line' || type === 'text').map(({ name }) => name)
  const texts = names?.map(name => (isObject(item) ? item[name] : ''))
  return texts?.find((text): text is string => typeof text === 'string' && text !== '') ?? kind?.label ?? noun
}
