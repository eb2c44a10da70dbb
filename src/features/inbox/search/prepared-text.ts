import type { MatchField } from '../messages/filter-contract.ts'
import { fold, lineOf, type Word, wordsOf } from './folded-words.ts'
import { digitsOf, phonesOf } from './phone-numbers.ts'
import { NAME_MARK, type SearchQuery } from './query.ts'

/** A text of a message that a search reads. */
export interface SearchedText {
  readonly field: MatchField
  readonly text: string
}

/** Texts in the form that a search compares. */
export interface PreparedText {
  /** A line for each text, with a space before and after each word; then other spellings of some words. */
  readonly words: string
  /** What may be found by any part of it: email address, reference, and the digits of phone numbers. */
  readonly parts: string
}

export function prepareText(
  { field, text }: SearchedText,
  words: readonly Word[] = wordsOf(text),
): PreparedText {
  const parts = partsOf(field, text).join('\n')
  if (field === 'phone') return { words: '', parts }
  const others = words.flatMap(word => word.others.map(other => ` ${other} `))
  return { words: [lineOf(text, words).text, ...others, ...marked(field, words)].join('\n'), parts }
}

/** No word and no phrase is found across two of them. */
export function joinTexts(texts: readonly PreparedText[]): PreparedText {
  const join = (column: keyof PreparedText) =>
    texts
      .map(text => text[column])
      .filter(Boolean)
      .join('\n')
  return { words: join('words'), parts: join('parts') }
}

export function partsOf(field: MatchField, text: string): string[] {
  if (field === 'phone') return [digitsOf(text)]
  if (field === 'email' || field === 'reference') return [fold(text)]
  return phonesOf(text).map(({ digits }) => digits)
}

/** The words of a name, and the first of an email address, marked as such. */
function marked(field: MatchField, words: readonly Word[]): string[] {
  if (field !== 'name' && field !== 'email') return []
  return words.slice(0, field === 'email' ? 1 : undefined).map(({ text }) => `${NAME_MARK}${text} `)
}

export function matches(query: SearchQuery, texts: readonly PreparedText[]): boolean {
  return query.length > 0 && query.every(clause => texts.some(text => meets(clause, text)))
}

/** The characters of texts that are not prepared, which takes several times as long. */
export function charactersOf({ text }: SearchedText): string {
  return onlyCharacters(fold(text))
}

/** Whether a text with these characters may meet a clause: no needle is found whose characters they do not have. */
export function mayMeet(clause: SearchQuery[number], characters: string): boolean {
  return clause.some(({ text }) => characters.includes(onlyCharacters(text)))
}

function onlyCharacters(folded: string): string {
  return folded.replace(/[^\p{L}\p{N}]+/gu, '')
}

export function meets(clause: SearchQuery[number], text: PreparedText): boolean {
  return clause.some(needle => text[needle.in].includes(needle.text))
}
