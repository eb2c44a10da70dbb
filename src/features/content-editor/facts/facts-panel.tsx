import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { formatDay } from '../../../ui/dates.ts'
import { EmptyState, ErrorState, SkeletonRows, useReadFailure } from '../../../ui/list/list-states.tsx'
import { useMayCall } from '../../../ui/me-query.ts'
import { ScreenHead } from '../../../ui/screen-head.tsx'
import { facts, type ListedFact, type Proposal } from './contract.ts'
import { FactDialog } from './fact-dialog.tsx'
import { factsQuery, showFact, wordsOfFact } from './queries.ts'
import { useApproveFact, useDiscardFact } from './writes.ts'

/** The facts that documents refer to: first those that somebody must check. */
export function FactsPanel() {
  const { data, error, isPending, refetch } = useQuery(factsQuery)
  useReadFailure(error, 'Failed to fetch facts')
  const mayEdit = useMayCall()(facts.change)
  /** `new` while one is added. */
  const [opened, setOpened] = useState<ListedFact | 'new' | null>(null)
  return (
    <>
      <p className="quiet small content-editor-crumb">
        <a href="/content">Content</a> /
      </p>
      <ScreenHead title="Facts">
        {mayEdit && (
          <Button kind="primary" onClick={() => setOpened('new')}>
            Add a fact
          </Button>
        )}
      </ScreenHead>
      {isPending && <SkeletonRows />}
      {error && !data && <ErrorState title="Failed to fetch facts" error={error} onRetry={() => refetch()} />}
      {data?.length === 0 && (
        <EmptyState title="No facts" hint="Figures that pages refer to are listed here." />
      )}
      {data && data.length > 0 && (
        <ul>
          {data.map(fact => (
            <FactRow key={fact.name} fact={fact} mayEdit={mayEdit} onCheck={() => setOpened(fact)} />
          ))}
        </ul>
      )}
      {opened && <FactDialog fact={opened === 'new' ? null : opened} onClose={() => setOpened(null)} />}
    </>
  )
}

interface FactRowProps {
  readonly fact: ListedFact
  readonly mayEdit: boolean
  readonly onCheck: () => void
}

function FactRow({ fact: listed, mayEdit, onCheck }: FactRowProps) {
  const { name, fact, state, usedBy, checkedBy, proposal } = listed
  return (
    <li className="content-editor-fact">
      <div>
        <p>
          <strong>
            {wordsOfFact(name)}: {showFact(fact)}
          </strong>{' '}
          <small className="field-hint">{name}</small>{' '}
          {state !== 'current' && (
            <span className="badge" data-kind={state === 'ended' ? 'danger' : 'warning'}>
              {state === 'ended' ? 'Ended' : 'Review overdue'}
            </span>
          )}
        </p>
        <p className="field-hint">
          As at {formatDay(fact.asAt)}, from <a href={fact.source.url}>{fact.source.label}</a>. Checked by{' '}
          {checkedBy}, to be checked again by {formatDay(fact.reviewBy)}
          {fact.endsOn ? `, ends on ${formatDay(fact.endsOn)}` : ''}.
        </p>
        <p className="field-hint">
          {usedBy.length === 0 ? 'On no live page' : 'On '}
          {usedBy.map(({ id, title }, at) => (
            <span key={id}>
              {at > 0 && ', '}
              <a href={`/content/${id}`}>{title}</a>
            </span>
          ))}
        </p>
        {proposal && <FactProposal name={name} proposal={proposal} mayEdit={mayEdit} />}
      </div>
      {mayEdit && (
        <Button aria-label={`Check ${name}`} onClick={onCheck}>
          Check
        </Button>
      )}
    </li>
  )
}

interface FactProposalProps {
  readonly name: string
  readonly proposal: Proposal
  readonly mayEdit: boolean
}

function FactProposal({ name, proposal, mayEdit }: FactProposalProps) {
  const approve = useApproveFact()
  const discard = useDiscardFact()
  const isBusy = approve.isPending || discard.isPending
  const { id, fact, askedBy, isOwn } = proposal
  const decision = { name, proposal: id }
  return (
    <div className="line wrap between content-editor-review">
      <div className="snug content-editor-review-text">
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
        <div className="line wrap">
          <Button isIdle={isBusy} onClick={() => discard.mutate(decision)}>
            {isOwn ? 'Withdraw' : 'Decline'}
          </Button>
          {!isOwn && (
            <Button kind="primary" isIdle={isBusy} onClick={() => approve.mutate(decision)}>
              Approve
            </Button>
          )}
        </div>
      )}
    </div>
  )
}
