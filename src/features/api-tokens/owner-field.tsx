import { useId } from 'react'
import { roleLabels } from '../users/contract.ts'

/** The user that a token acts as. */
export interface Owner {
  readonly id: string
  readonly name: string
  readonly role: 'admin' | 'editor' | 'viewer'
}

interface OwnerFieldProps {
  readonly owners: readonly Owner[]
  /** The signed-in admin, who is listed first. */
  readonly self: Owner
  readonly value: string
  readonly onChoose: (id: string) => void
}

/** Selects whose tokens are shown. */
export function OwnerField({ owners, self, value, onChoose }: OwnerFieldProps) {
  const id = useId()
  const others = owners.filter(owner => owner.id !== self.id)
  return (
    <div className="api-tokens-owner">
      <label htmlFor={id}>User</label>
      <select className="control" id={id} value={value} onChange={event => onChoose(event.target.value)}>
        {[self, ...others].map(owner => (
          <option key={owner.id} value={owner.id}>
            {owner.name}
            {owner.id === self.id ? ' (you)' : `, ${roleLabels[owner.role].toLowerCase()}`}
          </option>
        ))}
      </select>
    </div>
  )
}
