import { queryOptions, useQueryClient } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { meQuery } from '../../portal/me-query.ts'
import { call } from '../../ui/client.ts'
import { showFailure, showToast } from '../../ui/toast.ts'
import { useWrite } from '../../ui/use-write.ts'
import { type ProfileChange, profile } from './contract.ts'

/** The sessions of the signed-in user. */
export const ownSessionsQuery = queryOptions({
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
export function useEndSessions() {
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
