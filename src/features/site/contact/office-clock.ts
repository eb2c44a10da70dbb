/** Hours between an office and a visitor, as people write them. */
const QUARTERS = ['', '¼', '½', '¾']

interface OfficeClock {
  /** Of the texts: what translates a page changes the language of the page. */
  readonly lang: string
  readonly timeZone: string
  /** # stands for the time, or for hours. */
  readonly now: string
  /** For up to one hour, and for more. */
  readonly ahead: readonly [string, string]
  readonly behind: readonly [string, string]
  readonly same: string
  /** Whether the office is open, in words, each until a time in minutes since the epoch. */
  readonly signs?: readonly (readonly [number, string])[]
}

/** Shows the time at the office, and how far it is from the visitor's clock. */
export function showOfficeTime() {
  const host = document.querySelector('[data-clock]')
  const [title, note] = host?.querySelectorAll('bdi') ?? []
  if (!host || !title || !note) return
  const clock: OfficeClock = JSON.parse(host.getAttribute('data-clock') ?? '')
  const now = new Date()
  const time = clock.now.replace('#', timeIn(now, clock))
  const texts = describeNow(now, clock, time)
  title.textContent = texts[0]
  note.textContent = texts[1]
}

/** Whether the office is open takes the place of the time. */
export function describeNow(now: Date, clock: OfficeClock, time: string): [title: string, note: string] {
  const gap = describeGap(now, clock)
  const sign = clock.signs?.find(([until]) => +now < until * 60_000)
  return sign ? [sign[1], `${time}. ${gap}`] : [time, gap]
}

export function timeIn(now: Date, { lang, timeZone }: Pick<OfficeClock, 'lang' | 'timeZone'>): string {
  return now.toLocaleTimeString(lang, { timeZone, timeStyle: 'short' })
}

/** @param here the visitor's time zone, by default that of the browser */
export function describeGap(now: Date, { timeZone, ahead, behind, same }: OfficeClock, here?: string) {
  const gap = quartersIn(now, timeZone) - quartersIn(now, here)
  const quarters = Math.abs(gap)
  const hours = `${Math.floor(quarters / 4) || ''}${QUARTERS[quarters % 4]}`
  const [one, more] = gap > 0 ? ahead : behind
  return quarters === 0 ? same : (quarters > 4 ? more : one).replace('#', hours)
}

/** Quarters of an hour since the epoch, as a clock there shows them. */
function quartersIn(now: Date, timeZone: string | undefined): number {
  return Math.round(Date.parse(`${now.toLocaleString('en-US', { timeZone })} UTC`) / 900_000)
}
