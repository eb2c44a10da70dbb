import { call } from '../../ui/client.ts'
import { keyOf, pagesQuery, useChange } from '../../ui/use-call.ts'
import { type UserAccount, users } from './contract.ts'

/** The staff in pages, in the order in which they were added. */
export const usersQuery = pagesQuery(keyOf(users.list), cursor => call(users.list, { cursor }))

export function useCreateUser() {
  return useChange(users.create, {
    done: ({ user }) => ({
      title: 'User Created',
      description: user.isInvited
        ? `An email to ${user.email} invites ${user.name} to choose a password.`
        : `${user.name} can sign in now. An email asks them to confirm their address.`,
    }),
    failed: ['Error', 'Failed to create user'],
    isFreshAfterFailure: true,
  })
}

export function useUpdateUser() {
  return useChange(users.change, {
    done: ({ user }) => ({
      title: 'User Updated',
      description: `The changes to ${user.name} have been saved.`,
    }),
    failed: ['Error', 'Failed to update user'],
    isFreshAfterFailure: true,
  })
}

export function useDeleteUser({ name }: UserAccount) {
  return useChange(users.delete, {
    done: () => ({ title: 'User Deleted', description: `${name} has been deleted and signed out.` }),
    failed: ['Error', 'Failed to delete user'],
  })
}

/** Sends the email again that an unverified user is to open. @param staff who may be one */
export function useResend(staff: readonly UserAccount[]) {
  const laneOf = ({ id }: Pick<UserAccount, 'id'>) => id
  const emailOf = (id: string) => staff.find(user => user.id === id)?.email
  const verification = useChange(users.resendVerification, {
    done: (_reply, { id }) => ({
      title: 'Verification Email Sent',
      description: `A new email is on its way to ${emailOf(id)}.`,
    }),
    failed: ['Error', 'Failed to send the verification email'],
    laneOf,
  })
  const invitation = useChange(users.resendInvitation, {
    done: (_reply, { id }) => ({
      title: 'Invitation Sent',
      description: `A new invitation is on its way to ${emailOf(id)}.`,
    }),
    failed: ['Error', 'Failed to send the invitation'],
    laneOf,
  })
  return ({ id, isInvited }: UserAccount) => (isInvited ? invitation : verification).mutate({ id })
}
