import { type FormEvent, useId, useState } from 'react'
import type * as z from 'zod/mini'
import { NewPasswordField } from '../../auth/new-password-field.tsx'
import { fieldErrors } from '../../http/field-errors.ts'
import { CancelButton, Dialog } from '../../ui/dialog/dialog.tsx'
import { errorsOfFailure, TextField, useFormErrors } from '../../ui/form/field.tsx'
import { inputText, restoreInput, useInputBackup } from '../../ui/form/input-backup.ts'
import { showToast } from '../../ui/toast/toast.ts'
import { ProfileChange } from './contract.ts'
import { OwnSessions, useChangeProfile } from './own-sessions.tsx'

const FORM = 'profile'

interface EditProfileDialogProps {
  readonly name: string
  readonly onClose: () => void
}

/** Edits the user's own name and password, and lists their sessions. */
export function EditProfileDialog({ name: oldName, onClose }: EditProfileDialogProps) {
  const formId = useId()
  const [name, setName] = useState(() => inputText(restoreInput(FORM), 'name') ?? oldName)
  const [currentPassword, setCurrentPassword] = useState('')
  const [password, setPassword] = useState('')
  const [errors, showErrors] = useFormErrors(formId)
  const save = useChangeProfile()
  const isRenamed = name !== oldName
  useInputBackup(FORM, isRenamed ? { name } : null)

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (save.isPending) return
    const wanted = { name, ...((password || currentPassword) && { password, currentPassword }) }
    const checked = ProfileChange.safeParse(wanted)
    if (!checked.success) return showErrors(fieldErrors(checked.error.issues))
    const { name: newName, ...rest } = checked.data
    const changed: z.input<typeof ProfileChange> = { ...rest, ...(newName !== oldName && { name: newName }) }
    if (Object.keys(changed).length > 0) {
      return save.mutate(changed, {
        onSuccess: onClose,
        onError: error => showErrors(errorsOfFailure(error)),
      })
    }
    showToast({ title: 'No Changes', description: 'Your profile was not changed.' })
    onClose()
  }

  return (
    <Dialog
      title="Edit Profile"
      onClose={onClose}
      isTyped={isRenamed || currentPassword !== '' || password !== ''}
      isBusy={save.isPending}
      actions={
        <>
          <CancelButton />
          <button
            type="submit"
            form={formId}
            className="button button-primary"
            aria-disabled={save.isPending}
          >
            {save.isPending ? 'Saving …' : 'Save changes'}
          </button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit} aria-busy={save.isPending}>
        <TextField
          label="Name"
          name="name"
          autoComplete="name"
          value={name}
          onChange={event => setName(event.target.value)}
          error={errors.name}
        />
        <fieldset className="profile-password">
          <legend>Change password</legend>
          <TextField
            label="Current password"
            name="currentPassword"
            type="password"
            autoComplete="current-password"
            value={currentPassword}
            onChange={event => setCurrentPassword(event.target.value)}
            error={errors.currentPassword}
          />
          <NewPasswordField
            label="New password"
            value={password}
            onChange={setPassword}
            error={errors.password}
            hint="Leave both empty to keep it. A new one signs you out everywhere else."
          />
        </fieldset>
      </form>
      <OwnSessions />
    </Dialog>
  )
}
