import { FIRST_REVIEW } from '../sample/site.server.ts'
import type { Fact } from './facts.ts'
import { DEFAULT_REPLY_HOURS } from './office/office.ts'
import type { Content } from './schema.ts'
import type { SiteBody } from './site-body.ts'
import { type DescribedVisa, isCovered } from './visas.ts'

type Figure = Content['visaCategories'][number]['figures'][number]
type Claim = Content['claims'][number]

/** The hours of the sample that search engines do not read. */
const saturday: SiteBody['officeHours'][number] = {
  id: 'hours-saturday',
  days: ['Saturday'],
  opens: '10:00',
  closes: '14:00',
  byAppointment: true,
}

/** Labels that were written otherwise once: documents refer to a fact by its first name. */
const namesOfEarlierReleases = new Map([
  ['Minimum investment, Investor stream', 'claim-least-investment-investor-stream'],
  ['Minimum investment, Significant Investor stream', 'claim-least-investment-significant-investor-stream'],
])

/** Version 1 of the site document: what the pages showed while content was part of the program. */
export function firstSite(content: Content): { site: SiteBody; facts: readonly Fact[] } {
  const { hours: _, openingHours, process, ...rest } = content
  const facts = collectFacts()
  const claims = content.claims.map((claim, at) => ({ id: `claim-${at + 1}`, ...toClaim(claim, facts) }))
  const site: SiteBody = {
    ...rest,
    agent: {
      ...content.agent,
      introduction: withIds('introduction', content.agent.introduction.map(asItem)),
      founderProfile: withIds('profile', content.agent.founderProfile.map(asItem)),
    },
    officeHours: [
      ...withIds(
        'hours',
        openingHours.map(entry => ({ ...entry, byAppointment: false })),
      ),
      saturday,
    ],
    holidays: [],
    state: 'NSW',
    replyHours: DEFAULT_REPLY_HOURS,
    slides: threeWithIds('slide', content.slides),
    visaCategories: withIds(
      'visa',
      content.visaCategories.map(category => toVisa(category, content.visaCategories, facts)),
    ),
    services: withIds('service', content.services),
    ...(process && { process: withIds('step', process) }),
    testimonials: threeWithIds('testimonial', content.testimonials),
    claims,
    links: withIds('link', content.links),
    menu: [],
    footerPages: [],
    collectionNotice: {
      ...content.collectionNotice,
      points: withIds('point', content.collectionNotice.points),
      figures: facts.add(content.collectionNotice.figures, content.collectionNotice.title),
    },
  }
  return { site, facts: facts.all() }
}

type Category = Content['visaCategories'][number]

function toVisa(
  category: Category,
  all: readonly Category[],
  facts: FactCollection,
): Omit<DescribedVisa, 'id'> {
  return {
    kind: 'described',
    // One that only repeats others would be a second card for each of them.
    isOnHome: !isCovered(category, all),
    ...category,
    subclasses: withIds('subclass', category.subclasses),
    facts: withIds('fact', category.facts.map(asItem)),
    figures: facts.add(category.figures, category.title),
  }
}

function toClaim(claim: Claim, facts: FactCollection) {
  if (claim.kind === 'own') return claim
  const { label } = claim
  const fact = facts.nameOf(claim, 'claim')
  return claim.kind === 'sourced'
    ? { kind: claim.kind, label, fact }
    : { kind: claim.kind, label, fact, programme: claim.programme }
}

type FactCollection = ReturnType<typeof collectFacts>

/** Figures that have the same value by the same source are one fact. */
function collectFacts() {
  const facts = new Map<string, Fact>()
  function nameOf(figure: Figure, context: string): string {
    const { label, value, asAt, source } = figure
    const key = JSON.stringify([value, asAt, source.url])
    const name = facts.get(key)?.name ?? namesOfEarlierReleases.get(label) ?? toName(`${context} ${label}`)
    facts.set(key, { name, value, unit: '', asAt, source, reviewBy: FIRST_REVIEW, endsOn: null })
    return name
  }
  return {
    nameOf,
    add: (figures: readonly Figure[], context: string) =>
      withIds(
        'figure',
        figures.map(figure => ({ label: figure.label, fact: nameOf(figure, context) })),
      ),
    all: () => [...facts.values()],
  }
}

function toName(text: string): string {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return words.join('-').slice(0, 100)
}

const asItem = (text: string) => ({ text })

/** Ids that are the same on every node. */
function withIds<Item>(prefix: string, items: readonly Item[]): (Item & { id: string })[] {
  return items.map((item, at) => ({ ...item, id: `${prefix}-${at + 1}` }))
}

function threeWithIds<Item>(prefix: string, [first, second, third]: readonly [Item, Item, Item]) {
  const id = (number: number) => ({ id: `${prefix}-${number}` })
  type WithId = Item & { id: string }
  const items: [WithId, WithId, WithId] = [
    { ...first, ...id(1) },
    { ...second, ...id(2) },
    { ...third, ...id(3) },
  ]
  return items
}
