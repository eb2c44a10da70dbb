import { days } from '../clock.ts'

/** The `localStorage` key of the notice that was hidden in this browser. */
const KEY = 'landfall-hidden-notice'
/** Milliseconds. Tomorrow the reason is still there, and somebody should see to it. */
const HIDDEN_FOR = days(1)

/** Hides the notice with this cause in this browser. @param now milliseconds */
export function hideNotice(cause: string, now: number): void {
  attempt(() => localStorage.setItem(KEY, JSON.stringify({ cause, until: now + HIDDEN_FOR })))
}

export function isNoticeHidden(cause: string, now: number): boolean {
  const hidden = attempt(() => JSON.parse(localStorage.getItem(KEY) ?? 'null'))
  return hidden?.cause === cause && Number(hidden.until) > now
}

export function forgetHidden(): void {
  attempt(() => localStorage.removeItem(KEY))
}

/** A browser may deny access to storage, and the stored value may be anything: then the notice is shown. */
function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
