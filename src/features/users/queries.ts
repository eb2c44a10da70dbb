import { infiniteQueryOptions, useQueryClient } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { call } from '../../ui/client.ts'
import { showFailure, showToast } from '../../ui/toast.ts'
import { useWrite } from '../../ui/use-write.ts'
import { type NewUser, type UserAccount, type UserChange, users } from './contract.ts'

/** The staff in pages, the first of them first. */
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
        description: `${user.name} can sign in now. A letter asks them to confirm their email address.`,
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
    mutationFn: ({ id }: UserAccount) => call(users.delete, { id }),
    onSuccess: (_reply, { name }) =>
      showToast({ title: 'User Deleted', description: `${name} has been deleted and signed out.` }),
    onError: error => showFailure('Error', error, 'Failed to delete user'),
    // Also after a refusal: the list was not as it seemed.
    onSettled: refresh,
  })
}

export function useVerifyAgain() {
  return useWrite(
    {
      mutationFn: ({ id }: UserAccount) => call(users.verifyAgain, { id }),
      onSuccess: (_reply, { email }) =>
        showToast({
          title: 'Verification Letter Sent',
          description: `A new letter is on its way to ${email}.`,
        }),
      onError: error => showFailure('Error', error, 'Failed to send the verification letter'),
    },
    ({ id }) => id,
  )
}

/** The list, and who is signed in: they may have changed themself. */
function useRefresh() {
  const client = useQueryClient()
  return async () => {
    await Promise.all([
      client.invalidateQueries({ queryKey: ['users'] }),
      client.invalidateQueries({ queryKey: ['me'] }),
    ])
  }
}
