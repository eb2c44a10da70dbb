import { useId } from 'react'
import { ChoiceField, Select, TextField } from '../../ui/form/field.tsx'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import { useChange } from '../../ui/use-call.ts'
import { roleLabels } from '../users/contract.ts'
import {
  apiTokens,
  DEFAULT_LIFETIME,
  lifetimeLabels,
  MAX_DESCRIPTION_LENGTH,
  type NewApiToken,
  type TokenType,
  tokenTypes,
  typeLabels,
} from './contract.ts'

interface CreateTokenDialogProps {
  readonly owner: Owner
  readonly onCreated: (token: NewApiToken) => void
  readonly onClose: () => void
}

/** The key for the backup of what is typed here when the session ends. */
export const tokenForm = (ownerId: string) => `token ${ownerId}`

const { legacy: _, ...offeredTypes } = typeLabels

interface Values {
  readonly description: string
  readonly tokenType: TokenType
  readonly expiresInDays: string
}

const blank: Values = { description: '', tokenType: 'api', expiresInDays: String(DEFAULT_LIFETIME) }

export function CreateTokenDialog({ owner, onCreated, onClose }: CreateTokenDialogProps) {
  const create = useChange(apiTokens.create, {
    done({ token }) {
      onClose()
      onCreated(token)
      return {
        title: 'Token created successfully',
        description:
          "Your new API token has been created. Make sure to copy it now as it won't be shown again.",
      }
    },
    failed: ['Failed to create token', 'Failed to create token'],
    gcTime: 0,
  })
  const form = useForm({
    start: blank,
    schema: apiTokens.create.input,
    toInput: values => ({ ...values, userId: owner.id, expiresInDays: Number(values.expiresInDays) }),
    save: (sent, shown) => create.mutate(sent, shown),
    isBusy: create.isPending,
    isTyped: ({ description }) => description.trim() !== '',
    backup: {
      form: tokenForm(owner.id),
      fields: ['description', 'tokenType', 'expiresInDays'],
      choices: { tokenType: tokenTypes, expiresInDays: Object.keys(lifetimeLabels) },
    },
  })

  return (
    <FormDialog
      {...form.dialog}
      title="Create Token"
      action="Create Token"
      busy="Creating …"
      isDisabled={!form.dialog.isTyped}
      onClose={onClose}
      before={
        <p className="dialog-lead">
          It can do what {owner.name} can do (role: {roleLabels[owner.role]}).
        </p>
      }
    >
      <TextField
        {...form.at('description')}
        label="Description"
        placeholder="Where it is used"
        maxLength={MAX_DESCRIPTION_LENGTH}
        autoComplete="off"
      />
      <ChoiceField {...form.at('tokenType')} label="Token Type" options={offeredTypes} />
      <ChoiceField<string> {...form.at('expiresInDays')} label="Expiration" options={lifetimeLabels} />
    </FormDialog>
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

export function OwnerField({ owners, self, value, onChoose }: OwnerFieldProps) {
  const id = useId()
  const others = owners.filter(owner => owner.id !== self.id)
  const names = others.map(
    ({ id, name, role }) => [id, `${name}, ${roleLabels[role].toLowerCase()}`] as const,
  )
  return (
    <div className="line screen-only api-tokens-owner">
      <label className="quiet small" htmlFor={id}>
        User
      </label>
      <Select
        id={id}
        options={new Map([[self.id, `${self.name} (you)`], ...names])}
        value={value}
        onValue={onChoose}
      />
    </div>
  )
}
