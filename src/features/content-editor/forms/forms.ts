import { idOf, isList, isObject, type JsonObject } from '../../../content/json.ts'
import { describeOfficeHours, weekdays } from '../../../content/office/office-hours.ts'
import type { ContentDocument } from '../contract.ts'
import { pictureParts } from '../inputs/picture-parts.ts'
import { firstLine, isRichText } from '../rich-text/rich-text-lines.ts'
import { type Field, findKind, type ListField, type Section } from './fields.ts'
import { articleForm, pageForm, visaForm } from './page-fields.ts'
import { siteForm } from './site-fields.ts'

export const forms: Record<ContentDocument['kind'], readonly Section[]> = {
  site: siteForm,
  page: pageForm,
  article: articleForm,
  visa: visaForm,
}

/** The field at a path in words: "Slides 1, Title". */
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
  const [at, ...inside] = rest
  // "Text of the page 2, row 1, Time": of a table nobody needs to read that it has cells.
  if (field.type === 'grid' && at !== undefined) return describeCell(child, rest)
  if (field.type !== 'list' || at === undefined) return [field.label, ...describeInside(field, child, rest)]
  const item = isList(child) ? child[Number(at)] : undefined
  const fieldsOfItem = findKind(field.kinds, item)?.fields ?? []
  return [`${field.label} ${Number(at) + 1}`, ...describe(fieldsOfItem, item, inside)]
}

function describeInside(field: Field, value: unknown, path: readonly string[]): string[] {
  if (field.type === 'group') return describe(field.fields, value, path)
  if (field.type === 'picture') return describe(pictureParts, value, path)
  if (field.type === 'variant') return describe(findKind(field.kinds, value)?.fields ?? [], value, path)
  return []
}

/** "row 2, Price", or "heading of column 1". */
function describeCell(grid: unknown, [list, at, , id]: readonly string[]): string[] {
  if (list === 'columns') return [`heading of column ${Number(at) + 1}`]
  const columns: readonly unknown[] = isObject(grid) && isList(grid.columns) ? grid.columns : []
  const column = columns.find(each => idOf(each) === id)
  const heading = isObject(column) ? String(column.label) : id
  return [`row ${Number(at) + 1}`, ...(heading ? [heading] : [])]
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

/** "Monday to Friday, 9am–6pm" */
function describeHours({ days, opens, closes, byAppointment }: JsonObject): string {
  const chosen = weekdays.filter(day => isList(days) && days.includes(day))
  const isTime = (time: unknown) => typeof time === 'string' && /^\d\d:\d\d$/.test(time)
  if (chosen.length === 0 || !isTime(opens) || !isTime(closes)) return chosen.join(', ')
  const entry = { id: '', days: chosen, opens: String(opens), closes: String(closes) }
  const [first] = describeOfficeHours([{ ...entry, byAppointment: byAppointment === true }])
  return first ? `${first.days}, ${first.time}` : ''
}

/** Lines come before rich text, and both before what is in a list. */
function textOfItem(fields: readonly Field[], item: unknown): string {
  if (!isObject(item)) return ''
  // Hours are those of their days.
  if (fields.some(({ type }) => type === 'days')) return describeHours(item)
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
