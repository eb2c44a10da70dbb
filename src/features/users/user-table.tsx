import { roleLabels, type UserAccount } from './contract.ts'

interface UserTableProps {
  readonly users: readonly UserAccount[]
  /** Of whoever looks at it. */
  readonly ownId: string
  readonly onEdit: (user: UserAccount) => void
  readonly onDelete: (user: UserAccount) => void
  readonly onVerifyAgain: (user: UserAccount) => void
}

/** A row a user; on a phone each row is a card. */
export function UserTable({ users, ownId, onEdit, onDelete, onVerifyAgain }: UserTableProps) {
  return (
    <table className="table users">
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
          <tr key={user.id}>
            <td data-label="Name">
              <span>
                {user.name} {user.id === ownId && <span className="users-you">(you)</span>}
              </span>
            </td>
            <td data-label="Email">
              <span>
                {user.email} {!user.emailVerified && <span className="badge">Unverified</span>}
              </span>
            </td>
            <td data-label="Role" className="table-fixed">
              {roleLabels[user.role]}
            </td>
            <td className="table-actions">
              <RowButton label="Edit" about={user.name} onClick={() => onEdit(user)} />
              {user.id !== ownId && (
                <RowButton label="Delete" about={user.name} onClick={() => onDelete(user)} />
              )}
              {!user.emailVerified && (
                <RowButton
                  label="Send verification letter again"
                  about={user.name}
                  onClick={() => onVerifyAgain(user)}
                />
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function RowButton({ label, about, onClick }: { label: string; about: string; onClick: () => void }) {
  return (
    <button type="button" className="button button-quiet" aria-label={`${label}: ${about}`} onClick={onClick}>
      {label}
    </button>
  )
}
