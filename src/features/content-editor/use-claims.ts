import { useEffect, useState } from 'react'
import { dateIn } from '../../clock.ts'
import type { GuardContext, GuardedClaim } from './claim-guard.ts'
import type { OpenDocument } from './contract.ts'
import type { ListedFact } from './contract-facts.ts'

/** Milliseconds after the last key: somebody who types is not interrupted in a sentence. */
const PAUSE = 800

/** What the claim check finds in the draft, checked again after each pause in typing. */
export function useClaims(
  { document: { language }, timeZone, claims: known }: OpenDocument,
  body: unknown,
  facts: readonly ListedFact[],
): readonly GuardedClaim[] {
  const [found, setFound] = useState<readonly GuardedClaim[]>([])
  useEffect(() => {
    let isLate = false
    const timer = setTimeout(() => {
      const show = (claims: readonly GuardedClaim[]) => isLate || setFound(claims)
      void check(body, { language, today: dateIn(new Date(), timeZone), known, facts }).then(show)
    }, PAUSE)
    return () => {
      isLate = true
      clearTimeout(timer)
    }
  }, [body, language, timeZone, known, facts])
  return found
}

/** Without its script, such as while the network is away, nothing is found: publishing checks again. */
async function check(body: unknown, context: GuardContext): Promise<readonly GuardedClaim[]> {
  const rules = await import('./claim-guard.ts').catch(() => null)
  return rules?.guard(body, context) ?? []
}
