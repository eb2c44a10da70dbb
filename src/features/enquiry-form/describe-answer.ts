import type { AnswerTimes } from './form-texts.ts'

/** Minutes, to which the time is rounded up: nobody answers to the minute. */
const STEP = 15

/**
 * When a visitor who has just written gets an answer, at the office and where they are; nothing when that is too far away.
 * @param here the visitor's time zone, by default that of the browser
 */
export function describeAnswer(
  { hours, target, timeZone, by, here: byHere }: AnswerTimes,
  now: Date,
  lang: string,
  here?: string,
): string {
  let left = target
  for (const [opens, closes] of hours) {
    const start = Math.max(opens, now.getTime() / 60_000)
    if (left <= closes - start) {
      const due = new Date(Math.ceil((start + left) / STEP) * STEP * 60_000)
      const shown = [timeZone, here].map(zone => show(due, lang, zone))
      const texts = shown[0] === shown[1] ? [by] : [by, byHere]
      return texts.map((text, at) => text.replace('{time}', shown[at] ?? '')).join(' ')
    }
    left -= Math.max(0, closes - start)
  }
  return ''
}

function show(due: Date, lang: string, timeZone: string | undefined): string {
  const day = { weekday: 'long', day: 'numeric', month: 'long' } as const
  return due.toLocaleString(lang, { ...day, hour: 'numeric', minute: '2-digit', timeZone })
}
