import { describeValue, type Facts } from '../facts.ts'

/** Sentences as people read them, and as the rules compare them. */
export interface Sentence {
  /** As `shown`, but with the marks of facts, which are as long, and at any length. */
  readonly line: string
  /** Where in `shown` the text of the field begins: what is before it are the headings of a cell, or a label. */
  readonly ownFrom: number
  /** On one line, without invisible characters; a fact is its name in brackets. */
  readonly shown: string
  /** The same in plain characters; a fact is the word "fact", because its number is none of the sentence. */
  readonly plain: string
  /** The same with what the facts say, because that may be words. */
  readonly said: string
}

/** Characters that an override may have. The rest of a longer one is not in a finding. */
const MAX_SHOWN = 2000

/** Enclose the name of a fact in a text. They are of the private use area, so no text needs them. */
const FACT = ['\uE000', '\uE001'] as const
/** Characters of a fact that are read where it is named: a page may name many. */
const MAX_VALUE = 100
const factNames = /\uE000([^\uE001]*)\uE001/g

export function factMark(name: string): string {
  return FACT[0] + name.replaceAll(/[^a-z0-9-]/g, '') + FACT[1]
}

/** C1 controls are among them, and code points that are still free but must not be seen either. */
const invisible = /[\p{Cf}\p{Co}\p{Default_Ignorable_Code_Point}\u0080-\u009F]/gu

/** Without characters that nobody sees, such as zero-width spaces, soft hyphens and half of a character. */
export function removeInvisible(text: string): string {
  return text.toWellFormed().replaceAll(invisible, '')
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

/** The sentences of a text that has no invisible characters but the marks of facts. */
export function splitSentences(text: string, facts: Facts, ownFrom = 0): Sentence[] {
  const line = text
    // Pages show a line break within a text as a space.
    .replaceAll(/\s/g, ' ')
    // The segmenter would end the sentence there.
    .replaceAll(/\b(No|Nr|Dr|Mr|Ms|Mrs|St|approx)\.(?= ?[\dA-Z])/gi, '$1 ')
  return Array.from(segmenter.segment(line), ({ segment, index }) =>
    toSentence(segment, facts, ownFrom - index),
  ).filter(({ shown }) => shown !== '')
}

function toSentence(segment: string, facts: Facts, ownFrom: number): Sentence {
  const line = toLine(segment)
  const plain = toPlain(line.replaceAll(factNames, 'fact'))
  const said = line.replaceAll(factNames, (_, name) => sayFact(facts, name))
  return {
    line,
    ownFrom: ownFrom > 0 ? toLine(segment.slice(0, ownFrom)).length : 0,
    shown: toShown(line.replaceAll(factNames, '[$1]')),
    plain,
    said: said === line ? plain : toPlain(toLine(said)),
  }
}

/** Where in `plain` the text of the field begins, in characters. */
export function ownFromInPlain({ line, ownFrom, plain }: Sentence): number {
  if (ownFrom === 0) return 0
  return Math.max(0, plain.length - toPlain(line.slice(ownFrom).replaceAll(factNames, 'fact')).length)
}

/** Words that a rule has found, by their place in `plain` or in `said`. */
export interface Found {
  readonly start: number
  readonly end: number
}

/**
 * Where words that were found are in `shown`; null beyond its end. The characters are followed one by one, because one of
 * `shown` may be none or several of the other.
 * @param read `plain` or `said`, with what stands there for a fact
 */
export function placeInShown(
  { line, shown, plain }: Sentence,
  read: string,
  { start, end }: Found,
  facts: Facts,
): Found | null {
  if (read === shown) return { start, end }
  let [at, from] = [0, -1]
  for (const { index, 0: piece } of line.matchAll(/\uE000[^\uE001]*\uE001|[\s\S]/gu)) {
    if (index >= shown.length) return null
    const name = piece.startsWith(FACT[0]) ? piece.slice(1, -1) : null
    const as = name === null ? toLatin(piece) : read === plain ? 'fact' : toPlain(sayFact(facts, name))
    // A rule may have put words together, or taken them apart.
    if (read[at] === ' ' && as !== ' ' && read.startsWith(as, at + 1)) at++
    if (as === '' || !read.startsWith(as, at)) continue
    if (from < 0 && at + as.length > start) from = index
    at += as.length
    if (at >= end) return from < 0 ? null : { start: from, end: index + piece.length }
  }
  return null
}

function sayFact(facts: Facts, name: string): string {
  const fact = facts.get(name)
  return fact ? removeInvisible(describeValue(fact).slice(0, MAX_VALUE)) : 'fact'
}

/** As a finding quotes it, and an override repeats it: on one line and not too long. */
export function toShown(text: string): string {
  return toLine(text).slice(0, MAX_SHOWN).toWellFormed().trim()
}

function toLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}\u2800]+/gu, ' ').trim()
}

const quotes = {
  '\u2018\u2019\u201A\u201B\u02BC\u2032\u00B4`': "'",
  '\u201C\u201D\u201E\u201F\u00AB\u00BB\u2033': '"',
}
const dashes = { '\u2010\u2011\u2012\u2013\u2014\u2015\u2212': '-' }
/** Characters of other scripts that look like Latin ones, in pairs. */
const lookalikes =
  'АAВBЕEКKМMНHОOРPСCТTХXУYІIЅSЈJԌGԚQԜWаaеeоoрpсcуyхxіiѕsјjһhԁdԛqԝwѵvΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXαaοoνvρpυuιiκkɡgıiᴀaʙbᴄcᴅdᴇeꜰfɢgʜhɪiᴊjᴋkʟlᴍmɴnᴏoᴘpʀrꜱsᴛtᴜuᴠvᴡwʏyᴢzӏlтtмmвbнhкkпnиuгrτtηnεeγyωwσoςsοoսuոnօoցgհhԍgƽs'

const plainLetters = new Map([
  ...Object.entries({ ...quotes, ...dashes }).flatMap(([from, to]) =>
    [...from].map(each => [each, to] as const),
  ),
  ...Array.from(
    { length: lookalikes.length / 2 },
    (_, at) => [lookalikes[at * 2] ?? '', lookalikes[at * 2 + 1] ?? ''] as const,
  ),
])

/** Characters in coloured circles, squares and flags, which begin with A at these code points. */
const framed = [0x1f150, 0x1f170, 0x1f1e6]

function plainLetter(character: string): string {
  if (/\p{M}/u.test(character)) return ''
  const point = character.codePointAt(0) ?? 0
  const first = framed.find(each => point >= each && point < each + 26)
  if (first !== undefined) return String.fromCodePoint(0x41 + point - first)
  return plainLetters.get(character) ?? character
}

/** A field that is read as a whole, in the characters that the rules compare. */
export function toPlainField(text: string): string {
  return toPlain(toShown(removeInvisible(text)))
}

/** Without accents, in Latin characters, with straight quotation marks, each word in one piece. */
function toPlain(text: string): string {
  return joinWords(toLatin(text))
}

function toLatin(text: string): string {
  if (!/[^ -~]/.test(text)) return text
  // Marks first: to sort many of them takes time that grows with the square of their number.
  return text
    .replaceAll(/\p{M}+/gu, '')
    .normalize('NFKD')
    .replaceAll(/[^ -~]/gu, plainLetter)
}

/** Words of the rules that are written in parts: "guar-antee" at the end of a line, "G U A R A N T E E D" as a design. */

const known =
  'guaranteeing guaranteed guarantees guarantee guaranty assured assures assure hundred percent successful success approvals approval approved acceptance promises promise certain refused relationships relationship connections connection contacts insiders insider inside government department endorsed accredited recommended authorised leading fastest cheapest unbeatable visas visa residence residency citizenship immigration migration risk free best rate'.split(
    ' ',
  )
/** Characters. The parts of a shorter word may be words, as in "vis a vis". */
const LONG = 8

/** @param separator between any two characters */
const inParts = (word: string, separator: string) => [...word].join(separator)
const parted = new RegExp(
  `\\b(?:${known
    .map(word =>
      inParts(word, word.length < LONG ? '[-*_\u00B7\u2022\u2027]?' : '[-*_\u00B7\u2022\u2027. ]?'),
    )
    .join('|')})`,
  'gi',
)
const spaced = /\b(?:[a-z] ){4,}[a-z]\b/gi
const whole = new RegExp(known.join('|'), 'gi')

/** @param text in plain characters */
function joinWords(text: string): string {
  return text
    .replaceAll(spaced, text => text.replaceAll(' ', '').replaceAll(whole, ' $& ').trim())
    .replaceAll(parted, word => word.replaceAll(/[^a-z]/gi, ''))
}
