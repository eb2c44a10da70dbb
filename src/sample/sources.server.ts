import type { Content } from '../content/schema.ts'

type VisaCategory = Content['visaCategories'][number]
type Figure = VisaCategory['figures'][number]
type Source = VisaCategory['more']
type ClosedProgramme = Extract<VisaCategory['programme'], { status: 'closed' }>

/** The start of the financial year, when most of these numbers change. */
export const AS_AT = '2026-07-01'
/** When the figures of that year need a look. */
export const FIRST_REVIEW = '2027-07-01'

const LISTING = 'https://immi.homeaffairs.gov.au/visas/getting-a-visa/visa-listing'

function homeAffairs(title: string, page: string): Source {
  return { label: `Department of Home Affairs: ${title}`, url: `${LISTING}${page}` }
}

export const sources = {
  family: homeAffairs('visa list', ''),
  skilled: homeAffairs('Skilled Independent visa (subclass 189)', '/skilled-independent-189'),
  points: homeAffairs('points table', '/skilled-independent-189/points-table'),
  skillsInDemand: homeAffairs('Skills in Demand visa (subclass 482)', '/skills-in-demand-visa-subclass-482'),
  occupations: {
    label: 'Core Skills Occupation List, instrument LIN 24/089',
    url: 'https://immi.homeaffairs.gov.au/visas/working-in-australia/skill-occupation-list',
  },
  employer: homeAffairs('Employer Nomination Scheme (subclass 186)', '/employer-nomination-scheme-186'),
  innovation: homeAffairs('National Innovation visa (subclass 858)', '/national-innovation-visa-858'),
  business: homeAffairs(
    'Business Innovation and Investment visa (subclass 188)',
    '/business-innovation-and-investment-188',
  ),
  businessPermanent: homeAffairs(
    'Business Innovation and Investment visa (subclass 888)',
    '/business-innovation-and-investment-888',
  ),
  codeOfConduct: {
    label: 'Migration (Migration Agents Code of Conduct) Regulations 2021',
    url: 'https://www.legislation.gov.au/F2021L01856/latest/text',
  },
} satisfies Record<string, Source>

/** A number of the law, as it stood at the start of the financial year. */
export function figure(label: string, value: string, source: Source): Figure {
  return { label, value, asAt: AS_AT, source }
}

export const subclass188: ClosedProgramme = {
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
