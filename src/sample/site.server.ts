import { Content } from '../content/schema.ts'
import texts from './site.json' with { type: 'json' }
import sources from './sources.json' with { type: 'json' }
import visas from './visas.json' with { type: 'json' }

/** The start of the financial year, when most of the numbers change. */
export const AS_AT = '2026-07-01'
/** When the figures of that year need a look. */
export const FIRST_REVIEW = '2027-07-01'

const subclass188 = {
  status: 'closed',
  closedAfter: '2024-07-31',
  replacedBy: {
    title: 'National Innovation visa (subclass 858)',
    description: 'A permanent visa, by invitation. It does not depend on investment.',
    url: sources.innovation.url,
  },
  asAt: AS_AT,
  source: sources.business,
}

/**
 * The texts of the public pages. People and numbers are samples: an agency replaces them with its own. The first two claims are
 * the agency's own, to prove or to remove.
 */
export const sampleContent: Content = Content.parse({
  ...texts,
  visaCategories: visas.map(toCategory),
  claims: texts.claims.map(claim => ({
    ...(claim.source === undefined ? claim : withSource(claim)),
    ...(claim.kind === 'closed-programme' && { programme: subclass188 }),
  })),
  collectionNotice: { ...texts.collectionNotice, figures: texts.collectionNotice.figures.map(withSource) },
})

function toCategory({ page: _, subclasses, programme, ...category }: (typeof visas)[number]) {
  return {
    ...category,
    subclasses: Object.entries(subclasses).map(([name, numbers]) => ({ name, numbers })),
    figures: category.figures.map(withSource),
    programme: programme === 'closed' ? subclass188 : { status: 'open' },
    more: findSource(category.more),
  }
}

/** A number of the law, as it stood at the start of the financial year. */
function withSource<Figure extends { source: string }>(figure: Figure) {
  return { ...figure, asAt: AS_AT, source: findSource(figure.source) }
}

function findSource(name: string) {
  return Object.entries(sources).find(([known]) => known === name)?.[1]
}
