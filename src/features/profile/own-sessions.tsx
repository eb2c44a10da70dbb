import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { formatDateTime } from '../../ui/dates.ts'
import { ConfirmDialog, type ReturnsFocus } from '../../ui/dialog.tsx'
import { ErrorState, SkeletonRows } from '../../ui/list-states.tsx'
import { rowAttribute, useRowFocus } from '../../ui/row-focus.ts'
import type { OwnSession } from './contract.ts'
import { ownSessionsQuery, useEndSessions } from './queries.ts'

/** Lists where the user is signed in, with buttons to sign out there. */
export function OwnSessions() {
  const id = useId()
  const list = useQuery(ownSessionsQuery)
  const [isEnding, setEnding] = useState<OwnSession | 'all others' | null>(null)
  const others = list.data?.filter(({ isCurrent }) => !isCurrent).map(session => session.id) ?? []
  const ending = isEnding === 'all others' ? undefined : isEnding?.id
  const returnTo = useRowFocus(others, ending, '.profile-sessions h3')
  return (
    <section aria-labelledby={id} className="profile-sessions">
      <h3 id={id} tabIndex={-1}>
        Where you are signed in
      </h3>
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
      {others.length > 0 && (
        <button type="button" className="button" onClick={() => setEnding('all others')}>
          Sign out everywhere else
        </button>
      )}
      {isEnding && <EndDialog which={isEnding} onDone={() => setEnding(null)} returnTo={returnTo} />}
    </section>
  )
}

function SessionRow({ session, onEnd }: { session: OwnSession; onEnd: () => void }) {
  const seen = formatDateTime(session.lastSeenAt)
  return (
    <li className="profile-session" {...rowAttribute(session.id)}>
      <div>
        <strong>{session.device}</strong> {session.isCurrent && <span className="badge">This browser</span>}
        <p className="field-hint">
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

interface EndDialogProps extends ReturnsFocus {
  readonly which: OwnSession | 'all others'
  readonly onDone: () => void
}

function EndDialog({ which, onDone, returnTo }: EndDialogProps) {
  const end = useEndSessions()
  const isAll = which === 'all others'
  return (
    <ConfirmDialog
      title={isAll ? 'Sign out everywhere else' : `Sign out ${which.device}`}
      question={
        isAll
          ? 'All other browsers will be signed out immediately. Unsaved changes there will be lost.'
          : 'That browser will be signed out immediately. Unsaved changes there will be lost.'
      }
      action="Sign out"
      isBusy={end.isPending}
      onConfirm={() => end.mutate(isAll ? which : { id: which.id }, { onSettled: onDone })}
      onClose={onDone}
      returnTo={returnTo}
    />
  )
}
