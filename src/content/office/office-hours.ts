export const weekdays = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const
export type Weekday = (typeof weekdays)[number]

type OfficeHours = readonly {
  readonly days: readonly Weekday[]
  /** Such as 09:30 and 24:00. */
  readonly opens: string
  readonly closes: string
  readonly byAppointment: boolean
}[]

/** The hours as visitors read them, in the order of the list, and the days on which the office is closed. Without hours, none. */
export function describeOfficeHours(hours: OfficeHours): { days: string; time: string }[] {
  if (hours.length === 0) return []
  const open = new Set(hours.flatMap(({ days }) => days))
  const closed = weekdays.filter(day => !open.has(day))
  return [
    ...hours.map(entry => ({ days: describeDays(entry.days), time: describeTimes(entry) })),
    ...(closed.length > 0 ? [{ days: describeDays(closed), time: 'Closed' }] : []),
  ]
}

/** "Monday to Friday", "Saturday and Sunday", "Monday, Wednesday". */
function describeDays(days: readonly Weekday[]): string {
  const inOrder = weekdays.filter(day => days.includes(day))
  const [first] = inOrder
  const last = inOrder.at(-1)
  if (!first || !last || first === last) return first ?? ''
  const isRange = weekdays.indexOf(last) - weekdays.indexOf(first) === inOrder.length - 1
  if (isRange && inOrder.length > 2) return `${first} to ${last}`
  return inOrder.length === 2 ? inOrder.join(' and ') : inOrder.join(', ')
}

function describeTimes({ opens, closes, byAppointment }: OfficeHours[number]): string {
  return `${describeTime(opens)}–${describeTime(closes)}${byAppointment ? ', by appointment only' : ''}`
}

/** "9am", "12:30pm", "midnight" at the end of the day. */
function describeTime(time: string): string {
  if (time === '24:00') return 'midnight'
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  const shown = `${hours % 12 || 12}${minutes > 0 ? `:${String(minutes).padStart(2, '0')}` : ''}`
  return `${shown}${hours < 12 ? 'am' : 'pm'}`
}

/** The states and territories of Australia, which have holidays of their own. */
export const states = ['ACT', 'NSW', 'NT', 'QLD', 'SA', 'TAS', 'VIC', 'WA'] as const
type State = (typeof states)[number]

const IN_ADDRESS = new RegExp(`\\b(${states.join('|')})[\\s,]+\\d{4}\\b`, 'gi')

/** The state that an address names before its postcode, such as "Fremantle WA 6160"; undefined where it names none. */
export function stateInAddress(address: readonly string[]): State | undefined {
  const named = [...address.join(', ').matchAll(IN_ADDRESS)].at(-1)?.[1]?.toUpperCase()
  return states.find(state => state === named)
}
