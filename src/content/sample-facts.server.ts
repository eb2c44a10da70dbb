import type { Fact } from './facts.ts'
import { AS_AT, FIRST_REVIEW, sources } from './sample-sources.server.ts'

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
