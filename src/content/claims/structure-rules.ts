import { describeValue } from '../facts.ts'
import { childOf, idOf, isList, isObject, type Part } from '../json.ts'
import { PRINCIPAL } from '../references.ts'
import { removeInvisible, toPlainField, toShown } from './clean-text.ts'
import { type ClaimContext, type Finding, GONE_PERSON, type Rule, sources } from './finding.ts'
import { closedSubclass } from './number-rules.ts'

/** Rules about fields and not about words. */

const testimonial: Rule = {
  rule: 'testimonial',
  level: 'stop',
  why: 'A testimonial needs a real client who agreed to it in writing.',
  source: sources.testimonials,
  suggestion: 'Give as the reason where the consent is kept, and its date.',
}
const quotedWords: Rule = {
  rule: 'quoted-words',
  level: 'reason',
  why: 'Words of a client need consent in writing, wherever else they stand.',
  source: sources.testimonials,
  suggestion: 'Give as the reason who published it, or where the consent is kept.',
}
const templateNote: Rule = {
  rule: 'template-note',
  level: 'reason',
  why: 'This is a note of the template, and not for visitors.',
  source: sources.house,
  suggestion: 'Write what it asks for, or remove it.',
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
const sameNumber: Rule = {
  ...registration,
  why: 'Somebody else here has this registration number. Each agent has their own.',
}
const gonePerson: Rule = {
  rule: GONE_PERSON,
  level: 'hint',
  why: 'This person is not on the team that visitors see. The page leaves them out.',
  source: sources.house,
  suggestion: 'Choose somebody of the team, or nobody.',
}
const namedPerson: Rule = {
  ...gonePerson,
  why: 'Pages name this person as who advises. Without them here, the pages leave them out.',
  suggestion: 'Choose somebody else on those pages.',
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
  ({ path, value }) =>
    // On a page it is the id of somebody.
    path === 'agent' && typeof value !== 'string' ? [checkRegistration(value), ...checkStories(value)] : [],
  ({ path, value }) => [checkNote(path, value)],
  ({ path, value }, { host }) => (/^blocks\.\d+$/.test(path) ? [checkQuote(path, value, host)] : []),
  ({ path, value }) => (path === '' ? checkTeam(childOf(value, 'agent'), childOf(value, 'team')) : []),
  ({ path, value }, context) => checkPeople(path, value, context),
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

/** Of a public document it has the source. Otherwise it is what a client said, or may be. */
function checkQuote(path: string, value: unknown, host: string): Finding | null {
  if (textIn(value, 'type') !== 'quote') return null
  const [text, who] = [textIn(value, 'text'), textIn(value, 'who')]
  const source = hostOf(textIn(childOf(value, 'source'), 'url'))
  if (text === '' || OFFICIAL.test(source)) return null
  const isOfClient = source === '' || source === withoutWww(host) || REVIEWS.test(source)
  return isOfClient
    ? found(testimonial, `${path}.text`, `${who}: ${text}`, text)
    : // For another source it is asked again.
      found(quotedWords, `${path}.text`, `${who}, ${source}: ${text}`, text)
}

/** Governments, parliaments, courts and universities of Australia, and the registers of its law. */
const OFFICIAL = /(?:^|\.)(?:gov|edu)\.au$/
/** Where clients say what they think of a firm. */
const REVIEWS =
  /(?:^|\.)(?:(?:google|facebook|productreview|trustpilot|yelp)(?:\.[a-z]{2,3}){1,2}|fb\.com|g\.page|g\.co|goo\.gl)$/

const withoutWww = (host: string) => host.replace(/^www\./, '')

/** @returns empty for what is no address */
function hostOf(url: string): string {
  return withoutWww(URL.parse(url)?.hostname.replace(/\.+$/, '') ?? '')
}

/** What a template says to the author of the page. */
function checkNote(path: string, value: unknown): Finding | null {
  const isNote = typeof value === 'string' && /^\[(?:Say|Name|Give|Link)\b[^\]]{0,300}\]$/.test(value.trim())
  return isNote ? found(templateNote, path, value) : null
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

/** What the sample says of its agent stays under the name of another one. @param path of the person */
function checkStories(person: unknown, path = 'agent'): (Finding | null)[] {
  const name = textIn(person, 'name')
  return storiesOf(person, path).map(([field, text]) => {
    const [quote] = namesOtherAgent(text, name) ? (SAMPLE_STORY.exec(text) ?? []) : []
    return quote ? found(otherAgent, field, text, quote) : null
  })
}

/** The paragraphs about a person, each with its field. */
function storiesOf(person: unknown, path: string): (readonly [field: string, text: string])[] {
  return ['introduction', 'founderProfile'].flatMap(story => {
    const paragraphs = childOf(person, story)
    if (!isList(paragraphs)) return []
    return paragraphs.map(
      (paragraph, at) => [`${path}.${story}.${at}.text`, textIn(paragraph, 'text')] as const,
    )
  })
}

/** Who assists an agent is not one: these words are not read as what somebody is called. */
const ASSISTS_AGENT =
  /\b(?:assist(?:ant to|ing|s)|support(?: for| to|ing|s)|help(?:ing|s)) (?:an?|our|the)(?: (?:senior|principal|registered|migration|immigration|visa)){0,4} agents?\b/gi
const NUMBER = String.raw`\bregistration (?:number|no)\b\P{Nd}{0,10}(?:\p{Nd}[ .-]?){7}(?!\p{Nd})`
/** What nobody may be called without a number. */
const CALLED_AGENT = new RegExp(
  String.raw`\b(?:migration|immigration|visa) agents?\b|\bregistered\b.{0,20}\b(?:agent|adviser|advisor|consultant)|\bMARN|\bR\.?M\.?A\b|${NUMBER}`,
  'iu',
)
const SAYS_AGENT = new RegExp(
  String.raw`\b(?:is|am|as|was|became|been) (?:also )?(?:an? |our |the )?(?:[a-z]+ )?(?:registered (?:migration |immigration )?|migration |immigration )agent\b|\bMARN\P{Nd}{0,10}\p{Nd}|^registered (?:migration|immigration) agent\b|${NUMBER}`,
  'iu',
)

/** The rules of the first agent, for everybody else: only who has a number is called an agent, and each has their own. */
function checkTeam(principal: unknown, team: unknown): (Finding | null)[] {
  if (!isList(team)) return []
  const seen = new Set([textIn(principal, 'registrationNumber')].filter(isNumber))
  return team.flatMap((person, at) => {
    const path = `team.${at}`
    const [name, number] = [textIn(person, 'name'), textIn(person, 'registrationNumber')]
    const isTaken = seen.has(number)
    if (isNumber(number)) seen.add(number)
    const rule = /^0+$/.test(number) ? zeros : isTaken ? sameNumber : registration
    const isWrong = isTaken || (number === '' ? calledAgent(person, path) : !isNumber(number))
    const isSample = SAMPLE_STORY.test(name)
    return [
      isWrong ? found(rule, `${path}.registrationNumber`, `${name}: ${number}`, number) : null,
      isSample ? found(otherAgent, `${path}.name`, name) : null,
      ...checkStories(person, path),
    ]
  })
}

const isNumber = (text: string) => /^\d{7}$/.test(text) && !/^0+$/.test(text)

/** Languages stand in one line, as visitors read them. */
function calledAgent(person: unknown, path: string): boolean {
  const languages = childOf(person, 'languages')
  const spoken = isList(languages) ? languages.filter(each => typeof each === 'string').join(', ') : ''
  const titles = [textIn(person, 'name'), textIn(person, 'title'), spoken]
  return (
    titles.some(text => CALLED_AGENT.test(withoutAssisting(text))) ||
    storiesOf(person, path).some(([, text]) => SAYS_AGENT.test(withoutAssisting(text)))
  )
}

const withoutAssisting = (text: string) => toPlainField(text).replaceAll(ASSISTS_AGENT, '–')

/** A person whom a page names, or whom the team no longer has. */
function checkPeople(path: string, value: unknown, { people }: ClaimContext): (Finding | null)[] {
  if (people === null) return []
  if (path === 'agent' && typeof value === 'string')
    return people.some(({ id }) => id === value) ? [] : [found(gonePerson, path, value)]
  if (path !== '' || !isObject(childOf(value, 'agent'))) return []
  const team = childOf(value, 'team')
  const there = new Set([PRINCIPAL, ...(isList(team) ? team.map(idOf) : [])])
  return people
    .filter(({ id, pages }) => pages.length > 0 && !there.has(id))
    .map(({ name, pages }) => found(namedPerson, 'team', `${name}: ${pages.join(', ')}`, name))
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
