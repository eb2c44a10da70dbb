import type { AnswerTimes, FormTexts } from './form-texts.ts'

/** Minutes, to which the time is rounded up: nobody answers to the minute. */
const STEP = 15

/**
 * When a visitor who has just written gets an answer, at the office and where they are; nothing when that is too far away.
 * @param here the visitor's time zone, by default that of the browser
 */
export function describeAnswer(answer: FormTexts['answer'], now: Date, lang: string, here?: string): string {
  const due = answer && findDue(answer, now.getTime() / 60_000)
  if (!due) return ''
  const atOffice = show(due, lang, answer.timeZone)
  const by = answer.by.replace('{time}', atOffice).replace('{zone}', answer.zone)
  // The name of the visitor's time zone is in the visitor's language.
  return show(due, lang, here) === atOffice ? by : `${by} (${show(due, lang, here, 'long')})`
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

function show(due: Date, lang: string, timeZone?: string, timeZoneName?: 'long'): string {
  const day = { weekday: 'long', day: 'numeric', month: 'long' } as const
  return due.toLocaleString(lang, { ...day, hour: 'numeric', minute: '2-digit', timeZone, timeZoneName })
}
