import * as z from 'zod/mini'
import { formTypes } from '../../features/enquiry-form/contract.ts'
import { CONTROL_CHARACTERS } from '../../http/common-schemas.ts'
import { PictureUse } from '../picture-use.ts'
import { RichText } from '../rich-text.ts'
import { Address, ItemId, item, listOf, Source, Text } from '../schema.ts'

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

/** A table of short texts. Its first column names the rows. */

/** Characters. What is longer is a paragraph, which makes the whole row hard to follow. */
const MAX_CELL = 200

const Cell = z.string().check(
  z.maxLength(MAX_CELL, `Write at most ${MAX_CELL} characters in a cell`),
  z.refine(text => !CONTROL_CHARACTERS.test(text), 'Write this on one line'),
)

/** By the id of the column, so that columns move, and two people change one row, without a conflict. None is an empty one. */
const Row = item({ cells: z.record(ItemId, Cell) })

const Grid = z.strictObject({
  columns: listOf(item({ label: Text })).check(
    z.minLength(1, 'Add a column'),
    z.maxLength(MAX_COLUMNS, `A table has at most ${MAX_COLUMNS} columns`),
  ),
  rows: listOf(Row).check(
    z.minLength(1, 'Add a row'),
    z.maxLength(MAX_ROWS, `A table has at most ${MAX_ROWS} rows`),
  ),
})
export type Grid = z.output<typeof Grid>

export const TableBlock = item({
  type: z.literal('table'),
  caption: Text,
  grid: Grid,
})
export type TableBlock = z.output<typeof TableBlock>

/** A picture between the texts of a page. In a draft it may still have to be chosen. */
export const PictureBlock = item({
  type: z.literal('picture'),
  picture: z.nullable(PictureUse).check(z.refine(picture => picture !== null, 'Choose a picture')),
  /** Shown below it; null for none. */
  caption: z.nullable(Text),
})
export type PictureBlock = z.output<typeof PictureBlock>

export const CalloutBlock = item({
  type: z.literal('callout'),
  tone: z.enum(['note', 'important']),
  /** Null for the name of its tone. */
  title: z.nullable(Text),
  text: RichText,
})
export type CalloutBlock = z.output<typeof CalloutBlock>

export const ButtonBlock = item({ type: z.literal('button'), text: Text, address: Address })
export type ButtonBlock = z.output<typeof ButtonBlock>

/** What somebody else said, in their words. Without a source it is like a testimonial. */
export const QuoteBlock = item({
  type: z.literal('quote'),
  text: Text,
  who: Text,
  source: z.optional(z.nullable(Source)),
})
export type QuoteBlock = z.output<typeof QuoteBlock>

/** The enquiry form in the page, with one of its kinds preselected. */
export const FormBlock = item({ type: z.literal('form'), kind: z.enum(formTypes) })
