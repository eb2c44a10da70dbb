import { useQuery } from '@tanstack/react-query'
import { mayOverride, REASON_LENGTH } from '../../../content/claims/finding.ts'
import { itemOf } from '../../../content/claims/samples.ts'
import { TextField } from '../../../ui/form/field.tsx'
import { meQuery } from '../../../ui/me-query.ts'
import { levelLabels } from '../labels.ts'
import { claimId, type Reasons } from './claim-findings.ts'
import type { GuardedClaim } from './claim-guard.ts'
import { Quotation } from './claim-list.tsx'

interface ClaimPanelProps {
  readonly claims: readonly GuardedClaim[]
  /** Whether visitors do not see samples that nobody has confirmed. */
  readonly hidesSamples: boolean
  readonly mayEdit: boolean
  readonly reasons: Reasons
  readonly onReasons: (reasons: Reasons) => void
  /** The name of a field by its path. */
  readonly labelOf: (path: string) => string
  readonly onPick: (path: string) => void
}

/** What the claim check finds while somebody writes. Nothing here keeps anybody from writing on. */
export function ClaimPanel({ claims, ...props }: ClaimPanelProps) {
  const open = claims.filter(({ kept, isSample }) => kept === null || isSample)
  const kept = claims.filter(claim => !open.includes(claim))
  return (
    <section className="content-editor-guard" aria-label="Claims in the draft">
      <details open={open.length > 0}>
        <summary>
          <span role="status">Claims: {describe(open.length, kept.length)}</span>
        </summary>
        {open.map(claim => (
          <OpenClaim key={claimId(claim)} claim={claim} {...props} />
        ))}
        {kept.map(claim => (
          <div key={claimId(claim)}>
            <Field claim={claim} {...props} />
            <Quotation {...claim} />
            <p className="field-hint">
              Kept by {claim.kept?.author}: {claim.kept?.reason}
            </p>
          </div>
        ))}
      </details>
    </section>
  )
}

function describe(open: number, kept: number): string {
  const words = open === 0 ? 'nothing to look at' : `${open} to look at`
  return kept === 0 ? words : `${words}, ${kept} kept with a reason`
}

type OneClaim = Omit<ClaimPanelProps, 'claims'> & { readonly claim: GuardedClaim }

function OpenClaim({ claim, ...props }: OneClaim) {
  const { why, suggestion } = claim
  return (
    <div>
      <Field claim={claim} {...props} />
      <Quotation {...claim} />
      <p>
        {why} {suggestion}
      </p>
      {claim.isSample && <Sample claim={claim} {...props} />}
    </div>
  )
}

function Field({ claim: { level, path }, labelOf, onPick }: OneClaim) {
  return (
    <h2>
      <span
        className="badge"
        data-kind={level === 'stop' ? 'danger' : level === 'reason' ? 'warning' : undefined}
      >
        {levelLabels[level]}
      </span>{' '}
      <button type="button" className="button button-link" onClick={() => onPick(path)}>
        {labelOf(path)}
      </button>
    </h2>
  )
}

/** Only a claim or a testimonial can be left out of a page. */
function whoSees({ path }: GuardedClaim, hidesSamples: boolean): string {
  if (itemOf(path) === null) return 'Visitors see it:'
  return hidesSamples ? 'Hidden from visitors:' : 'Hidden once the site is at an https address:'
}

/** The reason goes along with the next publication. */
function Sample({ claim, hidesSamples, mayEdit, reasons, onReasons }: OneClaim) {
  const { data: me } = useQuery(meQuery)
  return (
    <>
      <p>
        <strong>{whoSees(claim, hidesSamples)}</strong> this is a sample that nobody has confirmed. Replace
        it, or have an admin confirm it.
      </p>
      {mayEdit && me && mayOverride(claim.level, me.role) && (
        <TextField
          label="Confirm it"
          hint="Where the proof or the consent is kept. Visitors see it once you publish."
          maxLength={REASON_LENGTH}
          autoComplete="off"
          value={reasons[claimId(claim)] ?? ''}
          onValue={reason => onReasons({ ...reasons, [claimId(claim)]: reason })}
        />
      )}
    </>
  )
}
