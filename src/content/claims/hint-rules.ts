import { removeInvisible, type Sentence, toShown } from './clean-text.ts'
import { type ClaimContext, DEAD_LINK, type Finding, type Rule, sources } from './finding.ts'
import type { Part } from './leaves.ts'

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
  if (typeof value !== 'object' || value === null || !('text' in value) || typeof value.text !== 'string')
    return null
  if ('type' in value && value.type === 'button') return value.text
  const marks: unknown = 'marks' in value ? value.marks : null
  return Array.isArray(marks) && marks.some(isLink) ? value.text : null
}

function isLink(mark: unknown): boolean {
  return typeof mark === 'object' && mark !== null && 'type' in mark && mark.type === 'link'
}
