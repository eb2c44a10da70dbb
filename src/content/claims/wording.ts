import type { Found } from './clean-text.ts'
import { isDisclaimed } from './disclaimers.ts'
import type { Rule } from './finding.ts'

/** A rule about the words of one sentence. All patterns are for plain characters, and take time in proportion to the text. */
export interface WordingRule extends Rule {
  readonly pattern: RegExp
  /** What must be near, within `NEAR` characters or, for a few words, in the sentences beside it. */
  readonly near?: RegExp
  /** What makes it harmless right before or right after it, or in the sentence around it. */
  readonly unlessBefore?: RegExp
  readonly unlessAfter?: RegExp
  readonly unlessAround?: RegExp
}

/** Characters. */
const NEAR = 120
/** Words. A shorter sentence, such as "Guaranteed.", is about what the sentences beside it are about. */
const FEW_WORDS = 6

export const agency =
  '(?:agen(?:ts?|cy|cies)|lawyers?|solicitors?|consultan(?:ts?|cy)|advis[eo]rs?|firms?|teams?|compan(?:y|ies)|experts?|specialists?|professionals?|offices?|services?|representatives?|partners?|people|choice)'

export const trade = `(?:(?:visa|migration|immigration|registered|legal|law)[ -]){0,3}`

export const words = (pattern: string) => new RegExp(`\\b(?:${pattern})`, 'gi')

const cues =
  /guarant|assur|100|hundred|risk|no[ -]win|no visa|promis|will|is sure|is certain|is bound|be refused|for sure|rate|of our|out of| in |never|%|per ?cent|special|close|privileged|personal|direct|unique|excellent|strong|good|inside|insider|secret|contacts?|connections?|friends|know|officer|influence|speed|fast|jump|approved|endorsed|authori|recommended|accredited|backed|certified|licen|preferred|best|second to none|unbeatable|unrivalled|unmatched|leading|'s |trusted|experienced|cheapest|lowest|top|#|no\.? ?1|one|number|quickest|24|clock|days|free|cost|charge/i

/** The first words of a sentence that break the rule, by their place. @param beside the sentences beside it, itself included */
export function findWording(rule: WordingRule, sentence: string, beside: string, lead: string): Found | null {
  for (const { index: start, 0: quote } of sentence.matchAll(rule.pattern)) {
    const end = start + quote.length
    if (isNear(rule, sentence, beside, start, end) && !isHarmless(rule, sentence, start, end))
      if (!isDisclaimed({ sentence, start, end }, lead)) return { start, end }
  }
  return null
}

export function hasCue(sentence: string): boolean {
  return cues.test(sentence)
}

function isNear({ near }: WordingRule, sentence: string, beside: string, start: number, end: number) {
  if (!near) return true
  const around = `${sentence.slice(Math.max(0, start - NEAR), start)}|${sentence.slice(end, end + NEAR)}`
  return (
    near.test(around) || near.test(sentence.slice(start, end)) || (isShort(sentence) && near.test(beside))
  )
}

function isShort(sentence: string): boolean {
  return sentence.length < 80 && sentence.split(' ').length <= FEW_WORDS
}

function isHarmless(rule: WordingRule, sentence: string, start: number, end: number): boolean {
  const from = Math.max(0, start - NEAR)
  const [before, after] = [sentence.slice(from, start), sentence.slice(end, end + NEAR)]
  return (
    rule.unlessBefore?.test(before) === true ||
    rule.unlessAfter?.test(after) === true ||
    rule.unlessAround?.test(sentence.slice(from, end + NEAR)) === true
  )
}
