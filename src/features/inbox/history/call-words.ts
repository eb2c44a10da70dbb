import type { Entry } from '../conversation/contract.ts'

type Outcome = NonNullable<Entry['outcome']>
type Call = Pick<Entry, 'direction' | 'outcome' | 'minutes'>

export const outcomeLabels: Readonly<Record<Outcome, string>> = {
  reached: 'Reached',
  'no-answer': 'No answer',
  'left-message': 'Left a message',
}

/** What somebody did, after their name. @param visitor the first name of the visitor */
export function describeCall({ direction, outcome = 'reached' }: Call, visitor: string): string {
  if (direction === undefined) return `on the phone with ${visitor}`
  if (direction === 'out') return `called ${visitor}`
  return outcome === 'reached' ? `took a call from ${visitor}` : `missed a call from ${visitor}`
}

/** What came of it, and how long it took. */
export function describeOutcome({ outcome = 'reached', minutes }: Call): string {
  return outcomeLabels[outcome] + (minutes === undefined ? '' : ` · ${minutes} min`)
}
