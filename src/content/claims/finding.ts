import * as z from 'zod/mini'
import type { Role } from '../../auth/permissions.ts'
import { describeValue, type Facts } from '../facts.ts'
import { type ListedVisa, numbersOf } from '../visas.ts'

/** Characters of the reason why somebody keeps what a rule found. */
export const REASON_LENGTH = 500

/** The rule about links that lead nowhere, which are named once more before publishing. */
export const DEAD_LINK = 'dead-link'

/** The rule about somebody whom pages name and who is no longer on the team, which is named before publishing too. */
export const GONE_PERSON = 'gone-person'

/** Findings are the same claim if they have the same key, wherever the sentence is on the page. */
export function claimKey({ rule, sentence }: Pick<Finding, 'rule' | 'sentence'>): string {
  return `${rule}\n${sentence}`
}

/** stop: an admin may override it. reason: the editor gives one. hint: blocks nothing. */
export const levels = ['stop', 'reason', 'hint'] as const
export type Level = (typeof levels)[number]

/** Whether somebody may keep what was found, with a reason. */
export function mayOverride(level: Level, role: Role): boolean {
  return level !== 'stop' || role === 'admin'
}

const Rule = z.object({
  rule: z.string(),
  level: z.enum(levels),
  why: z.string(),
  source: z.string(),
  suggestion: z.optional(z.string()),
})
export type Rule = z.output<typeof Rule>

/** Something that a reader may take for a claim, or that is hard to read. No finding does not mean that a text complies. */
export const Finding = z.extend(Rule, {
  /** Of the field, such as `slides.0.title`. */
  path: z.string(),
  sentence: z.string(),
  /** The words of the sentence that were found. */
  quote: z.string(),
  /** Where in the sentence they begin; null where they are not to be seen there. */
  at: z.nullable(z.number()),
})
export type Finding = z.output<typeof Finding>

/** Somebody of the team, as visitors see it. */
export const KnownPerson = z.object({
  id: z.string(),
  name: z.string(),
  /** The titles of the pages that name them. */
  pages: z.array(z.string()),
})
export type KnownPerson = z.output<typeof KnownPerson>

export interface ClaimContext {
  /** BCP 47, of the document. The rules are for English. */
  readonly language: string
  /** The date of the office, such as 2026-07-01. */
  readonly today: string
  readonly facts: Facts
  /** The subclasses that the site describes, by number. */
  readonly subclasses: ReadonlyMap<string, 'open' | 'closed'>
  /** The paths that links may lead to; null while they are not known. */
  readonly paths: ReadonlySet<string> | null
  /** The team that visitors see; null while it is not known. */
  readonly people: readonly KnownPerson[] | null
  /** Of this site, whose own pages prove nothing. */
  readonly host: string
}

export const sources = {
  misleading: 'Migration Agents Code of Conduct, section 15: no false or misleading statements',
  promotion: 'Migration Agents Code of Conduct, section 26: no misleading promotion',
  registration: 'Migration Agents Code of Conduct, section 25: the registration number',
  consumerLaw: 'Australian Consumer Law, section 18: misleading or deceptive conduct',
  testimonials: 'Australian Consumer Law, section 29: false or misleading testimonials',
  prices: 'Australian Consumer Law, section 48: a single price',
  house: 'The rules of this site for its texts',
} as const

const acts = {
  'Migration Agents Code': 'https://www.legislation.gov.au/F2021L01856/latest/text',
  'Australian Consumer Law': 'https://www.legislation.gov.au/C2004A00109/latest/text',
}

/** Where the law is that a source names; undefined for a rule of this site. */
export function urlOfSource(source: string): string | undefined {
  return Object.entries(acts).find(([name]) => source.startsWith(name))?.[1]
}

/** What the site says about each subclass: closed only if none of its visas is open. */
export function subclassesOf(visas: readonly Pick<ListedVisa, 'subclasses' | 'programme'>[]) {
  const subclasses = new Map<string, 'open' | 'closed'>()
  for (const visa of visas)
    for (const number of numbersOf(visa))
      if (subclasses.get(number) !== 'open') subclasses.set(number, visa.programme.status)
  return subclasses
}

/** A finding that somebody took responsibility for, as it is kept with the version. */
export const RecordedOverride = z.object({
  rule: z.string(),
  level: z.enum(levels),
  path: z.string(),
  sentence: z.string(),
  reason: z.string(),
  /** The name at that time. */
  author: z.string(),
  /** In ISO 8601. */
  at: z.string(),
  /** What the facts in the sentence said, by name; versions of before 2026-11-27 do not say it. */
  facts: z.optional(z.record(z.string(), z.string())),
})
export type RecordedOverride = z.output<typeof RecordedOverride>

/** @param findings the column of a version */
export function readOverrides(findings: string): RecordedOverride[] {
  return z.array(RecordedOverride).parse(JSON.parse(findings))
}

export function record(
  { rule, level, path, sentence }: Finding,
  reason: string,
  by: Pick<RecordedOverride, 'author' | 'at'>,
  facts: Facts,
): RecordedOverride {
  const said = factsIn(sentence, facts)
  return { rule, level, path, sentence, reason, author: by.author, at: by.at, facts: said }
}

/** Whether the facts in the sentence still say what they said when somebody took responsibility for it. */
export function saysTheSame({ sentence, facts: then }: RecordedOverride, facts: Facts): boolean {
  return then === undefined || JSON.stringify(then) === JSON.stringify(factsIn(sentence, facts))
}

function factsIn(sentence: string, facts: Facts): Record<string, string> {
  const named = [...facts.values()].filter(({ name }) => sentence.includes(`[${name}]`))
  named.sort((one, other) => (one.name < other.name ? -1 : 1))
  return Object.fromEntries(named.map(fact => [fact.name, describeValue(fact)]))
}
