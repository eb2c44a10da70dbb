import type { ReactNode } from 'react'
import { claimId } from './claim-findings.ts'
import type { GuardedClaim } from './claim-guard.ts'
import { claimsAt, errorAt, useDocumentForm } from './form-context.ts'
import { levelLabels } from './labels.ts'

interface Noted {
  readonly control: {
    readonly 'aria-invalid': true | undefined
    readonly 'aria-describedby': string | undefined
  }
  /** What stands below the control. */
  readonly notes: ReactNode
}

/** The error of a field and the claims in it, which a screen reader reads with its control. @param hint the id of its hint */
export function useNotes(path: string, id: string, hint = ''): Noted {
  const { errors, claims } = useDocumentForm()
  const error = errorAt(errors, path)
  const found = claimsAt(claims, path)
  const [errorId, marksId] = [error ? `${id}error` : '', found.length > 0 ? `${id}claims` : '']
  const described = [hint, errorId, marksId].filter(Boolean).join(' ')
  return {
    control: { 'aria-invalid': error ? true : undefined, 'aria-describedby': described || undefined },
    notes: (
      <>
        {error && (
          <p className="field-error" id={errorId}>
            {error}
          </p>
        )}
        {marksId && <Marks id={marksId} claims={found} />}
      </>
    ),
  }
}

function Marks({ id, claims }: { id: string; claims: readonly GuardedClaim[] }) {
  return (
    <p className="content-editor-mark" id={id}>
      {claims.map(claim => (
        <span key={claimId(claim)}>
          <strong>{claim.isSample ? 'Sample' : levelLabels[claim.level]}</strong> “{claim.quote}”: {claim.why}
        </span>
      ))}
    </p>
  )
}
