/** How texts become comparable words, the same for what is stored and for what somebody looks for. */

/** A word as it is compared, and where it stands in the text, in UTF-16 units. */
export interface Word {
  readonly text: string
  readonly start: number
  readonly end: number
  /** Whether it is written without spaces between words, as Chinese is: it is found by any of its characters. */
  readonly isUnspaced: boolean
  /** Other spellings of the same word, such as `o connor` of *O’Connor*, and `jeanpaul` where a compound ends. */
  readonly others: readonly string[]
}

/** Invisible characters within words: a soft hyphen, joiners, marks of direction. */
const INVISIBLE = '\\u00ad\\u200b-\\u200f\\u202a-\\u202e\\u2060\\u2066-\\u2069\\ufeff'
const UNSPACED =
  '[[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Bopo}\\p{scx=Thai}\\p{scx=Laoo}\\p{scx=Khmr}\\p{scx=Mymr}]&&[\\p{L}\\p{M}]]'
const SPACED = `[[\\p{L}\\p{M}\\p{N}${INVISIBLE}]--${UNSPACED}]+`
const APOSTROPHES = "'’‘ʼ`´＇"
const DASHES = '\\-‐‑‒–—−－'

/** A word of ASCII, which most are, with nothing after it that could belong to it: this is several times quicker. */
const PLAIN = '([A-Za-z0-9]+)(?=[\\s!-&\\(-,.\\/:-@\\[-_\\{-~]|$)'
/** Otherwise a run of characters without spaces, an emoji, or words that apostrophes and dashes join. */
const RUNS = new RegExp(
  `${PLAIN}|(${UNSPACED}+|\\p{Extended_Pictographic})|${SPACED}(?:[${APOSTROPHES}${DASHES}]${SPACED})*`,
  'gv',
)
const PIECES = new RegExp(SPACED, 'gv')
const JOINER = new RegExp(`[${APOSTROPHES}${DASHES}]`, 'v')
const DASH = new RegExp(`[${DASHES}]`, 'v')

/** Accents and points of Latin, Greek, Cyrillic, Hebrew and Arabic, the Arabic tatweel, and what is invisible. */
const MARKS = new RegExp(
  `[\\u0300-\\u036f\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f\\u0591-\\u05c7\\u0610-\\u061a\\u0640\\u064b-\\u065f\\u0670\\u06d6-\\u06ed${INVISIBLE}]`,
  'gv',
)
/** No script has so many on one character, and to put them in order takes the square of their number. */
const MANY_MARKS = /(\p{M}{8})\p{M}+/gu
const ASCII = /^[\x20-\x7e]*$/

/** What Unicode does not decompose, and Arabic and Persian characters that are typed for one another. */
const alike: Readonly<Record<string, string>> = {
  ...{ đ: 'd', ð: 'd', ħ: 'h', ı: 'i', ł: 'l', ø: 'o', ŧ: 't', þ: 'th', ß: 'ss', æ: 'ae', œ: 'oe', ς: 'σ' },
  ...{ ى: 'ي', ی: 'ي', ک: 'ك', ة: 'ه', ۀ: 'ه', ہ: 'ه', ھ: 'ه', ٱ: 'ا' },
}
const ALIKE = new RegExp(`[${Object.keys(alike).join('')}]`, 'gu')
const FOREIGN_DIGITS = /[٠-٩۰-۹]/gu
/** The article, alone or after *and*, *so*, *with*, *like*, or joined to *for*. */
const ARTICLE = /^(?:[وفبك]?ال|لل)(?=\p{L}{2})/u

/** In lower case, without accents, and with one character for those that are alike. */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  return text
    .replace(MANY_MARKS, '$1')
    .normalize('NFKD')
    .replace(MARKS, '')
    .toLowerCase()
    .replace(ALIKE, character => alike[character] ?? character)
    .replace(FOREIGN_DIGITS, digit => String((digit.codePointAt(0) ?? 0) & 0xf))
    .normalize('NFC')
}

const NONE: readonly string[] = []

export function wordsOf(text: string): Word[] {
  const words: Word[] = []
  RUNS.lastIndex = 0
  for (let match = RUNS.exec(text); match; match = RUNS.exec(text)) {
    const [run, plain, unspaced] = match
    const [start, end] = [match.index, match.index + run.length]
    if (plain !== undefined)
      words.push({ text: plain.toLowerCase(), start, end, isUnspaced: false, others: NONE })
    else if (unspaced !== undefined)
      words.push({ text: fold(unspaced), start, end, isUnspaced: true, others: NONE })
    else addJoined(words, run, start)
  }
  return words
}

/** An apostrophe does not end a word, a dash does; both spellings are known, and both without the mark. */
function addJoined(words: Word[], run: string, index: number) {
  if (!JOINER.test(run)) return add(words, fold(run), index, index + run.length)
  const pieces = [...run.matchAll(PIECES)]
  const folded = pieces.map(([piece]) => fold(piece))
  let first = 0
  let start = 0
  for (const [at, piece] of pieces.entries()) {
    const end = piece.index + piece[0].length
    const isLast = at === pieces.length - 1
    if (!isLast && !DASH.test(run[end] ?? '')) continue
    const parts = folded.slice(first, at + 1)
    const others = [
      ...(parts.length > 1 ? [parts.join(' ')] : []),
      ...(isLast && DASH.test(run) ? [folded.join('')] : []),
    ]
    add(words, parts.join(''), index + start, index + end, others)
    first = at + 1
    start = end + 1
  }
}

function add(words: Word[], text: string, start: number, end: number, others: string[] = []) {
  const bare = text.replace(ARTICLE, '')
  if (bare !== text) others.push(bare)
  // Nothing is left of a mark that stands alone.
  if (text !== '') words.push({ text, start, end, isUnspaced: false, others })
}

/** A text that has words after one another, and where in it each begins. */
export interface Line {
  readonly text: string
  /** Where each word begins in the line. */
  readonly starts: readonly number[]
}

/** The words with one space around each, so that a space before a word is where it begins. */
export function lineOf(text: string, words: readonly Word[]): Line {
  const starts: number[] = []
  let line = ' '
  let before: Word | undefined
  for (const word of words) {
    // Names and texts in Chinese may have spaces, which mean nothing.
    const isBroken = before?.isUnspaced && word.isUnspaced && isSpace(text.slice(before.end, word.start))
    if (isBroken) line = line.slice(0, -1)
    starts.push(line.length)
    line += `${word.text} `
    before = word
  }
  return { text: line, starts }
}

function isSpace(text: string): boolean {
  return /^[ \u3000]*$/.test(text)
}
