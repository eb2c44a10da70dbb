import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { Button } from '../../ui/button.tsx'
import { EmailAddress } from '../../ui/detail.tsx'
import { ConfirmDialog, type ReturnsFocus } from '../../ui/dialog/dialog.tsx'
import { EmptyState, ErrorState, SkeletonRows, useReadFailure } from '../../ui/list/list-states.tsx'
import { LoadMore } from '../../ui/list/load-more.tsx'
import { type RowAction, RowActions, rowAttribute, useRowFocus } from '../../ui/list/row-actions.tsx'
import { useRowKeys } from '../../ui/list/table-navigation.ts'
import { meQuery } from '../../ui/me-query.ts'
import { ScreenHead } from '../../ui/screen-head.tsx'
import { useChange } from '../../ui/use-call.ts'
import { roleLabels, type UserAccount, users } from './contract.ts'
import { GiveWork, usersQuery } from './give-work.tsx'
import { UserDialog } from './user-dialog.tsx'

/** In the URL in place of an id: the dialog adds a user. */
const NEW = 'new'

/** Lists the staff. The URL contains the id of the open user, so that links can be shared and Back works. */
export function Screen() {
  const [params, setParams] = useSearchParams()
  const { data: me } = useQuery(meQuery)
  const list = useInfiniteQuery(usersQuery)
  const [isDeleting, setDeleting] = useState<UserAccount | null>(null)
  const shown = list.data?.pages.flatMap(page => page.users) ?? []
  const resend = useResend(shown)
  const wanted = params.get('user')
  const edited = shown.find(user => user.id === wanted)
  const open = (user: string) => setParams({ user })
  const close = () => setParams({})
  const ids = shown.map(user => user.id)
  const toEditedRow = useRowFocus(ids, edited?.id, ADD_BUTTON)
  const toDeletedRow = useRowFocus(ids, isDeleting?.id, ADD_BUTTON)

  useReadFailure(list.error, 'Failed to fetch users')

  return (
    <>
      <ScreenHead title="Users">
        <Button kind="primary" onClick={() => open(NEW)}>
          Add User
        </Button>
      </ScreenHead>
      {list.isPending && <SkeletonRows />}
      {list.isError && (
        <ErrorState title="Failed to fetch users" error={list.error} onRetry={() => list.refetch()} />
      )}
      {list.isSuccess && shown.length === 0 && (
        <EmptyState title="No users found" hint="Users added here can sign in to this portal." />
      )}
      {shown.length > 0 && (
        <UserTable
          users={shown}
          ownId={me?.id ?? ''}
          onEdit={user => open(user.id)}
          onDelete={setDeleting}
          onResend={resend}
        />
      )}
      <LoadMore list={list} />
      {(wanted === NEW || edited) && (
        <UserDialog
          key={wanted}
          user={edited ?? null}
          isMailKeptHere={list.data?.pages[0]?.isMailKeptHere ?? false}
          isSelf={edited !== undefined && edited.id === me?.id}
          onClose={close}
          returnTo={edited && toEditedRow}
        />
      )}
      {isDeleting && (
        <DeleteDialog user={isDeleting} onDone={() => setDeleting(null)} returnTo={toDeletedRow} />
      )}
    </>
  )
}

const ADD_BUTTON = '.screen-head button'

/** Sends the email again that an unverified user is to open. @param staff who may be one */
function useResend(staff: readonly UserAccount[]) {
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

interface DeleteDialogProps extends ReturnsFocus {
  readonly user: UserAccount
  readonly onDone: () => void
}

function DeleteDialog({ user, onDone, returnTo }: DeleteDialogProps) {
  const remove = useChange(users.delete, {
    done: () => ({ title: 'User Deleted', description: `${user.name} has been deleted and signed out.` }),
    failed: ['Error', 'Failed to delete user'],
  })
  const [assignTo, setAssignTo] = useState('')
  return (
    <ConfirmDialog
      title="Delete User"
      question={`Are you sure you want to delete ${user.name}? This action cannot be undone.`}
      action="Delete"
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate({ id: user.id, ...(assignTo && { assignTo }) }, { onSettled: onDone })}
      onClose={onDone}
      returnTo={returnTo}
    >
      <GiveWork user={user} value={assignTo} onValue={setAssignTo} />
    </ConfirmDialog>
  )
}

interface UserTableProps {
  readonly users: readonly UserAccount[]
  readonly ownId: string
  readonly onEdit: (user: UserAccount) => void
  readonly onDelete: (user: UserAccount) => void
  readonly onResend: (user: UserAccount) => void
}

/** One row for each user; on a phone each row is a card. */
export function UserTable({ users: shown, ownId, onEdit, onDelete, onResend }: UserTableProps) {
  const keys = useRowKeys(useRef(null))
  return (
    <table className="table users" {...keys}>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Email</th>
          <th scope="col">Role</th>
          <th scope="col">Actions</th>
        </tr>
      </thead>
      <tbody>
        {shown.map(user => (
          <tr key={user.id} {...rowAttribute(user.id)}>
            <td className="cell-title">
              {user.name} {user.id === ownId && <span className="users-you">(you)</span>}
            </td>
            <td className="cell-quiet">
              <EmailAddress>{user.email}</EmailAddress>{' '}
              {!user.emailVerified && (
                <span className="badge" data-kind="warning">
                  {user.isInvited ? 'Invited' : 'Unverified'}
                </span>
              )}
            </td>
            <td className="cell-aside table-fixed">{roleLabels[user.role]}</td>
            <td className="table-actions">
              <RowActions
                about={user.name}
                actions={[
                  { label: 'Edit', name: `Edit: ${user.name}`, onChoose: () => onEdit(user) },
                  ...(user.emailVerified ? [] : [resend(user, onResend)]),
                  ...(user.id === ownId ? [] : [remove(user, onDelete)]),
                ]}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type Act = (user: UserAccount) => void

function resend(user: UserAccount, act: Act): RowAction {
  const label = user.isInvited ? 'Resend invitation' : 'Resend verification email'
  return { label, name: `${label}: ${user.name}`, isRare: true, onChoose: () => act(user) }
}

function remove(user: UserAccount, act: Act): RowAction {
  return { label: 'Delete', name: `Delete: ${user.name}`, kind: 'danger-quiet', onChoose: () => act(user) }
}
