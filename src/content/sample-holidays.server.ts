import type { SiteBody } from './site-body.ts'

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
