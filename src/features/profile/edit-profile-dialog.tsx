import { AreaField, CheckField, TextField } from '../../ui/form/field.tsx'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { NewPasswordField } from '../../ui/form/new-password-field.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import { meQuery, useMayCall } from '../../ui/me-query.ts'
import { showToast } from '../../ui/toast/toast.ts'
import { useCall, useChange } from '../../ui/use-call.ts'
import { cannedReplies } from '../inbox/canned/contract.ts'
import { notices } from '../inbox/notices/contract.ts'
import { MAX_SIGNATURE, ProfileChange, profile } from './contract.ts'
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
  const mayCall = useMayCall()
  const isReading = mayCall(notices.list)
  // Who answers nobody signs nothing.
  const isAnswering = mayCall(cannedReplies.list)
  const old = useCall(profile.read, {}, { enabled: isReading }).data
  const oldSignature = isAnswering ? old?.signature : undefined
  const form = useForm({
    /** Null until it is changed: what it was comes later. */
    start: {
      name: oldName,
      signature: null as string | null,
      noticeEmails: null as boolean | null,
      ...{ currentPassword: '', password: '' },
    },
    schema: ProfileChange,
    toInput: ({ name, signature, noticeEmails, password, currentPassword }) => ({
      name,
      ...(signature !== null && { signature }),
      ...(noticeEmails !== null && { noticeEmails }),
      ...((password || currentPassword) && { password, currentPassword }),
    }),
    save({ name, signature, noticeEmails, ...rest }, shown) {
      const changed = {
        ...rest,
        ...(name !== oldName && { name }),
        ...(signature !== undefined && signature !== oldSignature && { signature }),
        ...(noticeEmails !== undefined && noticeEmails !== old?.noticeEmails && { noticeEmails }),
      }
      if (Object.keys(changed).length > 0) return save.mutate(changed, { onSuccess: onClose, ...shown })
      showToast({ title: 'No Changes', description: 'Your profile was not changed.' })
      onClose()
    },
    isBusy: save.isPending,
    isTyped: ({ name, signature, noticeEmails, ...passwords }) =>
      name !== oldName ||
      (signature ?? oldSignature) !== oldSignature ||
      (noticeEmails ?? old?.noticeEmails) !== old?.noticeEmails ||
      Object.values(passwords).some(Boolean),
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
      {oldSignature !== undefined && (
        <AreaField
          {...form.at('signature')}
          value={form.values.signature ?? oldSignature}
          label="Signature (optional)"
          hint="Ends your replies, above the lines of the agency. Without it, your name does."
          rows={3}
          maxLength={MAX_SIGNATURE}
          dir="auto"
        />
      )}
      {old && (
        <CheckField
          name="noticeEmails"
          value={form.values.noticeEmails ?? old.noticeEmails}
          onValue={noticeEmails => form.set({ noticeEmails })}
          label="Email me about what is waiting for me if I have not looked for two minutes"
        />
      )}
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
