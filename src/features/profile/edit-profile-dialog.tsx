import { TextField } from '../../ui/form/field.tsx'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { NewPasswordField } from '../../ui/form/new-password-field.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import { meQuery } from '../../ui/me-query.ts'
import { showToast } from '../../ui/toast/toast.ts'
import { useChange } from '../../ui/use-call.ts'
import { ProfileChange, profile } from './contract.ts'
import { OwnSessions } from './own-sessions.tsx'

interface EditProfileDialogProps {
  readonly name: string
  readonly onClose: () => void
}

export function EditProfileDialog({ name: oldName, onClose }: EditProfileDialogProps) {
  const save = useChange(profile.change, {
    done({ user }, { password }, client) {
      client.setQueryData(meQuery.queryKey, me => me && { ...me, ...user })
      return {
        title: 'Profile Updated',
        description: password
          ? 'Your password has been changed, and you have been signed out everywhere else.'
          : 'Your changes have been saved.',
      }
    },
    failed: ['Error', 'Failed to update profile'],
    isFreshAfterFailure: true,
  })
  const form = useForm({
    start: { name: oldName, currentPassword: '', password: '' },
    schema: ProfileChange,
    toInput: ({ name, password, currentPassword }) => ({
      name,
      ...((password || currentPassword) && { password, currentPassword }),
    }),
    save({ name, ...rest }, shown) {
      const changed = { ...rest, ...(name !== oldName && { name }) }
      if (Object.keys(changed).length > 0) return save.mutate(changed, { onSuccess: onClose, ...shown })
      showToast({ title: 'No Changes', description: 'Your profile was not changed.' })
      onClose()
    },
    isBusy: save.isPending,
    backup: { form: 'profile', fields: ['name'] },
  })

  return (
    <FormDialog
      {...form.dialog}
      title="Edit Profile"
      action="Save changes"
      onClose={onClose}
      after={<OwnSessions />}
    >
      <TextField {...form.at('name')} label="Name" autoComplete="name" />
      <fieldset className="profile-password">
        <legend>Change password</legend>
        <TextField
          {...form.at('currentPassword')}
          label="Current password"
          type="password"
          autoComplete="current-password"
        />
        <NewPasswordField
          {...form.at('password')}
          label="New password"
          hint="Leave both empty to keep it. A new one signs you out everywhere else."
        />
      </fieldset>
    </FormDialog>
  )
}
