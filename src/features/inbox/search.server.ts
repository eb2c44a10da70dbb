import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { containsWords } from '../../database/contains-words.ts'
import type { Database } from '../../database/tables.ts'

/** Characters. A shorter text is so common that it is compared with the start of names and email addresses only. */
const MIN_LENGTH = 3

/** Words shorter than that which are compared: a pasted sentence has many, and dropping some of them loses no hit. */
const MAX_SHORT_WORDS = 8

/** Whether a message contains all words of a text, each in any field and in any case, in any order. */
export function containsText(db: Database, text: string): RawBuilder<SqlBool> {
  // Each field begins after a line break, and no word contains one.
  return isShort(text)
    ? containsWords(db, NAMES, [`\n${text}`])
    : containsWords(db, ALL_FIELDS, wordsOf(text))
}

const NAMES = sql`concat_ws(${'\n'}, '', name, email)`
const ALL_FIELDS = sql`concat_ws(${'\n'}, name, email, phone, reference, message)`

function isShort(text: string): boolean {
  return [...text].length < MIN_LENGTH
}

/** The words that each hit must contain. When all are short, they are one text, such as `Li Yu`. */
function wordsOf(text: string): string[] {
  const words = text.split(/\s+/u)
  if (words.every(isShort)) return [words.join(' ')]
  const short = words.filter(isShort).toSorted((one, other) => other.length - one.length)
  return [...words.filter(word => !isShort(word)), ...short.slice(0, MAX_SHORT_WORDS)]
}
