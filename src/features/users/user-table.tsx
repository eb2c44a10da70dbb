import { useRef } from 'react'
import { EmailAddress } from '../../ui/email-address.tsx'
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
              {!user.emailVerified && (
                <RowButton
                  label={user.isInvited ? 'Resend invitation' : 'Resend verification email'}
                  className="users-verify"
                  about={user.name}
                  onClick={() => onResend(user)}
                />
              )}
              <RowButton label="Edit" about={user.name} onClick={() => onEdit(user)} />
              {user.id !== ownId && (
                <RowButton
                  label="Delete"
                  kind="danger-quiet"
                  about={user.name}
                  onClick={() => onDelete(user)}
                />
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface RowButtonProps {
  readonly label: string
  readonly kind?: 'quiet' | 'danger-quiet'
  readonly className?: string
  readonly about: string
  readonly onClick: () => void
}

function RowButton({ label, kind = 'quiet', className = '', about, onClick }: RowButtonProps) {
  return (
    <button
      type="button"
      className={`button button-${kind} ${className}`}
      aria-label={`${label}: ${about}`}
      onClick={onClick}
    >
      {label}
    </button>
  )
}
