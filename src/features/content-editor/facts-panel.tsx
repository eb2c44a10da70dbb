import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMayCall } from '../../portal/use-may-call.ts'
import { formatDay } from '../../ui/dates.ts'
import { EmptyState, ErrorState, SkeletonRows } from '../../ui/list-states.tsx'
import { ScreenHead } from '../../ui/screen-head.tsx'
import { useReadFailure } from '../../ui/use-read-failure.ts'
import { facts, type ListedFact } from './contract-facts.ts'
import { FactDialog } from './fact-dialog.tsx'
import { FactProposal } from './fact-proposal.tsx'
import { factsQuery } from './facts-queries.ts'
import { showFact, wordsOfFact } from './show-fact.ts'

/** The facts that documents refer to: first those that somebody must check. */
export function FactsPanel() {
  const { data, error, isPending, refetch } = useQuery(factsQuery)
  useReadFailure(error, 'Failed to fetch facts')
  const mayEdit = useMayCall()(facts.change)
  /** `new` while one is added. */
  const [opened, setOpened] = useState<ListedFact | 'new' | null>(null)
  return (
    <>
      <p className="content-editor-crumb">
        <a href="/content">Content</a> /
      </p>
      <ScreenHead title="Facts">
        {mayEdit && (
          <button type="button" className="button button-primary" onClick={() => setOpened('new')}>
            Add a fact
          </button>
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
        <button type="button" className="button" aria-label={`Check ${name}`} onClick={onCheck}>
          Check
        </button>
      )}
    </li>
  )
}
