import { formatDay } from '../../ui/dates.ts'
import type { Proposal } from './contract-facts.ts'
import { useApproveFact, useDiscardFact } from './facts-queries.ts'
import { showFact } from './show-fact.ts'

interface FactProposalProps {
  readonly name: string
  readonly proposal: Proposal
  readonly mayEdit: boolean
}

/** What somebody wants a fact to be, for the second person. */
export function FactProposal({ name, proposal, mayEdit }: FactProposalProps) {
  const approve = useApproveFact()
  const discard = useDiscardFact()
  const isBusy = approve.isPending || discard.isPending
  const { id, fact, askedBy, isOwn } = proposal
  const decision = { name, proposal: id }
  return (
    <div className="content-editor-review">
      <div className="content-editor-review-text">
        <p>
          <strong>
            {isOwn ? 'You want' : `${askedBy} wants`} {showFact(fact)}
          </strong>
        </p>
        <p className="field-hint">
          As at {formatDay(fact.asAt)}, from <a href={fact.source.url}>{fact.source.label}</a>, to be checked
          again by {formatDay(fact.reviewBy)}
          {fact.endsOn ? `, ends on ${formatDay(fact.endsOn)}` : ''}. It waits for a second person.
        </p>
      </div>
      {mayEdit && (
        <div className="content-editor-review-actions">
          <button
            type="button"
            className="button"
            aria-disabled={isBusy}
            onClick={() => discard.mutate(decision)}
          >
            {isOwn ? 'Withdraw' : 'Decline'}
          </button>
          {!isOwn && (
            <button
              type="button"
              className="button button-primary"
              aria-disabled={isBusy}
              onClick={() => approve.mutate(decision)}
            >
              Approve
            </button>
          )}
        </div>
      )}
    </div>
  )
}
