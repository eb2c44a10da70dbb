import { itemOf } from '../../../content/claims/samples.ts'
import { Button } from '../../../ui/button.tsx'
import { useOpenEditor } from '../forms/form-context.ts'
import { LevelBadge } from '../labels.tsx'
import { claimId } from './claim-findings.ts'
import type { GuardedClaim } from './claim-guard.ts'
import { Passage, Quotation, ReasonField } from './claim-list.tsx'

/** What the claim check finds while somebody writes. Nothing here keeps anybody from writing on. */
export function ClaimPanel() {
  const { claims } = useOpenEditor()
  const open = claims.filter(({ kept, isSample }) => kept === null || isSample)
  const kept = claims.filter(claim => !open.includes(claim))
  return (
    <section className="content-editor-guard" aria-label="Claims in the draft">
      <details open={open.length > 0}>
        <summary>
          <span role="status">Claims: {describe(open.length, kept.length)}</span>
        </summary>
        {open.map(claim => (
          <div key={claimId(claim)}>
            <Field claim={claim} />
            <Passage claim={claim} />
            {claim.isSample && <Sample claim={claim} />}
          </div>
        ))}
        {kept.map(claim => (
          <div key={claimId(claim)}>
            <Field claim={claim} />
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

interface ClaimProps {
  readonly claim: GuardedClaim
}

function Field({ claim: { level, path } }: ClaimProps) {
  const { labelOf, pick } = useOpenEditor()
  return (
    <h2>
      <LevelBadge level={level} />{' '}
      <Button kind="link" onClick={() => pick(path)}>
        {labelOf(path)}
      </Button>
    </h2>
  )
}

/** Only a claim or a testimonial can be left out of a page. */
function whoSees({ path }: GuardedClaim, hidesSamples: boolean): string {
  if (itemOf(path) === null) return 'Visitors see it:'
  return hidesSamples ? 'Hidden from visitors:' : 'Hidden once the site is at an https address:'
}

function Sample({ claim }: ClaimProps) {
  const { open, mayEdit } = useOpenEditor()
  return (
    <>
      <p>
        <strong>{whoSees(claim, open.claims.hidesSamples)}</strong> this is a sample that nobody has
        confirmed. Replace it, or have an admin confirm it.
      </p>
      {mayEdit && (
        <ReasonField
          claim={claim}
          label="Confirm it"
          hint="Where the proof or the consent is kept. Visitors see it once you publish."
        />
      )}
    </>
  )
}
