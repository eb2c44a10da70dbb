import { useRef } from 'react'
import { EmailAddress } from '../../ui/email-address.tsx'
import { type RowAction, RowActions } from '../../ui/row-actions.tsx'
import { rowAttribute } from '../../ui/row-focus.ts'
import { useRowKeys } from '../../ui/table-navigation.ts'
import { roleLabels, type UserAccount } from './contract.ts'

interface UserTableProps {
  readonly users: readonly UserAccount[]
  /** The id of the signed-in user. */
  readonly ownId: string
  readonly onEdit: (user: UserAccount) => void
  readonly onDelete: (user: UserAccount) => void
  /** Sends the email again that an unverified user is to open. */
  readonly onResend: (user: UserAccount) => void
}

/** One row for each user; on a phone each row is a card. */
export function UserTable({ users, ownId, onEdit, onDelete, onResend }: UserTableProps) {
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
        {users.map(user => (
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
