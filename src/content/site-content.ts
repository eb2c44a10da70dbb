import { describeValue, type Facts } from './facts.ts'
import { describeOfficeHours } from './office-hours.ts'
import type { Content } from './schema.ts'
import type { SiteBody } from './site-body.ts'

type Figure = SiteBody['visaCategories'][number]['figures'][number]
type Claim = SiteBody['claims'][number]

/** What pages show: there may be fewer testimonials than the design has places. */
export type ShownContent = Omit<Content, 'testimonials'> & {
  readonly testimonials: readonly Content['testimonials'][number][]
}

/**
 * What pages show of the site document. A figure whose fact is missing, which only a draft can have, is left out.
 * @param hidden the claims and testimonials that are not shown, such as `claims.0`
 */
export function toContent(
  site: SiteBody,
  facts: Facts,
  hidden: ReadonlySet<string> = new Set(),
): ShownContent {
  const { officeHours, holidays: _, menu: __, footerPages: ___, ...parts } = site
  const { finderQuestions: ____, finderStarts: _____, state: ______, replyHours: _______, ...rest } = parts
  const show = (figures: readonly Figure[]) => figures.flatMap(figure => toFigure(figure, facts))
  return {
    ...rest,
    agent: {
      ...site.agent,
      introduction: site.agent.introduction.map(({ text }) => text),
      founderProfile: site.agent.founderProfile.map(({ text }) => text),
    },
    hours: describeOfficeHours(officeHours),
    openingHours: officeHours
      .filter(({ byAppointment }) => !byAppointment)
      .map(({ days, opens, closes }) => ({ days, opens, closes })),
    visaCategories: site.visaCategories.map(category => ({
      ...category,
      facts: category.facts.map(({ text }) => text),
      figures: show(category.figures),
    })),
    testimonials: site.testimonials.filter((_, at) => !hidden.has(`testimonials.${at}`)),
    claims: site.claims.flatMap((claim, at) => (hidden.has(`claims.${at}`) ? [] : toClaim(claim, facts))),
    collectionNotice: { ...site.collectionNotice, figures: show(site.collectionNotice.figures) },
  }
}

function toFigure({ label, fact: name }: { label: string; fact: string }, facts: Facts) {
  const fact = facts.get(name)
  if (!fact) return []
  const { asAt, source, endsOn } = fact
  return [{ label, value: describeValue(fact), asAt, source, ...(endsOn !== null && { endsOn }) }]
}

function toClaim(claim: Claim, facts: Facts): Content['claims'] {
  if (claim.kind === 'own') return [claim]
  return toFigure(claim, facts).map(figure =>
    claim.kind === 'sourced'
      ? { kind: claim.kind, ...figure }
      : { kind: claim.kind, ...figure, programme: claim.programme },
  )
}
