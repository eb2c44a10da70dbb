const HOUR = 60
/** Hours from which a fraction says nothing any more. */
const ROUNDED_FROM = 10

/** Working minutes as people say them: `25 min`, `3.4 h`, `44 h`. */
export function describeDuration(minutes: number): string {
  if (minutes < HOUR) return `${minutes} min`
  const digits = minutes < ROUNDED_FROM * HOUR ? 1 : 0
  return `${Number((minutes / HOUR).toFixed(digits)).toLocaleString('en-AU')} h`
}

/** In words, for what is explained: `8 working hours`. */
export function describeWorkingHours(minutes: number): string {
  const hours = minutes / HOUR
  return `${hours.toLocaleString('en-AU', { maximumFractionDigits: 1 })} working ${hours === 1 ? 'hour' : 'hours'}`
}
