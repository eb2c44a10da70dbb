import { type Office, officeOf } from '../../src/content/office/office.ts'
import { type Weekday, weekdays } from '../../src/content/office/office-hours.ts'
import type { SiteBody } from '../../src/content/site-body.ts'
import { sampleContent } from '../../src/sample/site.server.ts'

/** That of the sample, without holidays. */
export const { site } = sampleContent
export const workdays = weekdays.slice(0, 5)

/** An office in Sydney. @param entries days, opening and closing time, and whether by appointment */
export function office(
  entries: readonly (readonly [readonly Weekday[], string, string, boolean?])[],
  more: Partial<SiteBody> = {},
): Office {
  const officeHours = entries.map(([days, opens, closes, byAppointment = false], at) => {
    return { id: `hours-${at}`, days: [...days], opens, closes, byAppointment }
  })
  return officeOf({ ...site, officeHours, ...more })
}

export const on = (date: string, states?: SiteBody['holidays'][number]['states']) => {
  return { id: date, date, name: 'Holiday', ...(states && { states }) }
}

/** Monday to Friday 9 to 6, and Saturday 10 to 2 by appointment. */
export const usual = officeOf(site)
export const split = office([
  [workdays, '09:00', '12:30'],
  [workdays, '13:30', '17:00'],
])
export const late = office([
  [['Friday'], '18:00', '24:00'],
  [['Saturday'], '00:00', '02:00'],
])
export const night = office([[['Sunday'], '01:00', '04:00']])
export const always = office([[weekdays, '00:00', '24:00']])
export const overlapping = office([
  [workdays, '09:00', '15:00'],
  [['Monday'], '12:00', '20:00'],
  [['Monday'], '10:00', '11:00'],
])
export const atGap = office([[['Sunday'], '02:30', '03:30']])
export const summer = office([[workdays, '09:00', '18:00']], {
  holidays: [on('2026-12-25'), on('2026-12-26'), on('2026-12-28'), on('2027-01-01'), on('2027-01-26')],
})
export const easter = office([[workdays, '09:00', '18:00']], {
  holidays: [on('2026-04-03'), on('2026-04-06')],
})
const cup = [on('2026-11-03', ['VIC']), on('2026-12-25', [])]
export const inSydney = office([[workdays, '09:00', '18:00']], { holidays: cup, state: 'NSW' })
export const inMelbourne = office([[workdays, '09:00', '18:00']], { holidays: cup, state: 'VIC' })
export const nowhere = office([[workdays, '09:00', '18:00']], {
  ...{ holidays: cup, state: null },
  company: { ...site.company, address: [] },
})
export const perth = office([[workdays, '09:00', '17:00']], {
  company: { ...site.company, timeZone: 'Australia/Perth' },
})
export const lordHowe = office([[['Sunday'], '01:00', '03:00']], {
  company: { ...site.company, timeZone: 'Australia/Lord_Howe' },
})
export const none = office([])
export const byAppointmentOnly = office([[weekdays, '09:00', '18:00', true]])
