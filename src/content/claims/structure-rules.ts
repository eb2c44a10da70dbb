import { describeValue } from '../facts.ts'
import { childOf, isList, isObject, type Part } from '../json.ts'
import { removeInvisible, toShown } from './clean-text.ts'
import { type ClaimContext, type Finding, type Rule, sources } from './finding.ts'
import { closedSubclass } from './number-rules.ts'

/** Rules about fields and not about words. */

const testimonial: Rule = {
  rule: 'testimonial',
  level: 'stop',
  why: 'A testimonial needs a real client who agreed to it in writing.',
  source: sources.testimonials,
  suggestion: 'Give as the reason where the consent is kept, and its date.',
}
const registration: Rule = {
  rule: 'registration-number',
  level: 'stop',
  why: 'An agent is shown with the registration number.',
  source: sources.registration,
  suggestion: 'Enter the seven digits of the register.',
}
const zeros: Rule = {
  ...registration,
  why: 'These zeros hold the place of a registration number. Nobody has this one.',
}
const otherAgent: Rule = {
  rule: 'other-agent',
  level: 'stop',
  why: 'This names the agent of the sample, and not yours.',
  source: sources.misleading,
  suggestion: 'Write it about your own agent, or remove it.',
}
const placeholder: Rule = {
  rule: 'placeholder',
  level: 'hint',
  why: 'These zeros hold the place of a number that somebody still has to enter. Visitors at https do not see them.',
  source: sources.house,
  suggestion: 'Enter the number, or remove the line.',
}
const factToReview: Rule = {
  rule: 'fact-past-review',
  level: 'reason',
  why: 'Somebody should have checked this fact by now.',
  source: sources.house,
  suggestion: 'Check the fact at its source, and record the check.',
}
const factEnded: Rule = {
  rule: 'fact-ended',
  level: 'reason',
  why: 'This fact no longer holds.',
  source: sources.house,
  suggestion: 'Record what holds now, or leave the fact out.',
}

/** Between the name and the visa of a testimonial. */
const VISA = ' – '

/** As the rule of testimonials wrote it while it did not read the visa: versions that were published then record that. */
export function withoutVisa(sentence: string): string {
  return sentence.replace(/ – .*?: /, ': ')
}

type Check = (part: Part, context: ClaimContext) => readonly (Finding | null)[]

export function findInStructure(parts: Iterable<Part>, context: ClaimContext): Finding[] {
  const findings: Finding[] = []
  for (const part of parts)
    for (const check of checks) findings.push(...check(part, context).filter(found => found !== null))
  return findings
}

const checks: readonly Check[] = [
  ({ path, value }) => (/^testimonials\.\d+$/.test(path) ? [checkTestimonial(path, value)] : []),
  ({ path, value }) => (path === 'agent' ? [checkRegistration(value), ...checkStories(value)] : []),
  ({ path, value }) => (/^company\.abn$|\.cells\./.test(path) ? [checkZeros(path, value)] : []),
  ({ path, key, value }, context) => (isFactName(path, key) ? [checkFact(path, value, context)] : []),
  ({ path, value }, context) => checkProgramme(path, value, context),
]

function found(rule: Rule, path: string, text: string, part = text): Finding {
  const [sentence, quote] = [toShown(removeInvisible(text)) || '–', toShown(removeInvisible(part))]
  // What was found is said last.
  const at = sentence.lastIndexOf(quote)
  return { ...rule, path, sentence, quote, at: quote === '' || at < 0 ? null : at }
}

/** The consent is recorded as the reason of the override, so that a change of what it is for asks for it again. */
function checkTestimonial(path: string, value: unknown): Finding | null {
  const [name, quote, visa] = [textIn(value, 'name'), textIn(value, 'quote'), textIn(value, 'visaType')]
  const sentence = `${[name, visa].filter(text => text !== '').join(VISA)}: ${quote}`
  return name + quote === '' ? null : found(testimonial, `${path}.quote`, sentence, quote)
}

function checkRegistration(agent: unknown): Finding | null {
  const number = textIn(agent, 'registrationNumber')
  if (number === '' && isNobody(agent)) return null
  const isZeros = /^0+$/.test(number)
  return /^\d{7}$/.test(number) && !isZeros
    ? null
    : found(
        isZeros ? zeros : registration,
        'agent.registrationNumber',
        `${textIn(agent, 'name')}: ${number}`,
        number,
      )
}

/** Whether nothing is said of an agent. */
export function isNobody(agent: unknown): boolean {
  const fields = ['name', 'title', 'heading', 'introduction', 'founderProfile']
  return fields.every(field => {
    const value = childOf(agent, field)
    return value === null || (isList(value) && value.length === 0)
  })
}

/** What the sample says of its agent. */
const SAMPLE_STORY = /\bAlex (?:Sample|reads every enquiry|sat on the other side|checks every application)\b/

/** Whether a text speaks of the sample's agent, and the agency has named another one. @param name of its agent, empty without one */
export function namesOtherAgent(text: string, name: string): boolean {
  return name !== '' && !/\bAlex/.test(name) && SAMPLE_STORY.test(text)
}

/** What the sample says of its agent stays under the name of another one. */
function checkStories(agent: unknown): (Finding | null)[] {
  const name = textIn(agent, 'name')
  return ['introduction', 'founderProfile'].flatMap(story => {
    const paragraphs = childOf(agent, story)
    if (!isList(paragraphs)) return []
    return paragraphs.map((paragraph, at) => {
      const text = textIn(paragraph, 'text')
      const [quote] = namesOtherAgent(text, name) ? (SAMPLE_STORY.exec(text) ?? []) : []
      return quote ? found(otherAgent, `agent.${story}.${at}.text`, text, quote) : null
    })
  })
}

/** An ABN or a fee of the sample. */
function checkZeros(path: string, value: unknown): Finding | null {
  return typeof value === 'string' && /^(?:AUD )?0[0, ]*0$/.test(value)
    ? found(placeholder, path, value)
    : null
}

function isFactName(path: string, key: string): boolean {
  return key === 'fact' || path.endsWith('.attrs.name')
}

function checkFact(path: string, name: unknown, { facts, today }: ClaimContext): Finding | null {
  const fact = typeof name === 'string' ? facts.get(name) : undefined
  if (!fact) return null
  const [sentence, value] = [`[${fact.name}]: ${describeValue(fact)}`, describeValue(fact)]
  if (fact.endsOn !== null && fact.endsOn < today) return found(factEnded, path, sentence, value)
  return fact.reviewBy < today ? found(factToReview, path, sentence, value) : null
}

/** A category or a page that says it is open and names a closed subclass. */
function checkProgramme(path: string, value: unknown, { subclasses }: ClaimContext): (Finding | null)[] {
  if (!isObject(value) || !isList(value.subclasses) || textIn(value.programme, 'status') !== 'open') return []
  return value.subclasses.map((entry, at) => {
    const number = numbersIn(entry).find(each => subclasses.get(each) === 'closed')
    const field = [path, 'subclasses', at, 'numbers'].filter(step => step !== '').join('.')
    return number === undefined
      ? null
      : found(closedSubclass, field, `${textIn(entry, 'name')}: ${number}`, number)
  })
}

function numbersIn(entry: unknown): string[] {
  const numbers = childOf(entry, 'numbers')
  return isList(numbers) ? numbers.filter(each => typeof each === 'string') : []
}

function textIn(value: unknown, key: string): string {
  const text = childOf(value, key)
  return typeof text === 'string' ? text : ''
}
