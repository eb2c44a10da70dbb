import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { meQuery } from '../../portal/me-query.ts'
import { ConfirmDialog, type ReturnsFocus } from '../../ui/dialog.tsx'
import { EmptyState, ErrorState, SkeletonRows } from '../../ui/list-states.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { useRowFocus } from '../../ui/row-focus.ts'
import { ScreenHead } from '../../ui/screen-head.tsx'
import { useReadFailure } from '../../ui/use-read-failure.ts'
import type { UserAccount } from './contract.ts'
import { GiveWork } from './give-work.tsx'
import { useDeleteUser, useResendInvitation, useResendVerification, usersQuery } from './queries.ts'
import { UserDialog } from './user-dialog.tsx'
import { UserTable } from './user-table.tsx'

/** In the URL in place of an id: the dialog adds a user. */
const NEW = 'new'

/** Lists the staff. The URL contains the id of the open user, so that links can be shared and Back works. */
export function Screen() {
  const [params, setParams] = useSearchParams()
  const { data: me } = useQuery(meQuery)
  const list = useInfiniteQuery(usersQuery)
  const resendVerification = useResendVerification()
  const resendInvitation = useResendInvitation()
  const [isDeleting, setDeleting] = useState<UserAccount | null>(null)
  const shown = list.data?.pages.flatMap(page => page.users) ?? []
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
        <button type="button" className="button button-primary" onClick={() => open(NEW)}>
          Add User
        </button>
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
          onResend={user => (user.isInvited ? resendInvitation : resendVerification).mutate(user)}
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

interface DeleteDialogProps extends ReturnsFocus {
  readonly user: UserAccount
  readonly onDone: () => void
}

function DeleteDialog({ user, onDone, returnTo }: DeleteDialogProps) {
  const remove = useDeleteUser()
  const [assignTo, setAssignTo] = useState('')
  return (
    <ConfirmDialog
      title="Delete User"
      question={`Are you sure you want to delete ${user.name}? This action cannot be undone.`}
      action="Delete"
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate({ user, assignTo }, { onSettled: onDone })}
      onClose={onDone}
      returnTo={returnTo}
    >
      <GiveWork user={user} value={assignTo} onChoose={setAssignTo} />
    </ConfirmDialog>
  )
}
