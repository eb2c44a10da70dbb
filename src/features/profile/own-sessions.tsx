import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { formatDateTime } from '../../ui/dates.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { ErrorState, SkeletonRows } from '../../ui/state.tsx'
import type { OwnSession } from './contract.ts'
import { ownSessionsQuery, useEndSessions } from './queries.ts'

/** Where the reader is signed in, and how to end it there. */
export function OwnSessions() {
  const id = useId()
  const list = useQuery(ownSessionsQuery)
  const [isEnding, setEnding] = useState<OwnSession | 'all others' | null>(null)
  const hasOthers = (list.data?.length ?? 0) > 1
  return (
    <section aria-labelledby={id} className="own-sessions">
      <h3 id={id}>Where you are signed in</h3>
      {list.isPending && <SkeletonRows count={2} />}
      {list.isError && (
        <ErrorState
          title="Your sessions could not be read"
          error={list.error}
          onRetry={() => list.refetch()}
        />
      )}
      <ul>
        {list.data?.map(session => (
          <SessionRow key={session.id} session={session} onEnd={() => setEnding(session)} />
        ))}
      </ul>
      {hasOthers && (
        <button type="button" className="button" onClick={() => setEnding('all others')}>
          Sign out everywhere else
        </button>
      )}
      {isEnding && <EndDialog which={isEnding} onDone={() => setEnding(null)} />}
    </section>
  )
}

function SessionRow({ session, onEnd }: { session: OwnSession; onEnd: () => void }) {
  const seen = formatDateTime(session.lastSeenAt)
  return (
    <li className="own-session">
      <div>
        <strong>{session.device}</strong> {session.isCurrent && <span className="badge">This browser</span>}
        <p>
          Last seen {seen}, signed in {formatDateTime(session.createdAt)}
        </p>
      </div>
      {!session.isCurrent && (
        <button
          type="button"
          className="button button-quiet"
          aria-label={`Sign out ${session.device}, last seen ${seen}`}
          onClick={onEnd}
        >
          Sign out
        </button>
      )}
    </li>
  )
}

function EndDialog({ which, onDone }: { which: OwnSession | 'all others'; onDone: () => void }) {
  const end = useEndSessions()
  const isAll = which === 'all others'
  return (
    <ConfirmDialog
      title={isAll ? 'Sign out everywhere else' : `Sign out ${which.device}`}
      question={
        isAll
          ? 'All other browsers are signed out at once. What is not saved there is lost.'
          : 'That browser is signed out at once. What is not saved there is lost.'
      }
      action="Sign out"
      isBusy={end.isPending}
      onConfirm={() => end.isPending || end.mutate(isAll ? which : { id: which.id }, { onSettled: onDone })}
      onClose={onDone}
    />
  )
}
