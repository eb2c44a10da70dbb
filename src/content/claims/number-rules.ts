import type { Found } from './clean-text.ts'
import { isDisclaimed } from './disclaimers.ts'
import { type Rule, sources } from './finding.ts'

export const closedSubclass: Rule = {
  rule: 'closed-subclass',
  level: 'stop',
  why: 'This subclass takes no new applications.',
  source: sources.misleading,
  suggestion: 'Say that it is closed, and what replaced it.',
}
export const incompleteFee: Rule = {
  rule: 'incomplete-fee',
  level: 'reason',
  why: 'A fee needs the total, the GST and the date from which it applies.',
  source: sources.prices,
  suggestion: 'Name the total, say that it includes GST, and since when it applies.',
}
export const looseNumber: Rule = {
  rule: 'number-outside-fact',
  level: 'reason',
  why: 'A number that changes needs a date, a source and a review.',
  source: sources.house,
  suggestion: 'Keep it under Facts, and put it here with the button Fact.',
}
/** Of a field that has no such button. */
export const elsewhere = 'Leave it out here. A text or a table can give it, as a fact.'

const month =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
const units =
  '(?:per ?cent|million|thousand|points?|years?|months?|weeks?|days?|hours?|minutes?|dollars?|aud|km|in 10)'
/** Numbers that are no figures of the law: dates, times, names of visas, forms and laws, steps, phone numbers. */
const plainNumbers = new RegExp(
  [
    `\\b\\d{1,2}(?:st|nd|rd|th)? ${month}\\b(?: \\d{4})?`,
    `\\b${month} \\d{1,2}(?:st|nd|rd|th)?(?:, ?\\d{4})?\\b`,
    '\\b(?:19|20)\\d\\d(?:[-/]\\d{2,4}){0,2}\\b',
    '\\b\\d{1,2}/\\d{1,2}/\\d{2,4}\\b',
    '\\b\\d{1,2}(?:[:.]\\d\\d)? ?[ap]\\.?m\\b',
    '\\b\\d{1,2}:\\d\\d\\b',
    '\\b24 ?[/x-] ?7\\b',
    // "25 and 26 December", "9.30 to 17.00", "5 MB", "88 High Street", "WA 6160", "ANZSCO code 261313".
    `\\b(?:\\d{1,2}(?:st|nd|rd|th)?(?:, | and | to | or | ?- ?)){1,5}\\d{1,2}(?:st|nd|rd|th)? ${month}\\b`,
    '\\b\\d{1,2}\\.\\d\\d (?:to|until|-) \\d{1,2}\\.\\d\\d\\b',
    '\\b\\d{1,4}[ -]?(?:minutes?|mins?|dpi|[kmg]b|mm|cm|pixels?|km|metres?|kilometres?)\\b',
    `\\b\\d{1,4}[a-z]?(?:[-/]\\d{1,4})? (?!${units}\\b)(?:[a-z']{1,20} ){1,3}(?:street|road|avenue|terrace|parade|lane|drive|highway|quay|boulevard|crescent)\\b`,
    '\\b(?:nsw|vic|qld|wa|sa|tas|act|nt),? \\d{4}\\b',
    '\\b(?:anzsco|osca|cricos|codes?)(?: (?:codes?|numbers?|provider))? ?#?\\d[\\d ]{2,10}',
    '\\bcovid[- ]?19\\b',
    '\\b24 hours a day\\b',
    '\\b100 points? of (?:id\\b|identi\\w+)',
    // "We reply within 2 business days": of this office, not of the law.
    '\\b(?:we|us|our)\\b[^.;]{0,40}?\\b(?:repl(?:y|ies)|answers?|respond|call you back|get back|write back)\\b[^.;]{0,40}?\\bwithin \\d{1,2} (?:business |working |office )?(?:hours?|days?)\\b',
    '\\bsubclass(?:es)?:? \\d{3}(?:(?:, | and | or |, and |, or |/)\\d{3}\\b){0,20}',
    '\\b\\d{3}(?= (?:visas?|nominations?|applications?|applicants?|holders?|sponsors?|streams?)\\b)',
    '\\b(?:articles?|chapters?|paragraphs?|annex|tables?|figures?|modules?|sections?|regulations?|schedules?|parts?|divisions?|forms?|items?|conditions?|clauses?|levels?|steps?|pages?|questions?|stages?|stream|lin|marn|abn|acn|act|no|number|version|room|suite|unit|po box|ielts) ?#?\\d[\\d/ .]{0,12}[a-z]?\\b',
    '\\b\\d{1,2}(?:st|nd|rd|th)\\b',
    '\\b100 ?(?:%|per ?cent)',
    '\\+\\d[\\d ]{6,15}',
    '\\b(?:0\\d|1[38]00)[\\d ]{6,12}\\b',
  ].join('|'),
  'gi',
)
/** Small numbers of things, unlike those of a law: "3 forms", but not "5 years". */
const counts =
  /(?<![\d.,]|\bout of )(?:\d|1[0-2])(?![\d,.]{0,12}\d| ?%| ?per ?cent| ?(?:points?|years?|months?|weeks?|days?|hours?|minutes?|dollars?|aud|million|thousand|km|out of|in 10)\b)/gi
const money = /(?:\baud|(?<!\w)a?\$|\busd) ?\d[\d,]{0,15}(?:\.\d{1,4})?|\b\d[\d,]{0,15} ?(?:dollars|aud)\b/i
const number = new RegExp(
  `(?:\\b(?:aud|a\\$) |\\$)?\\d(?:[\\d,.]{0,20}\\d)?(?: ?%| out of \\d+\\b| ?${units}\\b)?`,
)

/** Takes away what is harmless, so that everything else stays in its place. */
const blank = (text: string) => ' '.repeat(text.length)

/** @param subclasses the known ones, whose numbers may stand alone @param from where the text of the field begins */
export function findNumber(sentence: string, subclasses: ReadonlyMap<string, unknown>, from: number) {
  if (!/\d/.test(sentence)) return null
  const rest = sentence
    .replaceAll(plainNumbers, blank)
    .replaceAll(/\b\d{3}\b/g, each => (subclasses.has(each) ? blank(each) : each))
    .replaceAll(counts, blank)
  return firstFrom(number, rest, from)
}

function firstFrom(expression: RegExp, text: string, from: number): Found | null {
  const match = new RegExp(expression, 'gi')
  match.lastIndex = from
  const found = match.exec(text)
  return found && { start: found.index, end: found.index + found[0].trimEnd().length }
}

/** The amount of an own fee, such as AUD 900. What the Department charges is a figure instead. */
export function findFee(sentence: string, from: number): Found | null {
  const amount = firstFrom(money, sentence, from)
  if (!amount || /\b(?:department|home affairs|government|visa application charge)\b/i.test(sentence))
    return null
  return /\b(?:fees?|cost\w*|charge[sd]?|price\w*|pay|quote|gst|dollars an hour|per hour)\b/i.test(sentence)
    ? amount
    : null
}

/** What a page says about its fees, which takes a look at all of it. */
export function describesFees(page: string): boolean {
  const hasTotal = /\b(?:total|in all|altogether|fixed fee|all[ -]inclusive)\b/i.test(page)
  return hasTotal && new RegExp(`\\b(?:${month} )?20\\d\\d\\b`, 'i').test(page)
}

export function namesGst(block: string): boolean {
  return /\bgst\b/i.test(block)
}

const offer =
  /\b(?:apply|applying|applications? (?:are|is) (?:open|welcome|accepted)|open|available|start|invest|lodge|get|secure|offer\w*|choose|qualify|eligible|join|still (?:possible|time)|places? (?:left|remain\w*)|through|help\w*|with (?:a|the|our))\b/i
const isClosedWord =
  /\b(?:clos(?:ed|es|ing)|no (?:new|more|longer)|not (?:open|available|take|accept|apply)|ended|ceased|stopped|replaced|former\w*|was open|were open|used to|hold|holds|holders?|holding|already have|until (?:31 )?july 2024|nobody can|cannot|can't|can no|may not|never)\b/i

export function findClosedOffer(sentence: string, subclasses: ReadonlyMap<string, 'open' | 'closed'>) {
  for (const { index, 0: quote } of sentence.matchAll(/\b\d{3}\b/g)) {
    if (subclasses.get(quote) !== 'closed') continue
    const around = sentence.slice(Math.max(0, index - 150), index + 150)
    const isAbout = /\b(?:subclass(?:es)?|visas?|stream|business|invest\w*)\b/i.test(around)
    const isOffered = offer.test(around) && !isClosedWord.test(around)
    const found = { start: index, end: index + quote.length }
    if (isAbout && isOffered && !isDisclaimed({ sentence, ...found }, '')) return found
  }
  return null
}
