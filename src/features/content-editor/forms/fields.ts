import * as z from 'zod/mini'
import type { Grid } from '../../../content/blocks/blocks.ts'
import { isObject, type JsonObject } from '../../../content/json.ts'

/** What the form knows of a body: for each part a label, a hint and how it is edited. */

interface Named {
  readonly name: string
  readonly label: string
  readonly hint?: string
}

/** How an object is edited, where its parts depend on what it is. */
export interface ObjectKind {
  readonly label: string
  /** The keys by which it is recognised; empty if there is one kind only. */
  readonly is: JsonObject
  readonly fields: readonly Field[]
  /** A new one, without what `is` says and without an id. */
  readonly start: JsonObject
}

export interface LineField extends Named {
  readonly type: 'line'
  readonly input?: 'email' | 'url' | 'tel' | 'date' | 'time'
  /** Whether nothing typed is stored as null. */
  readonly nullable?: true
  /** Whether it is an address, for which the pages of this site can be chosen. */
  readonly isLink?: true
  /** Whether it is a time at which midnight ends the day. */
  readonly endsDay?: true
}

export interface ChoiceField extends Named {
  readonly type: 'choice'
  /** Whether the option without a value is stored as null. */
  readonly nullable?: true
  readonly options: Readonly<Record<string, string>>
  /** Whether it is about the place of the postal address, which may say otherwise. */
  readonly isPlace?: true
}

export interface ListField extends Named {
  readonly type: 'list'
  /** One of its items, as in "Add a slide". */
  readonly noun: string
  readonly kinds: readonly ObjectKind[]
}

export interface GroupField extends Named {
  readonly type: 'group'
  readonly fields: readonly Field[]
  /** What it is called where a body may be without it. */
  readonly noun?: string
  /** Whether it is a place, which is set on a map. */
  readonly isPlace?: true
  /** The screen of its own on which it is edited. */
  readonly screen?: string
}

export interface VariantField extends Named {
  readonly type: 'variant'
  readonly kinds: readonly ObjectKind[]
}

export interface PictureField extends Named {
  readonly type: 'picture'
  /** Whether it is cropped where it is shown, so that somebody says what stays. */
  readonly isCropped?: true
  /** Whether a new item has none yet, which is null. Elsewhere there may always be none, and then the field is absent. */
  readonly isRequired?: true
}

/** `text` is a longer text; `lines` are short ones, one on a line; `rich` is rich text, `grid` the cells of a table. */
export interface PlainField extends Named {
  readonly type:
    | 'text'
    | 'lines'
    | 'rich'
    | 'number'
    | 'check'
    | 'days'
    | 'states'
    | 'fact'
    | 'person'
    | 'grid'
  /** Whether no number is stored as null. */
  readonly nullable?: true
  /** What holds while a body does not say. */
  readonly absent?: number
}

export type Field =
  | LineField
  | ChoiceField
  | ListField
  | GroupField
  | VariantField
  | PictureField
  | PlainField

export interface Section {
  readonly title: string
  readonly fields: readonly Field[]
  /** Whether it says how the page looks in a search result. */
  readonly isSearch?: true
}

type Hint = { readonly hint?: string }

export const line = (name: string, label: string, more: Partial<LineField> = {}): Field => ({
  ...more,
  ...{ type: 'line', name, label },
})

export const plain = (
  type: PlainField['type'],
  name: string,
  label: string,
  hint?: string,
  more: Pick<PlainField, 'nullable' | 'absent'> = {},
): Field => ({ type, name, label, ...(hint && { hint }), ...more })

export const picture = (name: string, label: string, more: Partial<PictureField> = {}): Field => ({
  ...more,
  ...{ type: 'picture', name, label },
})

export const group = (
  name: string,
  label: string,
  fields: readonly Field[],
  more: Hint & Pick<GroupField, 'noun' | 'isPlace' | 'screen'> = {},
): Field => ({ ...more, type: 'group', name, label, fields })

export const choice = (
  name: string,
  label: string,
  options: ChoiceField['options'],
  hint?: string,
  more: Pick<ChoiceField, 'nullable' | 'isPlace'> = {},
): Field => ({ type: 'choice', name, label, options, ...(hint && { hint }), ...more })

export function list(
  name: string,
  label: string,
  noun: string,
  fields: readonly Field[],
  more: Hint & { start?: JsonObject } = {},
): Field {
  const { start, ...rest } = more
  return { ...rest, type: 'list', name, label, noun, kinds: [kindOf(noun, {}, fields, start)] }
}

/** A list whose items are of several kinds. */
export const mixed = (
  name: string,
  label: string,
  noun: string,
  kinds: readonly ObjectKind[],
  more: Hint = {},
): Field => ({ ...more, type: 'list', name, label, noun, kinds })

export function kindOf(
  label: string,
  is: JsonObject,
  fields: readonly Field[],
  start: JsonObject = {},
): ObjectKind {
  return { label, is, fields, start: { ...blank(fields), ...start } }
}

/** The values of fields before anybody has typed. */
export function blank(fields: readonly Field[]): JsonObject {
  const typed = fields.filter(field => field.type !== 'picture' || field.isRequired)
  return Object.fromEntries(typed.map(field => [field.name, blankValue(field)]))
}

const SETS: ReadonlySet<Field['type']> = new Set(['lines', 'list', 'days', 'states'])

function blankValue(field: Field): unknown {
  if (field.type === 'rich') return { type: 'doc', content: [{ type: 'paragraph' }] }
  if (SETS.has(field.type)) return []
  if (field.type === 'grid') return emptyGrid
  if (field.type === 'check') return false
  if (field.type === 'number') return 0
  if (field.type === 'group') return blank(field.fields)
  if (field.type === 'choice') return Object.keys(field.options)[0] ?? ''
  if (field.type === 'variant') return { ...field.kinds[0]?.start, ...field.kinds[0]?.is }
  return field.type === 'picture' || (field.type === 'line' && field.nullable) ? null : ''
}

export function findKind(kinds: readonly ObjectKind[], value: unknown): ObjectKind | undefined {
  return kinds.find(({ is }) => Object.keys(is).every(key => isObject(value) && value[key] === is[key]))
}

/** Of a new table. Ids are unique within one list. */
const emptyGrid: Grid = {
  columns: ['column-1', 'column-2'].map(id => ({ id, label: '' })),
  rows: ['row-1', 'row-2'].map(id => ({ id, cells: {} })),
}

/** A stored grid has the right shape, but in a draft its texts may be empty or too long. */
const DraftGrid = z.object({
  columns: z.array(z.object({ id: z.string(), label: z.string() })),
  rows: z.array(z.object({ id: z.string(), cells: z.record(z.string(), z.string()) })),
})

export function readGrid(value: unknown): Grid {
  return DraftGrid.safeParse(value).data ?? { columns: [], rows: [] }
}
