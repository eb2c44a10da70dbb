import { describeValue, type Facts } from './facts.ts'
import { describeOfficeHours } from './office/office-hours.ts'
import type { PictureUse } from './picture-use.ts'
import { PRINCIPAL } from './references.ts'
import type { SiteBody } from './site-body.ts'

type Figure = SiteBody['collectionNotice']['figures'][number]
type Claim = SiteBody['claims'][number]

/**
 * What pages show. Null, or empty, for what nobody has confirmed: pages close up around it. There may be fewer testimonials
 * than the design has places.
 */
export type ShownContent = ReturnType<typeof toContent>
export type ShownFigure = ReturnType<typeof showFigures>[number]
type ShownClaim =
  | Extract<Claim, { kind: 'own' }>
  | ({ readonly kind: 'sourced' } & ShownFigure)
  | (Pick<Extract<Claim, { kind: 'closed-programme' }>, 'kind' | 'programme'> & ShownFigure)

/**
 * What pages show of the site document. A figure whose fact is missing, which only a draft can have, is left out.
 * @param hidden the samples that are not shown, such as `claims.0` and `agent.name`
 */
export function toContent(site: SiteBody, facts: Facts, hidden: ReadonlySet<string> = new Set()) {
  const own = <Value>(path: string, value: Value) => (hidden.has(path) ? null : value)
  const paragraphs = (story: 'introduction' | 'founderProfile') =>
    site.agent[story].flatMap(({ text }, at) => own(`agent.${story}.${at}`, text) ?? [])
  const hours = own('officeHours', site.officeHours) ?? []
  const { officeHours: ________, holidays: _, menu: __, footerPages: ___, ...others } = site
  const { visaCategories: _________, ...parts } = others
  const { finderQuestions: ____, finderStarts: _____, state: ______, replyHours: _______, ...more } = parts
  const { finderSource: __________, ...rest } = more
  return {
    ...rest,
    company: {
      ...site.company,
      legalName: own('company.legalName', site.company.legalName),
      abn: own('company.abn', groupDigits(site.company.abn)),
      address: own('company.address', site.company.address) ?? [],
      phone: own('company.phone', site.company.phone),
      email: own('company.email', site.company.email),
      chat: own('company.chat', site.company.chat ?? null),
      // A place without its address would be that of the sample, or of nobody.
      location: hidden.has('company.address') ? null : own('company.location', site.company.location ?? null),
    },
    agent: {
      ...site.agent,
      name: own('agent.name', site.agent.name),
      title: own('agent.title', site.agent.title),
      registrationNumber: own('agent.registrationNumber', site.agent.registrationNumber),
      heading: own('agent.heading', site.agent.heading),
      languages: own('agent.languages', site.agent.languages) ?? [],
      introduction: paragraphs('introduction'),
      founderProfile: paragraphs('founderProfile'),
    },
    team: site.team ?? [],
    hours: describeOfficeHours(hours),
    openingHours: hours
      .filter(({ byAppointment }) => !byAppointment)
      .map(({ days, opens, closes }) => ({ days, opens, closes })),
    testimonials: site.testimonials.filter((_, at) => !hidden.has(`testimonials.${at}`)),
    claims: site.claims.flatMap((claim, at) => (hidden.has(`claims.${at}`) ? [] : toClaim(claim, facts))),
    collectionNotice: {
      ...site.collectionNotice,
      figures: showFigures(site.collectionNotice.figures, facts),
    },
  }
}

/** As the register writes an ABN, however it was typed: `51 824 753 556`. */
function groupDigits(abn: string | null): string | null {
  return abn?.replaceAll(' ', '').replace(/^(..)(...)(...)/, '$1 $2 $3 ') ?? null
}

/** Those whose facts are known, each with its date and source. */
export function showFigures(figures: readonly Figure[], facts: Facts) {
  return figures.flatMap(figure => toFigure(figure, facts))
}

function toFigure({ label, fact: name }: { label: string; fact: string }, facts: Facts) {
  const fact = facts.get(name)
  if (!fact) return []
  const { asAt, source, endsOn } = fact
  return [{ label, value: describeValue(fact), asAt, source, ...(endsOn !== null && { endsOn }) }]
}

function toClaim(claim: Claim, facts: Facts): ShownClaim[] {
  if (claim.kind === 'own') return [claim]
  return toFigure(claim, facts).map(figure =>
    claim.kind === 'sourced'
      ? { kind: claim.kind, ...figure }
      : { kind: claim.kind, ...figure, programme: claim.programme },
  )
}

/** The page of the regulator, where an agency links to no other. */
export const CONSUMER_GUIDE = 'https://www.mara.gov.au/get-help-visa-subsite/consumer-guide'

/** The address of the Consumer Guide: of the quick link of that name, which an agency can change with its content. */
export function findConsumerGuide(links: readonly { readonly label: string; readonly url: string }[]) {
  return links.find(({ label }) => /consumer guide/i.test(label))?.url ?? CONSUMER_GUIDE
}

/** Somebody whom pages show. */
export interface Person {
  readonly id: string
  readonly name: string
  readonly title: string | null
  /** Null for somebody who is no migration agent. */
  readonly registrationNumber: string | null
  readonly portrait: PictureUse | undefined
  readonly portraitUrl: string | null
  readonly languages: readonly string[]
  readonly introduction: readonly string[]
  /** Of the site document. */
  readonly field: string
}

type People = Pick<ShownContent, 'agent' | 'team'>

/** The first agent, if anybody is named, and then the others. */
export function listPeople({ agent, team }: People): readonly Person[] {
  const { name, ...principal } = agent
  const first = name === null ? [] : [{ ...principal, id: PRINCIPAL, name, field: 'agent' }]
  const others = team.map(({ introduction, ...member }, at) => ({
    ...member,
    introduction: introduction.map(({ text }) => text),
    portraitUrl: null,
    field: `team.${at}`,
  }))
  return [...first, ...others].map(person => ({ ...person, portrait: person.portrait }))
}

/** The person whom a document names. None for one who is no longer there: the page then leaves them out. */
export function findPerson(id: string | null | undefined, people: People): Person | undefined {
  return id ? listPeople(people).find(person => person.id === id) : undefined
}
