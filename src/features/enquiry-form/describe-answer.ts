import type { AnswerTimes, SendTexts } from './form-texts.ts'

/** Minutes, to which the time is rounded up: nobody answers to the minute. */
const STEP = 15
/** Milliseconds within which the name of a weekday is enough. */
const WITHIN_A_WEEK = 6 * 24 * 60 * 60 * 1000

/**
 * When a visitor who has just written gets an answer, at the office and where they are; nothing when that is too far away.
 * @param here the visitor's time zone, by default that of the browser
 */
export function describeAnswer(
  { answer, receipt, lang }: Pick<SendTexts, 'answer' | 'receipt' | 'lang'>,
  now: Date,
  here?: string,
): string {
  const due = answer && findDue(answer, now.getTime() / 60_000)
  if (!due) return ''
  const isNear = due.getTime() - now.getTime() < WITHIN_A_WEEK
  const [day, time] = show(due, lang, isNear, answer.timeZone)
  const office = receipt.office.replace('{moment}', `${day} ${time}`).replace('{city}', answer.city)
  const [dayHere, timeHere] = show(due, lang, isNear, here)
  if (day === dayHere && time === timeHere) return office
  const moment = day === dayHere ? timeHere : `${dayHere} ${timeHere}`
  return receipt.here.replace('{office}', office).replace('{moment}', moment)
}

function findDue({ start, spans, target }: AnswerTimes, now: number): Date | null {
  let [at, left] = [start, target]
  for (const [index, span] of spans.entries()) {
    const from = Math.max(at, now)
    at += span
    if (index % 2 === 0 || at < from) continue
    if (left <= at - from) return new Date(Math.ceil((from + left) / STEP) * STEP * 60_000)
    left -= at - from
  }
  return null
}

/** A day and a time, such as "Monday" and "5 pm". */
function show(due: Date, lang: string, isNear: boolean, timeZone?: string): [day: string, time: string] {
  const date = isNear ? {} : ({ day: 'numeric', month: 'long' } as const)
  const isFull = due.toLocaleString('en', { minute: 'numeric', timeZone }) === '0'
  const minute = isFull ? {} : ({ minute: '2-digit' } as const)
  return [
    due.toLocaleDateString(lang, { weekday: 'long', ...date, timeZone }),
    due.toLocaleTimeString(lang, { hour: 'numeric', ...minute, timeZone }),
  ]
}
