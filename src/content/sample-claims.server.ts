import { AS_AT, sources, subclass188 } from './sample-sources.server.ts'
import type { Content } from './schema.ts'

/** The pages' claims about the agency and the law. The first two are the agency's own, to prove or to remove. */
export const claims: Content['claims'] = [
  {
    kind: 'own',
    label: 'Visa approval rate',
    value: '95%',
    // Example figure: replace it before you go live.
    note: 'Past results do not predict yours.',
  },
  {
    kind: 'own',
    label: 'Support',
    value: '24/7',
    note: 'Send an enquiry at any hour. We answer in our office hours.',
  },
  {
    kind: 'sourced',
    label: 'Occupations on the Core Skills list',
    value: '456',
    asAt: AS_AT,
    source: sources.occupations,
  },
  {
    kind: 'sourced',
    label: 'Age, subclass 186, unless exempt',
    value: 'Under 45',
    asAt: AS_AT,
    source: sources.employer,
  },
  {
    kind: 'sourced',
    label: 'Work, subclass 186, Direct Entry',
    value: 'At least three years',
    asAt: AS_AT,
    source: sources.employer,
  },
  {
    kind: 'closed-programme',
    label: 'Minimum investment, Investor stream',
    value: 'AUD 2.5 million',
    asAt: AS_AT,
    source: sources.business,
    programme: subclass188,
  },
  {
    kind: 'closed-programme',
    label: 'Minimum investment, Significant Investor stream',
    value: 'AUD 5 million',
    asAt: AS_AT,
    source: sources.business,
    programme: subclass188,
  },
  {
    kind: 'closed-programme',
    label: 'Length of the provisional visa, subclass 188',
    value: 'Up to five years',
    asAt: AS_AT,
    source: sources.business,
    programme: subclass188,
  },
]
