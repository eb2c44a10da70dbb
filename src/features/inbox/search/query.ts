import { fold, lineOf, type Word, wordsOf } from './folded-words.ts'
import { digitsOf, phonesOf, spellingsOf } from './phone-numbers.ts'

/** A text that a message must contain, and in which of its two prepared texts: see `PreparedText`. */
export interface Needle {
  readonly in: 'words' | 'parts'
  readonly text: string
}

/** Texts of which a message must contain one. */
export type Clause = readonly Needle[]

/** A message is found when it meets all clauses. Without a clause, there is nothing to look for and nothing is found. */
export type SearchQuery = readonly Clause[]

/** Characters. A shorter word is so common that alone it must begin a name or an email address, or be a whole word. */
const MIN_LENGTH = 3
/** Words shorter than that which are compared beside others: a pasted sentence has many, and dropping some loses no hit. */
const MAX_SHORT_WORDS = 8
/** Digits. A shorter number, such as 482, is not looked for within phone numbers: too many have it. */
const MIN_PHONE_PART = 4
/** Digits of several numbers in a row that may be one phone number. */
const MIN_NUMBERS = 6

/** Before each word of a name or an email address, which is written a second time with it. */
export const NAME_MARK = '^'

const QUOTED = /["“”„«»]([^"“”„«»]+)["“”„«»]/gu
/** A reference without LF and hyphens, or the beginning of one; it has no vowels, so few words are like it. */
const BARE_REFERENCE = /^([\db-df-hj-np-tv-xz]{4})([\db-df-hj-np-tv-xz]{1,4})$/
const NUMBER = /^[+(]{0,2}\d[\d().\-/+]*$/

/** The clauses of what somebody typed, the longest texts first, so that most messages need one comparison. */
export function parseSearch(text: string): SearchQuery {
  const phrases = [...text.matchAll(QUOTED)].map(([, phrase = '']) => phrase)
  const terms = text.replace(QUOTED, ' ').split(/\s+/u).filter(Boolean)
  const clauses = [...phrases.flatMap(phraseClauses), ...termClauses(terms, phrases.length === 0)]
  const unique = new Map(clauses.map(clause => [JSON.stringify(clause), clause]))
  return [...unique.values()].toSorted((one, other) => shortest(other) - shortest(one))
}

function shortest(clause: Clause): number {
  return Math.min(...clause.map(({ text }) => text.length))
}

/** In quotation marks: whole words, one after the other. */
function phraseClauses(phrase: string): Clause[] {
  const terms = phrase.trim().split(/\s+/u)
  if (phonesOf(phrase).length > 0 && terms.every(isNumber)) return numberClauses(terms)
  const words = wordsOf(phrase)
  return words.length === 0 ? [] : [[inWords(lineOf(phrase, words).text, words, 'whole')]]
}

function termClauses(terms: readonly string[], isAll: boolean): Clause[] {
  const read = terms.map(term => ({ term, words: wordsOf(term) })).filter(({ words }) => words.length > 0)
  const all = read.flatMap(({ words }) => words)
  const isAnyLong = read.some(({ words }) => !isShort(words))
  if (isAll && !isAnyLong && read.length > 1) return [[inWords(all.map(({ text }) => text).join(' '), all)]]
  const short = read.filter(({ words }) => isShort(words))
  const kept = new Set(
    short.toSorted((one, other) => lengthOf(other.words) - lengthOf(one.words)).slice(0, MAX_SHORT_WORDS),
  )
  const clauses: Clause[] = []
  for (let at = 0; at < read.length; ) {
    const end = read.findIndex((it, index) => index >= at && !isNumber(it.term))
    const numbers = read.slice(at, end === -1 ? read.length : end).map(({ term }) => term)
    if (numbers.length > 0) {
      clauses.push(...numberClauses(numbers))
      at += numbers.length
      continue
    }
    const one = read[at]
    at++
    if (!one || (isShort(one.words) && !kept.has(one))) continue
    clauses.push(isAll && read.length === 1 && isShort(one.words) ? shortClause(one.words) : termClause(one))
  }
  return clauses
}

function isNumber(term: string): boolean {
  return NUMBER.test(fold(term))
}

function isShort(words: readonly Word[]): boolean {
  return lengthOf(words) < MIN_LENGTH && !words.some(({ isUnspaced }) => isUnspaced)
}

function lengthOf(words: readonly Word[]): number {
  return words.reduce((sum, { text }) => sum + [...text].length, 0)
}

/** The beginning of a word, however its apostrophes and dashes are written, or a part of an email address or a reference. */
function termClause({ term, words }: { term: string; words: readonly Word[] }): Clause {
  const joined = words.flatMap(({ others }) => others)
  const part = fold(term).replace(/^[^\p{L}\p{N}@]+|[^\p{L}\p{N}@]+$/gu, '')
  return [
    inWords(lineOf(term, words).text, words),
    ...referenceNeedles(part),
    ...joined.map(other => ({ in: 'words' as const, text: ` ${other}` })),
    ...(part.length >= MIN_LENGTH && !words.some(({ isUnspaced }) => isUnspaced)
      ? [{ in: 'parts' as const, text: part }]
      : []),
  ]
}

/** A reference is stored with its hyphens. With LF before it, `wordsOf` has its other spelling. */
function referenceNeedles(folded: string): Needle[] {
  const [, first, last] = BARE_REFERENCE.exec(folded) ?? []
  return first && last ? [{ in: 'parts', text: `lf-${first}-${last}` }] : []
}

/** One or two characters alone. */
function shortClause(words: readonly Word[]): Clause {
  const text = words.map(word => word.text).join(' ')
  return [
    { in: 'words', text: `${NAME_MARK}${text}` },
    { in: 'words', text: ` ${text} ` },
  ]
}

/** Numbers after one another are words, or together a phone number. */
function numberClauses(terms: readonly string[]): Clause[] {
  const digits = digitsOf(terms.join(''))
  const isPhone = terms.length > 1 ? digits.length >= MIN_NUMBERS : digits.length >= MIN_PHONE_PART
  const phones = isPhone ? spellingsOf(digits).map(text => ({ in: 'parts' as const, text })) : []
  return terms.flatMap(term => {
    const words = wordsOf(term)
    if (words.length === 0) return []
    return [[inWords(lineOf(term, words).text, words), ...phones, ...referenceNeedles(fold(term))]]
  })
}

function inWords(line: string, words: readonly Word[], kind: 'beginning' | 'whole' = 'beginning'): Needle {
  const [first, last] = [words[0], words.at(-1)]
  const before = first?.isUnspaced ? '' : ' '
  const after = kind === 'whole' && !last?.isUnspaced ? ' ' : ''
  return { in: 'words', text: `${before}${line.trim()}${after}` }
}
