import type { Fact } from '../content/facts.ts'
import { Source } from '../content/schema.ts'
import { SiteBody } from '../content/site-body.ts'
import facts from './facts.json' with { type: 'json' }
import shared from './shared.json' with { type: 'json' }
import texts from './site.json' with { type: 'json' }
import visas from './visas.json' with { type: 'json' }

/** The start of the financial year, when most of the numbers change. */
const AS_AT = '2026-07-01'
/** When the figures of that year need a look. */
const FIRST_REVIEW = '2027-07-01'

/**
 * The texts of the public pages. People and numbers are samples: an agency replaces them with its own. The first two claims are
 * the agency's own, to prove or to remove.
 */
export const sampleContent: { readonly site: SiteBody; readonly facts: readonly Fact[] } = {
  site: readSite(),
  facts: facts.site.map(toFact),
}

/** Of the other pages: the points table, a fact for each of its rows. */
export const sampleFacts: readonly Fact[] = facts.pages.map(toFact)

/** The ids are the same on every node. */
function readSite(): SiteBody {
  const { company, agent, slides, ...others } = texts
  const visaCategories = visas.map(({ page: _, ...visa }) => visa)
  const site = resolve({ company, agent, slides, visaCategories, ...others })
  assertSite(site)
  return site
}

function assertSite(site: unknown): asserts site is SiteBody {
  SiteBody.parse(site)
}

function toFact({ name, value, source }: { name: string; value: string; source: string }): Fact {
  const dates = { reviewBy: FIRST_REVIEW, endsOn: null }
  return { name, value, unit: '', asAt: AS_AT, source: Source.parse(resolve(source)), ...dates }
}

/** Puts what several places have in common, such as the source `@points`, where they name it. */
function resolve(value: unknown): unknown {
  if (typeof value === 'string')
    return value.startsWith('@') ? resolve(Reflect.get(shared, value.slice(1))) : value
  if (Array.isArray(value)) return value.map(resolve)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, resolve(part)]))
}
