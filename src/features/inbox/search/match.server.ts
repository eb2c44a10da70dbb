import { offMainThread } from '../../../database/sqlite/reader-thread.ts'
import type { Database } from '../../../database/tables.ts'
import { takeTurns } from '../../../platform/turns.ts'
import { EXCERPT_LENGTH, type Message } from '../contract.ts'
import { fold, type Line, lineOf, type Word, wordsOf } from './folded-words.ts'
import { phonesOf } from './phone-numbers.ts'
import { charactersOf, mayMeet, meets, partsOf, prepareText, type SearchedText } from './prepared-text.ts'
import { NAME_MARK, type Needle, parseSearch, type SearchQuery } from './query.ts'
import { readConversations, visitorTexts } from './texts.server.ts'

/** Characters before the first hit that a list shows. */
const BEFORE_HIT = 40
/** Hits of one search in one text: more are not in an excerpt. */
const MAX_HITS = 50
/** What the reasons of one page may cost, in characters that are read: where texts are long, a page has fewer messages. */
const MAX_COST = 200_000
/** To find the words of a character costs as much as to read so many. */
const COST_OF_WORDS = 8
/** Messages whose replies and notes are read at once: the fewest at first, and of short ones four times as many each time. */
const READ_AT_ONCE = { fewest: 10, most: 50 }

type Match = NonNullable<Message['match']>

/** A part of a text, in UTF-16 units. */
interface Span {
  readonly start: number
  readonly end: number
}

/**
 * The messages that a search has found, each with the text that meets most of it. Those that are left out, because what is before them
 * has long texts, belong to the next page.
 */
export async function addMatches(db: Database, messages: readonly Message[], q: string): Promise<Message[]> {
  const query = parseSearch(q)
  const pause = await takeTurns()
  const shown: Message[] = []
  let cost = 0
  let atOnce = READ_AT_ONCE.fewest
  while (shown.length < messages.length && cost < MAX_COST) {
    const some = messages.slice(shown.length, shown.length + atOnce)
    const before = cost
    const best = new Map<string, Scored>()
    const examine = async (id: string, texts: readonly SearchedText[]) => {
      const scored = await choose(query, texts, pause)
      cost += scored.cost
      if (scored.met > (best.get(id)?.met ?? 0)) best.set(id, scored)
    }
    for (const message of some) await examine(message.id, visitorTexts(message))
    // What is not all in the words of the list is looked for in those of the conversation.
    const rest = some.filter(({ id }) => (best.get(id)?.met ?? 0) < query.length).map(({ id }) => id)
    for (const { id, visible, notes } of await offMainThread(() => readConversations(db, rest)))
      await examine(id, [...visible, ...notes])
    for (const message of some) {
      await pause()
      const hit = best.get(message.id)?.hit
      shown.push(hit ? { ...message, match: describe(query, hit, hit.words) } : message)
    }
    // As many as take what is left, if they are like these; never fewer, because each reading is a round trip.
    const each = Math.max(1, (cost - before) / some.length)
    const most = Math.min(atOnce * 4, READ_AT_ONCE.most)
    atOnce = Math.max(READ_AT_ONCE.fewest, Math.min(most, Math.floor((MAX_COST - cost) / each)))
  }
  return shown
}

interface ReadText extends SearchedText {
  readonly words: readonly Word[]
}

interface Scored {
  readonly hit?: ReadText
  /** Clauses that the text meets by itself. */
  readonly met: number
  readonly cost: number
}

/** The text that meets most clauses, the first of several. */
async function choose(
  query: SearchQuery,
  texts: readonly SearchedText[],
  pause: () => Promise<void>,
): Promise<Scored> {
  let best: Omit<Scored, 'cost'> = { met: 0 }
  let cost = 0
  for (const text of texts) {
    await pause()
    cost += text.text.length
    const characters = charactersOf(text)
    if (!query.some(clause => mayMeet(clause, characters))) continue
    cost += text.text.length * COST_OF_WORDS
    const words = wordsOf(text.text)
    const prepared = prepareText(text, words)
    const met = query.filter(clause => meets(clause, prepared)).length
    if (met > best.met) best = { hit: { ...text, words }, met }
    if (met === query.length) break
  }
  return { ...best, cost }
}

/** The part of a text around its first hit, on one line, and where the hits are in it. */
export function describe(
  query: SearchQuery,
  { field, text }: SearchedText,
  words: readonly Word[] = wordsOf(text),
): Match {
  const read = { field, text, words }
  const first = findNeedles(query, read, 1).reduce((at, hit) => Math.min(at, hit.start), text.length)
  const { start, end } = windowOf(text, first)
  const seen = words.filter(word => word.start >= start && word.end <= end)
  const hits = inOneLine(findNeedles(query, { ...read, words: seen }, MAX_HITS))
  const marks: Span[] = []
  let excerpt = start > 0 ? '… ' : ''
  const add = (part: string) => {
    const line = part.replace(/\s+/gu, ' ')
    excerpt += excerpt === '' || excerpt.endsWith(' ') ? line.trimStart() : line
  }
  let at = start
  for (const hit of hits.filter(it => it.start >= start && it.end <= end)) {
    add(text.slice(at, hit.start))
    const from = excerpt.length
    add(text.slice(hit.start, hit.end))
    marks.push({ start: from, end: excerpt.length })
    at = hit.end
  }
  add(text.slice(at, end))
  return { field, excerpt: excerpt.trimEnd().toWellFormed(), marks }
}

/** Begins at a word, so that the hit is seen in a narrow column too. */
function windowOf(text: string, hit: number): Span {
  if (text.length <= EXCERPT_LENGTH || hit <= BEFORE_HIT)
    return { start: 0, end: endOf(text, EXCERPT_LENGTH) }
  const earliest = hit - BEFORE_HIT
  const space = text.slice(earliest, hit).search(/\s/u)
  const start = space === -1 ? endOf(text, earliest) : earliest + space + 1
  return { start, end: endOf(text, start + EXCERPT_LENGTH) }
}

/** Not between the two units of a character. */
function endOf(text: string, at: number): number {
  return /^[\udc00-\udfff]/.test(text.slice(at, at + 1)) ? at + 1 : at
}

/** In their order, none over another. */
function inOneLine(found: readonly Span[]): Span[] {
  const hits: Span[] = []
  for (const hit of found.toSorted((one, other) => one.start - other.start || other.end - one.end)) {
    const last = hits.at(-1)
    if (!last || hit.start >= last.end) hits.push(hit)
    else if (hit.end > last.end) hits[hits.length - 1] = { start: last.start, end: hit.end }
  }
  return hits
}

/** Where these words of a text are what was looked for. @param most hits of each needle */
function findNeedles(query: SearchQuery, { field, text, words }: ReadText, most: number): Span[] {
  const line = lineOf(text, words)
  return query.flat().flatMap(needle => {
    if (needle.in === 'parts') return findParts(needle, field, text)
    return field === 'phone' ? [] : findWords(needle, words, line, most)
  })
}

function findWords({ text: needle }: Needle, words: readonly Word[], line: Line, most: number): Span[] {
  const wanted = needle.replace(NAME_MARK, ' ')
  const spans: Span[] = []
  const padding = wanted.length - wanted.trimStart().length
  const length = wanted.trim().length
  for (let at = line.text.indexOf(wanted); at !== -1 && spans.length < most; ) {
    const from = at + padding
    spans.push({
      start: placeOf(words, line, from, 'start'),
      end: placeOf(words, line, from + length, 'end'),
    })
    at = line.text.indexOf(wanted, from + length)
  }
  if (spans.length > 0) return spans
  return words.filter(({ others }) => others.some(other => ` ${other} `.includes(wanted))).slice(0, most)
}

/** Where a place in the line is in the text: a word that is longer or shorter there counts as a whole. */
function placeOf(words: readonly Word[], line: Line, at: number, side: 'start' | 'end'): number {
  const offset = side === 'end' ? at - 1 : at
  let index = line.starts.findIndex(start => start > offset)
  index = index === -1 ? words.length - 1 : index - 1
  const word = words[index]
  if (!word) return 0
  const inWord = at - (line.starts[index] ?? 0)
  return word.text.length === word.end - word.start ? word.start + inWord : word[side]
}

function findParts({ text: needle }: Needle, field: SearchedText['field'], text: string): Span[] {
  if (field !== 'phone' && field !== 'email' && field !== 'reference')
    return phonesOf(text).filter(({ digits }) => digits.includes(needle))
  // Character by character, so that each place is known; these texts are short.
  const characters: (Span & { text: string })[] = []
  for (const character of text) {
    const start = characters.at(-1)?.end ?? 0
    const folded = field === 'phone' ? (partsOf(field, character)[0] ?? '') : fold(character)
    characters.push({ text: folded, start, end: start + character.length })
  }
  const places = characters.flatMap(({ text: folded, ...span }) => [...folded].map(() => span))
  const at = characters
    .map(it => it.text)
    .join('')
    .indexOf(needle)
  const [first, last] = [places[at], places[at + [...needle].length - 1]]
  return at === -1 || !first || !last ? [] : [{ start: first.start, end: last.end }]
}
