import type { Fact } from '../content/facts.ts'
import type { SiteBody } from '../content/site-body.ts'
import { AS_AT, FIRST_REVIEW } from './site.server.ts'
import sources from './sources.json' with { type: 'json' }

/** The points table, a fact for each of its rows. The visa categories of the site have further facts. */
const points = {
  'points-for-age': '25 points from 18 to 24, 30 from 25 to 32, 25 from 33 to 39, 15 from 40 to 44',
  'points-for-english': 'none for competent, 10 points for proficient, 20 for superior',
  'points-for-work-overseas':
    'none under 3 years, 5 points for 3 or 4, 10 for 5 to 7, 15 for 8 or more, in the last 10 years',
  'points-for-work-in-australia':
    'none under 1 year, 5 points for 1 or 2, 10 for 3 or 4, 15 for 5 to 7, 20 for 8 or more, in the last 10 years',
  'points-for-all-work': 'at most 20 points together',
  'points-for-a-qualification':
    '20 points for a doctorate, 15 for a bachelor degree or higher, 10 for a diploma, a trade or a recognised award',
  'points-for-research': '10 points',
  'points-for-study-in-australia': '5 points each',
  'points-without-a-partner': '10 points',
  'points-for-a-skilled-partner': '10 points',
  'points-for-a-partner-with-english': '5 points',
}

export const sampleFacts: readonly Fact[] = Object.entries(points).map(([name, value]) => ({
  name,
  value,
  unit: '',
  asAt: AS_AT,
  source: sources.points,
  reviewBy: FIRST_REVIEW,
  endsOn: null,
}))

/**
 * The public holidays in the state of the sample office, by the Public Holidays Act 2010 (NSW). Days that a government adds for
 * one year, such as for Anzac Day on a weekend, are for the agency to add.
 */
const dates = {
  "New Year's Day": ['2026-01-01', '2027-01-01'],
  'Australia Day': ['2026-01-26', '2027-01-26'],
  'Good Friday': ['2026-04-03', '2027-03-26'],
  'Easter Saturday': ['2026-04-04', '2027-03-27'],
  'Easter Sunday': ['2026-04-05', '2027-03-28'],
  'Easter Monday': ['2026-04-06', '2027-03-29'],
  'Anzac Day': ['2026-04-25', '2027-04-25'],
  "King's Birthday": ['2026-06-08', '2027-06-14'],
  'Labour Day': ['2026-10-05', '2027-10-04'],
  'Christmas Day': ['2026-12-25', '2027-12-25'],
  'Boxing Day': ['2026-12-26', '2027-12-26'],
  'Additional day for Christmas Day': ['2027-12-27'],
  'Additional day for Boxing Day': ['2026-12-28', '2027-12-28'],
}

/** Those of one state only, or on another date elsewhere. */
const ofState: readonly string[] = [
  'Easter Saturday',
  'Easter Sunday',
  "King's Birthday",
  'Labour Day',
  'Additional day for Christmas Day',
  'Additional day for Boxing Day',
]

export const sampleHolidays: SiteBody['holidays'] = Object.entries(dates)
  .flatMap(([name, all]) =>
    all.map(date => {
      const isOfState = ofState.includes(name)
      return { id: `holiday-${date}`, date, name, ...(isOfState && { states: ['NSW' as const] }) }
    }),
  )
  .sort((one, other) => one.date.localeCompare(other.date))
