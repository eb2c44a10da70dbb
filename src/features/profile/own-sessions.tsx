import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type * as z from 'zod/mini'
import { call } from '../../ui/client.ts'
import { formatDateTime } from '../../ui/dates.ts'
import { ConfirmDialog, type ReturnsFocus } from '../../ui/dialog/dialog.tsx'
import { useWrite } from '../../ui/form/use-write.ts'
import { ErrorState, SkeletonRows } from '../../ui/list/list-states.tsx'
import { rowAttribute, useRowFocus } from '../../ui/list/row-actions.tsx'
import { meQuery } from '../../ui/me-query.ts'
import { showFailure, showToast } from '../../ui/toast/toast.ts'
import { type OwnSession, type ProfileChange, profile } from './contract.ts'

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
    <li className="line between profile-session" {...rowAttribute(session.id)}>
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

/** The sessions of the signed-in user. */
const ownSessionsQuery = queryOptions({
  queryKey: ['own sessions'],
  queryFn: async () => (await call(profile.sessions, {})).sessions,
})

export function useChangeProfile() {
  const client = useQueryClient()
  return useWrite({
    mutationFn: (change: z.input<typeof ProfileChange>) => call(profile.change, change),
    async onSuccess({ user }, { password }) {
      showToast({
        title: 'Profile Updated',
        description: password
          ? 'Your password has been changed, and you have been signed out everywhere else.'
          : 'Your changes have been saved.',
      })
      client.setQueryData(meQuery.queryKey, me => me && { ...me, ...user })
      await client.invalidateQueries({ queryKey: ownSessionsQuery.queryKey })
    },
    onError: error => showFailure('Error', error, 'Failed to update profile'),
  })
}

/** Ends one session, or all except this one. */
function useEndSessions() {
  const client = useQueryClient()
  return useWrite({
    mutationFn: (which: { id: string } | 'all others') =>
      which === 'all others' ? call(profile.deleteOtherSessions, {}) : call(profile.deleteSession, which),
    onSuccess: (_reply, which) =>
      showToast({
        title: 'Signed Out',
        description:
          which === 'all others'
            ? 'You are now signed in only in this browser.'
            : 'That browser has been signed out.',
      }),
    onError: error => showFailure('Error', error, 'Failed to sign out there'),
    // Also after an error: the list may be out of date.
    onSettled: () => client.invalidateQueries({ queryKey: ownSessionsQuery.queryKey }),
  })
}
