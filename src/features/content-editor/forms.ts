import type { ContentDocument } from './contract.ts'
import { type Field, findKind, type Section } from './fields.ts'
import { isList, isObject } from './json.ts'
import { articleForm, pageForm, visaForm } from './page-fields.ts'
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
  if (field.type === 'variant') return describe(findKind(field.kinds, value)?.fields ?? [], value, path)
  const [at, ...rest] = path
  if (field.type !== 'list' || at === undefined) return []
  const item = isList(value) ? value[Number(at)] : undefined
  return [String(Number(at) + 1), ...describe(findKind(field.kinds, item)?.fields ?? [], item, rest)]
}

/** What an item is called in the form: its first text. */
export function titleOfItem(item: unknown): string {
  const { id: _, type: __, kind: ___, ...parts } = isObject(item) ? item : {}
  return Object.values(parts).find((part): part is string => typeof part === 'string' && part !== '') ?? ''
}
