import { infiniteQueryOptions, useQueryClient } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { call } from '../../ui/client.ts'
import { useWrite } from '../../ui/form/use-write.ts'
import { showFailure, showToast } from '../../ui/toast/toast.ts'
import { type NewUser, type UserAccount, type UserChange, users } from './contract.ts'

/** The staff in pages, in the order in which they were added. */
export const usersQuery = infiniteQueryOptions({
  queryKey: ['users'],
  queryFn: ({ pageParam }) => call(users.list, { cursor: pageParam }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: page => page.nextCursor,
})

export function useCreateUser() {
  const refresh = useRefresh()
  return useWrite({
    mutationFn: (newUser: z.input<typeof NewUser>) => call(users.create, newUser),
    onSuccess({ user }) {
      showToast({
        title: 'User Created',
        description: user.isInvited
          ? `An email to ${user.email} invites ${user.name} to choose a password.`
          : `${user.name} can sign in now. An email asks them to confirm their address.`,
      })
      return refresh()
    },
    onError: error => showFailure('Error', error, 'Failed to create user'),
  })
}

export function useUpdateUser() {
  const refresh = useRefresh()
  return useWrite({
    mutationFn: (change: z.input<typeof UserChange>) => call(users.change, change),
    onSuccess({ user }) {
      showToast({ title: 'User Updated', description: `The changes to ${user.name} have been saved.` })
      return refresh()
    },
    onError: error => showFailure('Error', error, 'Failed to update user'),
  })
}

export function useDeleteUser() {
  const refresh = useRefresh()
  return useWrite({
    mutationFn: ({ user, assignTo }: { user: UserAccount; assignTo: string }) =>
      call(users.delete, { id: user.id, ...(assignTo && { assignTo }) }),
    onSuccess: (_reply, { user: { name } }) =>
      showToast({ title: 'User Deleted', description: `${name} has been deleted and signed out.` }),
    onError: error => showFailure('Error', error, 'Failed to delete user'),
    // Also after an error: the list may be out of date.
    onSettled: refresh,
  })
}

export function useResendVerification() {
  return useWrite(
    {
      mutationFn: ({ id }: UserAccount) => call(users.resendVerification, { id }),
      onSuccess: (_reply, { email }) =>
        showToast({
          title: 'Verification Email Sent',
          description: `A new email is on its way to ${email}.`,
        }),
      onError: error => showFailure('Error', error, 'Failed to send the verification email'),
    },
    ({ id }) => id,
  )
}

export function useResendInvitation() {
  return useWrite(
    {
      mutationFn: ({ id }: UserAccount) => call(users.resendInvitation, { id }),
      onSuccess: (_reply, { email }) =>
        showToast({ title: 'Invitation Sent', description: `A new invitation is on its way to ${email}.` }),
      onError: error => showFailure('Error', error, 'Failed to send the invitation'),
    },
    ({ id }) => id,
  )
}

/** Reloads the list and the signed-in user, who may have changed their own account. */
function useRefresh() {
  const client = useQueryClient()
  return async () => {
    await Promise.all([
      client.invalidateQueries({ queryKey: ['users'] }),
      client.invalidateQueries({ queryKey: ['me'] }),
    ])
  }
}
