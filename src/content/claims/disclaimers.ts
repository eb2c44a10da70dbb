import type { Found } from './clean-text.ts'

/** Whether a sentence says the opposite of a claim, warns of it, quotes it or asks about it. */

/** Characters before and after a match that are read, so that a long text takes no longer for each match. */
const WINDOW = 200

/** Words that are found, by their place in a sentence. */
export interface Match extends Found {
  readonly sentence: string
}

/** @param match in plain characters @param lead the line before a list */
export function isDisclaimed(match: Match, lead: string): boolean {
  const before = clauseBefore(match.sentence.slice(Math.max(0, match.start - WINDOW), match.start))
  const after = match.sentence.slice(match.end, match.end + WINDOW).split(/[,;:.!?]/, 1)[0] ?? ''
  return (
    promisedThen.test(match.sentence.slice(Math.max(0, match.start - WINDOW), match.start)) ||
    isNegated(before) ||
    isDenied(before, after) ||
    isWarning(match, before) ||
    isQuoted(match) ||
    isAsked(match) ||
    deniesList(lead)
  )
}

/** Where a new statement begins, which a "not" before it does not deny. */
const subject = '(?:we|our|you|your|i|my|it|they|this|every|all|get|choose|call|come|the visa|a visa|visas)'
const boundary = new RegExp(
  `[;:.!?]|\\s-+\\s|\\b(?:but|yet|however)\\b|, (?:(?:and|so|then|because|as|since) )?${subject}\\b|\\b(?:and|because|so) (?:we|our|your|you|it|they)\\b`,
  'gi',
)

function clauseBefore(text: string): string {
  // "We, who never lost a case, guarantee": what is in between denies nothing.
  const main = text.replaceAll(/, (?:who|which|that|whose)\b[^,]{0,100},/gi, ' ')
  const last = [...main.matchAll(boundary)].at(-1)
  return last
    ? main.slice(last.index + (/^[;:.!?]/.test(last[0]) ? 1 : 0)).replace(/^,? ?(but|yet|however)\b/i, '')
    : main
}

/** They have a "no" and deny nothing. */
const emphasis =
  /\b(?:not (?:only|just|merely|to mention|find)|(?:do not|don'?t|never) (?:miss|worry|wait|delay|hesitate|forget|look further|settle)|never (?:fails?|failed|lose|lost|disappoints?)|(?:cannot|can'?t|won'?t) (?:fail|lose|go wrong|be refused)|no (?:other|better|one else|doubt|question|problem|need|matter|wonder|stress|worr\w+|delays?|hassle|hidden|(?:fees?|visa)(?=,| no\b))|nobody else|nothing but|without (?:doubt|delay|stress|worry|hassle|question|waiting))\b/gi

const denial =
  /\b(?:not|never|cannot|can'?t|won'?t|don'?t|doesn'?t|\w+n't|nobody|no one|none|neither|nor|unable|refuse to|impossible|no such|forbid\w*|prohibit\w*|wrong to)\b/i
const deniedNoun = /\b(?:no|without|zero)(?: [\w-]+){0,2} ?["']?$/i
const deniedSubject =
  /\bno (?:[\w-]+ ){1,5}(?:can|could|may|might|is|are|has|have|will|should|must|does|do|gives?|makes?|offers?|comes?|carr\w+|says?|promises?)\b/i

function isNegated(before: string): boolean {
  const text = before.replaceAll(emphasis, ' ')
  return denial.test(text) || deniedNoun.test(text) || deniedSubject.test(text)
}

/** "Guaranteed visas do not exist": the claim is the subject of the denial. */
function isDenied(before: string, after: string): boolean {
  if (
    !/^\W*(?:(?:a|an|any|the|such|these|all|every|so-called|visas?|of|promises?|claims?|offers?|idea)\b\W*)*$/i.test(
      before,
    )
  )
    return false
  return /^\W*(?:(?!that|you|your|we|our|it\b)[\w'-]+\W+){0,4}?(?:(?:is|are|do|does|can|could|may|must|will|would|should|has|have)(?:n't| not| never| no)|cannot|(?:says?|means?|proves?) (?:nothing|little))\b/i.test(
    after,
  )
}

const verdict =
  /\b(?:illegal|unlawful|false|untrue|(?:is|are|be) wrong|lying|liars?|scams?|scammers?|fraud\w*|break(?:s|ing)? the (?:law|code)|against the (?:law|code)|misleading|dishonest|prohibited|forbidden|banned|offen[cs]e|red flags?|warning signs?|myths?|walk away|report (?:them|it|him|her)|too good to be true|nonsense)\b/i
const caution =
  /\b(?:careful|beware|wary|avoid|suspicious|sceptical|skeptical|(?:stay|keep) away|watch out|walk away|run)\b.*\b(?:anyone|someone|anybody|agents?|people|those|offers?|claims?|promises?|firms?|websites?|advertisements?)\b/i
const cautionOf =
  /\b(?:beware of|wary of|suspicious of|careful with|watch out for)(?: any| all| such| every)?(?: [\w-]+)? ?["']?$/i

function isWarning({ sentence, start, end }: Match, before: string): boolean {
  if (/\b(?:we|our|us|i|my)\b/i.test(before)) return false
  const around = sentence.slice(Math.max(0, start - WINDOW), end + WINDOW)
  return verdict.test(around) || caution.test(before) || cautionOf.test(before)
}

const quoted = /"[^"]{1,200}"|(?<![\w])'[^"']{1,200}'(?!\w)/g
const mention =
  /\b(?:(?:some|other|many|certain|few) (?:agents?|websites?|people|firms?|agencies|advertisements?)|anyone|someone|anybody|advertisements?|adverts?|words?|phrases?|terms?|expressions?|myths?|wrong|such as|means?)\b/i

/** Words that are mentioned and not said: "Nobody may say 'guaranteed visa'". */
function isQuoted({ sentence, start, end }: Match): boolean {
  const from = Math.max(0, start - WINDOW)
  const around = sentence.slice(from, end + WINDOW)
  const isInside = [...around.matchAll(quoted)].some(
    ({ index, 0: text }) => from + index < start && end < from + index + text.length,
  )
  if (!isInside) return false
  const outside = around.replaceAll(quoted, ' ').replaceAll(emphasis, ' ')
  if (denial.test(outside) || /\bno \w+ (?:may|can|must|should)\b/i.test(outside) || verdict.test(outside))
    return true
  return mention.test(outside) && !/\b(?:we|our|us)\b/i.test(outside)
}

const asks =
  /^\W*(?:(?:and|but|so|or) )?(?:can|could|do|does|did|is|are|was|were|will|would|may|should|must|has|have|what|which|who|whose|how|why|when|where)\b/i

/** A real question. "Want a guaranteed visa?" is an offer, and "Why is our guaranteed visa so cheap?" a claim. */
function isAsked({ sentence, start, end }: Match): boolean {
  const around = sentence.slice(Math.max(0, start - WINDOW), end + WINDOW)
  if (!/\?["')\s]*$/.test(around) || !asks.test(sentence.slice(0, WINDOW))) return false
  if (/^\W*(?:did you know|why not)\b/i.test(sentence.slice(0, WINDOW)) || /\d ?%/.test(around)) return false
  const before = around.slice(0, start - Math.max(0, start - WINDOW))
  return !/\b(?:our|my)(?: \w+)? $/i.test(before) && !/^\W*(?:how|why)\b.*\bwe(?: \w+)? $/i.test(before)
}

const promise =
  /\b(?:promis\w*|say|do|offer\w*|find|claims?|guarantee\w*|agents?|believe|trust|hear|make|expect|give|sell)\b/i

const promisedThen =
  /\b(?:never|not|cannot|\w+n't) (?:ever )?(?:promise|offer|say|sell|claim|guarantee|give)(?: you| anyone)?:\W*(?:an?|any)?\W*$/i

function deniesList(lead: string): boolean {
  const text = lead.slice(-WINDOW).replaceAll(emphasis, ' ')
  return (denial.test(text) || deniedSubject.test(text)) && promise.test(text)
}
