import { type Office, officeOf } from '../../../content/office/office.ts'
import {
  addWorkingTime,
  firstInstantOf,
  hoursFrom,
  opensNext,
  openUntil,
} from '../../../content/office/working-time.ts'
import { minutes } from '../../../platform/clock.ts'
import { officeCity, officeTime, replyPromise, type SiteSettings } from '../site-settings.ts'

/** What pages say about the office hours. A page is cached for a day, so it says what holds at each time to come. */

/** Signs on the door, from now on: a week of an office that opens once a day, which is more than a page is cached. */
const SIGNS = 12
/** Office hours, from now on, from which a browser works out when an answer comes: a week of most offices, in few bytes. */
const INTERVALS = 7

function officeToday({ live, today }: SiteSettings): { office: Office; midnight: Date } {
  const office = officeOf(live.site)
  return { office, midnight: new Date(firstInstantOf(Date.parse(today), office.timeZone)) }
}

/** Whether the office is open, in words, each until a time in minutes since the epoch. */
export function doorSigns(site: SiteSettings): (readonly [until: number, sign: string])[] {
  const { office, midnight } = officeToday(site)
  const { time, day, openUntil: open, opens } = site.texts
  const signs: (readonly [number, string])[] = []
  for (let at = midnight; signs.length < SIGNS; ) {
    const closes = openUntil(office, at)
    const until = closes ?? opensNext(office, at)
    if (!until) break
    const shown = time(until, office.timeZone)
    const sign = closes ? open(shown) : opens(day(until, office.timeZone), shown)
    signs.push([until.getTime() / minutes(1), sign])
    at = until
  }
  return signs
}

/** What a browser needs to say when an answer comes; null where the site makes no promise or has no hours. */
export function answerTimes(site: SiteSettings) {
  const { office, midnight } = officeToday(site)
  const { target, timeZone } = office
  const hours = hoursFrom(office, midnight, INTERVALS).flat()
  if (target === null || hours.length === 0) return null
  const start = midnight.getTime()
  const spans = hours.map((time, at) => (time - (hours[at - 1] ?? start)) / minutes(1))
  return {
    start: start / minutes(1),
    spans,
    target: target / minutes(1),
    timeZone,
    city: officeCity(site),
  }
}

/** Hours within which an answer comes; null where the site makes no promise or has no hours. */
function answerHours(site: SiteSettings): number | null {
  const { office, midnight } = officeToday(site)
  if (office.target === null || !addWorkingTime(office, midnight, office.target)) return null
  return office.target / minutes(60)
}

/** When an answer comes, in a sentence: the promise of staff, or what follows from the office hours; null without either. */
export function describeAnswer(site: SiteSettings): string | null {
  const promise = replyPromise(site)
  if (site.content.replyTarget) return `${promise}.`
  return describeAim(site) ?? (promise && site.texts.reply.hours(officeTime(site)))
}

/** Within how many office hours an answer comes, in a sentence; null where staff promise something else, or nothing. */
export function describeAim(site: SiteSettings): string | null {
  const hours = site.content.replyTarget ? null : answerHours(site)
  return hours === null ? null : site.texts.reply.aim(hours, officeTime(site))
}

/** "Monday 23 November, 9:45 am" at the office. */
export function officeMoment({ live, texts }: SiteSettings, moment: Date): string {
  const { timeZone } = officeOf(live.site)
  return `${texts.day(moment, timeZone)}, ${texts.time(moment, timeZone)}`
}
