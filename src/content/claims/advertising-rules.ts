import { childOf, isList, isObject, type Part } from '../json.ts'
import { removeInvisible, type Sentence, toShown } from './clean-text.ts'
import { type ClaimContext, DEAD_LINK, type Finding, type Rule, sources } from './finding.ts'
import { agency, trade, type WordingRule, words } from './wording.ts'

/** Rules of the level reason: what advertisements say, and somebody must be able to prove. */

const superlative: Rule = {
  rule: 'superlative',
  level: 'reason',
  why: 'A comparison with all others must be proved.',
  source: sources.promotion,
  suggestion: 'Say what you do, and let readers compare.',
}
const always: Rule = {
  rule: 'always-open',
  level: 'reason',
  why: 'Readers expect a person at any hour.',
  source: sources.consumerLaw,
  suggestion: 'Say when you answer.',
}
const free: Rule = {
  rule: 'free',
  level: 'reason',
  why: 'What is called free must have no condition and no later charge.',
  source: sources.consumerLaw,
  suggestion: 'Say what costs nothing, and what the next step costs.',
}

/** Of somebody who is not this agency, in the same statement. */
const ofOthers =
  '^(?!.*\\b(?:our|we|us)\\b).*\\b(?:immiaccount|tis national|interpreters?|register|medicare|schools?|librar(?:y|ies)|classes|courses|amep)\\b[^.;:!]{0,60}$'

export const advertisingRules: readonly WordingRule[] = [
  {
    ...superlative,
    pattern: words(
      `best (?:[\\w-]+ ){0,2}?${trade}(?:agen(?:ts?|cy|cies)|lawyers?|firms?|teams?|compan(?:y|ies)|consultants?|experts?|specialists?|services?|advice|results?|prices?|rates?|fees|support|help|chance|chances)\\b|(?:we are|we're|simply|quite simply|truly) the best\\b|(?:the )?best in (?:the (?:business|country|industry)|australia|sydney|melbourne|brisbane|perth|adelaide|town)\\b|second to none|unbeatable|unrivalled|unmatched`,
    ),
    unlessBefore: /\bthe $/i,
    unlessAfter: /^ (?:is|are) (?:the one|those) who (?:listen|ask)/i,
  },
  {
    ...superlative,
    pattern: words(
      `the best (?:[\\w-]+ ){0,2}?${trade}(?:agen(?:ts?|cy|cies)|lawyers?|firms?|teams?|consultants?|experts?|specialists?|services?|advice|results?|prices?|support|help|chance)\\b|leading (?!an?\\b|the\\b|to\\b|your\\b)(?:[\\w-]+ ){0,2}?${agency}\\b|(?:australia|sydney|melbourne|brisbane|perth)'s (?:leading|best|finest|top|fastest|favourite|favorite|most trusted)\\b|(?:the )?(?:most trusted|most experienced|cheapest|lowest[ -]cost|top[ -]rated|top) ${trade}${agency}\\b`,
    ),
  },
  {
    ...superlative,
    pattern:
      /(?:#|\bno\.? ?|\bnumber[ -])(?:1|one)\b(?= (?:[\w-]+ ){0,3}?(?:agen(?:ts?|cy)|lawyers?|firm|team|choice|consultants?|experts?|in (?:australia|sydney|melbourne|brisbane|perth)|for (?:visas|migration)|migration|immigration|visa)\b)/gi,
    unlessAfter: /^ (?:reason|mistake|question|cause|problem)/i,
  },
  {
    ...superlative,
    pattern: words(
      'fastest (?:[\\w-]+ ){0,2}?(?:visas?|process\\w*|services?|approvals?|results?|agen(?:ts?|cy)|turnaround|decisions?|route|path|pathway|way to (?:get )?(?:a |your )?(?:\\w+ )?(?:visa|residen|pr\\b))|quickest (?:visa|approval|path|route|service)',
    ),
  },
  {
    ...always,
    pattern: words(
      '24 ?[/x-] ?7(?![/.-]?\\d|/)|24 hours a day\\b|twenty-four hours a day\\b|(?:a)?round[ -]the[ -]clock\\b|seven days a week\\b|7 days a week\\b|365 days',
    ),
    // Others may be.
    unlessBefore:
      /^(?!.*\b(?:our|we|us)\b).*\b(?:immiaccount|tis national|hospitals?|police|lifeline|online system)\b[^.;:!]{0,60}$/i,
  },
  {
    ...free,
    pattern: words('free\\b|(?:at )?no (?:extra )?(?:cost|charge)\\b|(?:with)?out (?:cost|charge)\\b'),
    unlessBefore: new RegExp(
      `${ofOthers}|(?:[a-z]-|\\b(?:feel|set|are|is|am|be|were|was|you're|visa|tax|toll|duty|hands|break|breaks|keep|remain|stay) (?=.?$)|\\bmake .{0,20} )$`,
      'i',
    ),
    unlessAfter:
      /^(?:-(?!of|call|consult|assess|quote)| (?:to\b|from\b|movement|trade|will\b|time\b|speech|press|standing|hand\b|choice|country|citizen|of (?!charge|cost|fees?|any (?:charge|cost|fee)))|zone)/i,
  },
  {
    ...free,
    pattern: words('(?:is|are) (?:completely |always |absolutely |totally |entirely )?free\\b'),
    unlessBefore: new RegExp(ofOthers, 'i'),
    unlessAfter: /^(?:-| (?:to\b|from\b|of (?!charge|cost|fees?)|when\b|again\b|on \w+day))/i,
  },
]

const longSentence: Rule = {
  rule: 'long-sentence',
  level: 'hint',
  why: 'Many readers have English as a second language.',
  source: sources.house,
  suggestion: 'Make two sentences of it.',
}
const unclearLink: Rule = {
  rule: 'unclear-link',
  level: 'hint',
  why: 'A screen reader lists links without the words around them.',
  source: 'WCAG 2.2, 2.4.9: link purpose',
  suggestion: 'Name the page that the link leads to.',
}
const deadLink: Rule = {
  rule: DEAD_LINK,
  level: 'hint',
  why: 'Visitors find no such page on this site. In a menu, the link is left out.',
  source: sources.house,
  suggestion: 'Choose a page of the list, or publish that page first.',
}

/** Of one sentence. */
const MAX_WORDS = 25

export function findLongSentence({ shown }: Sentence, path: string): Finding[] {
  if (shown.length <= MAX_WORDS * 2 || shown.split(' ', MAX_WORDS + 1).length <= MAX_WORDS) return []
  return [{ ...longSentence, path, sentence: shown, quote: shown, at: 0 }]
}

const unclear =
  /^(?:(?:click|press|see|look|go|tap) here|here|(?:read|learn|see|find out|show)? ?more(?: info(?:rmation)?)?|this(?: page| link| site)?|link|click|details|continue|page|https?:.*|www\..*)\W*$/i

/** Of a link in rich text, or of a field that leads to a page. */
export function findInLinks({ path, key, value }: Part, { paths }: ClaimContext): Finding[] {
  if (isDead(key, value, paths)) return [inLink(deadLink, path, String(value))]
  const text = linkText(value)
  const isUnclear = text !== null && unclear.test(removeInvisible(text.slice(0, 100)).trim())
  return isUnclear ? [inLink(unclearLink, path, text)] : []
}

function inLink(rule: Rule, path: string, text: string): Finding {
  const sentence = toShown(removeInvisible(text))
  return { ...rule, path, sentence, quote: sentence, at: 0 }
}

function isDead(key: string, value: unknown, paths: ReadonlySet<string> | null): boolean {
  if (paths === null || typeof value !== 'string') return false
  if (!['href', 'buttonLink', 'path', 'address'].includes(key) || !value.startsWith('/')) return false
  const [path = ''] = value.split(/[?#]/, 1)
  // The pages have no slash at their end, and lead to themselves with one.
  return !paths.has(path === '/' ? path : path.replace(/\/$/, ''))
}

function linkText(value: unknown): string | null {
  if (!isObject(value) || typeof value.text !== 'string') return null
  if (value.type === 'button') return value.text
  return isList(value.marks) && value.marks.some(mark => childOf(mark, 'type') === 'link') ? value.text : null
}
