import * as z from 'zod/mini'
import { FactName, HttpsUrl, Path } from './references.ts'
import { Text } from './schema.ts'

/** Items of one list: more than a page can show well. */
const MAX_ITEMS = 200

export const THREE = 'There are always three of these'

/** Stays with an item while it is edited and moved, so that two people's changes can be merged. */
export const ItemId = z
  .string()
  .check(z.regex(/^[a-zA-Z0-9-]{1,40}$/, 'An id has at most 40 characters: a to z, 0 to 9 and hyphens'))

type Identified = z.core.SomeType & { _zod: { output: { id: string } } }

/** An object in a list: these fields, and an id that is unique in the list, which `findSameIds` checks. */
export function item<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.strictObject({ id: ItemId, ...shape })
}

export function listOf<Item extends Identified>(itemSchema: Item) {
  return z.array(itemSchema).check(z.maxLength(MAX_ITEMS, `A list has at most ${MAX_ITEMS} items`))
}

/** For places of the design that show exactly three. */
export function three<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const one = item(shape)
  return z.tuple([one, one, one], THREE)
}

/** Paragraphs, or lines that belong together. */
export const Texts = listOf(item({ text: Text })).check(z.minLength(1, 'Write at least one of these'))

export const Figures = listOf(item({ label: Text, fact: FactName }))

const isValid = (schema: z.ZodMiniType, value: string) => schema.safeParse(value).success

/** A page of this site or of another one. */
export const Address = z
  .string()
  .check(
    z.refine(
      text => isValid(Path, text) || isValid(HttpsUrl, text),
      'Give an address on this site, such as /contact, or a full one that starts with https://',
    ),
  )

/** Characters. Search engines cut longer addresses, and people cannot read them out. */
const MAX_PATH = 100

/** An address on this site, in lower case. Which ones are free is checked when the document is published. */
export const DocumentPath = z
  .string()
  .check(
    z.maxLength(MAX_PATH, `An address has at most ${MAX_PATH} characters`),
    z.regex(/^(\/[a-z0-9]+(-[a-z0-9]+)*){1,3}$/, 'Give an address such as /fees or /news/new-fees'),
  )
