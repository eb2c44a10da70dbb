import { useId, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { formatDateTime } from '../../ui/dates.ts'
import { ConfirmDialog, type ReturnsFocus } from '../../ui/dialog/dialog.tsx'
import { ErrorState, SkeletonRows } from '../../ui/list/list-states.tsx'
import { rowAttribute, useRowFocus } from '../../ui/list/row-actions.tsx'
import { useCall, useChange } from '../../ui/use-call.ts'
import { type OwnSession, profile } from './contract.ts'

export function OwnSessions() {
  const id = useId()
  const list = useCall(profile.sessions, {})
  const sessions = list.data?.sessions ?? []
  const [isEnding, setEnding] = useState<OwnSession | 'all others' | null>(null)
  const others = sessions.filter(({ isCurrent }) => !isCurrent).map(session => session.id)
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
        {sessions.map(session => (
          <SessionRow key={session.id} session={session} onEnd={() => setEnding(session)} />
        ))}
      </ul>
      {others.length > 0 && <Button onClick={() => setEnding('all others')}>Sign out everywhere else</Button>}
      {isEnding && <EndDialog which={isEnding} onDone={() => setEnding(null)} returnTo={returnTo} />}
    </section>
  )
}

function SessionRow({ session, onEnd }: { session: OwnSession; onEnd: () => void }) {
  const seen = formatDateTime(session.lastSeenAt)
  return (
    <li className="line between profile-session" {...rowAttribute(session.id)}>
      <div>
        <strong>{session.device}</strong> {session.isCurrent && <span className="badge">This browser</span>}
        <p className="field-hint">
          Last seen {seen}, signed in {formatDateTime(session.createdAt)}
        </p>
      </div>
      {!session.isCurrent && (
        <Button kind="quiet" aria-label={`Sign out ${session.device}, last seen ${seen}`} onClick={onEnd}>
          Sign out
        </Button>
      )}
    </li>
  )
}

interface EndDialogProps extends ReturnsFocus {
  readonly which: OwnSession | 'all others'
  readonly onDone: () => void
}

function EndDialog({ which, onDone, returnTo }: EndDialogProps) {
  const failed = ['Error', 'Failed to sign out there'] as const
  const one = useChange(profile.deleteSession, {
    done: () => ({ title: 'Signed Out', description: 'That browser has been signed out.' }),
    failed,
  })
  const allOthers = useChange(profile.deleteOtherSessions, {
    done: () => ({ title: 'Signed Out', description: 'You are now signed in only in this browser.' }),
    failed,
  })
  const isAll = which === 'all others'
  const end = (callbacks: { onSettled: () => void }) =>
    isAll ? allOthers.mutate({}, callbacks) : one.mutate({ id: which.id }, callbacks)
  return (
    <ConfirmDialog
      title={isAll ? 'Sign out everywhere else' : `Sign out ${which.device}`}
      question={`${isAll ? 'All other browsers' : 'That browser'} will be signed out immediately. Unsaved changes there will be lost.`}
      action="Sign out"
      isBusy={one.isPending || allOthers.isPending}
      onConfirm={() => end({ onSettled: onDone })}
      onClose={onDone}
      returnTo={returnTo}
    />
  )
}
