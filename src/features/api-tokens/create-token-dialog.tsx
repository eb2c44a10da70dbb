import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { CancelButton, Dialog } from '../../ui/dialog/dialog.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { inputText, restoreInput, useInputBackup } from '../../ui/form/input-backup.ts'
import { roleLabels } from '../users/contract.ts'
import {
  DEFAULT_LIFETIME,
  lifetimeLabels,
  lifetimes,
  MAX_DESCRIPTION_LENGTH,
  type NewApiToken,
  tokenTypes,
  typeLabels,
} from './contract.ts'
import { useCreate } from './queries.ts'

interface CreateTokenDialogProps {
  /** The user that the token will act as. */
  readonly owner: Owner
  readonly onCreated: (token: NewApiToken) => void
  readonly onClose: () => void
}

/** The key for the backup of what is typed here when the session ends. */
export const tokenForm = (ownerId: string) => `token ${ownerId}`

export function CreateTokenDialog({ owner, onCreated, onClose }: CreateTokenDialogProps) {
  const form = useId()
  const [typed] = useState(() => restoreInput(tokenForm(owner.id)))
  const [description, setDescription] = useState(inputText(typed, 'description') ?? '')
  const [tokenType, setTokenType] = useState(tokenTypes.find(type => type === typed.tokenType) ?? 'api')
  const [expiresInDays, setExpiresInDays] = useState(
    lifetimes.find(lifetime => lifetime === typed.expiresInDays) ?? DEFAULT_LIFETIME,
  )
  const create = useCreate(token => {
    onClose()
    onCreated(token)
  })
  const isBlank = description.trim() === ''
  useInputBackup(tokenForm(owner.id), isBlank ? null : { description, tokenType, expiresInDays })

  function submit(event: FormEvent) {
    event.preventDefault()
    if (isBlank || create.isPending) return
    create.mutate({ userId: owner.id, description, tokenType, expiresInDays })
  }

  return (
    <Dialog
      title="Create Token"
      onClose={onClose}
      isTyped={!isBlank}
      isBusy={create.isPending}
      actions={
        <>
          <CancelButton />
          <button
            type="submit"
            form={form}
            className="button button-primary"
            disabled={isBlank}
            aria-disabled={create.isPending || isBlank}
          >
            {create.isPending ? 'Creating …' : 'Create Token'}
          </button>
        </>
      }
    >
      <p className="dialog-lead">
        It can do what {owner.name} can do (role: {roleLabels[owner.role]}).
      </p>
      <form id={form} onSubmit={submit}>
        <TextField
          label="Description"
          value={description}
          placeholder="Where it is used"
          maxLength={MAX_DESCRIPTION_LENGTH}
          autoComplete="off"
          onChange={event => setDescription(event.target.value)}
        />
        <Choice
          label="Token Type"
          value={tokenType}
          onChoose={value => setTokenType(tokenTypes.find(type => type === value) ?? tokenType)}
        >
          {tokenTypes.map(type => (
            <option key={type} value={type}>
              {typeLabels[type]}
            </option>
          ))}
        </Choice>
        <Choice
          label="Expiration"
          value={String(expiresInDays)}
          onChoose={value =>
            setExpiresInDays(lifetimes.find(lifetime => String(lifetime) === value) ?? expiresInDays)
          }
        >
          {lifetimes.map(lifetime => (
            <option key={lifetime} value={lifetime}>
              {lifetimeLabels[lifetime]}
            </option>
          ))}
        </Choice>
      </form>
    </Dialog>
  )
}

function Choice({
  label,
  value,
  onChoose,
  children,
}: {
  label: string
  value: string
  onChoose: (value: string) => void
  children: ReactNode
}) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select className="control" id={id} value={value} onChange={event => onChoose(event.target.value)}>
        {children}
      </select>
    </div>
  )
}

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
    <div className="line screen-only api-tokens-owner">
      <label className="quiet small" htmlFor={id}>
        User
      </label>
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
