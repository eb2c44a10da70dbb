import { useId } from 'react'
import { type Role, roleHints, roleLabels, roles } from './contract.ts'

interface RoleFieldProps {
  readonly value: Role
  readonly onChange: (role: Role) => void
  readonly error?: string | undefined
}

/** A choice of role, with a description of what it may do. */
export function RoleField({ value, onChange, error }: RoleFieldProps) {
  const id = useId()
  return (
    <div className="field" data-invalid={error ? '' : undefined}>
      <label htmlFor={id}>Role</label>
      <select
        className="control"
        id={id}
        name="role"
        value={value}
        onChange={event => {
          const role = roles.find(each => each === event.target.value)
          if (role) onChange(role)
        }}
        aria-invalid={error ? true : undefined}
        aria-describedby={`${id}hint`}
      >
        {roles.map(role => (
          <option key={role} value={role}>
            {roleLabels[role]}
          </option>
        ))}
      </select>
      <p className={error ? 'field-error' : 'field-hint'} id={`${id}hint`}>
        {error ?? roleHints[value]}
      </p>
    </div>
  )
}
