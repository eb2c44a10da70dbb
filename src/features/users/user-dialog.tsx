import { LINK_LIFETIMES } from '../../auth/lifetimes.ts'
import { inboxGrants, roles, storedGrant } from '../../auth/permissions.ts'
import { ApiError } from '../../http/api-client.ts'
import { days } from '../../platform/clock.ts'
import type { ReturnsFocus } from '../../ui/dialog/dialog.tsx'
import { ChoiceField, errorsOfFailure, type FormErrors, TextField } from '../../ui/form/field.tsx'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { NewPasswordField } from '../../ui/form/new-password-field.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import { showToast } from '../../ui/toast/toast.ts'
import { useChange } from '../../ui/use-call.ts'
import {
  EMAIL_TAKEN_CODE,
  inboxHints,
  inboxLabels,
  NEW_INBOX,
  NEW_ROLE,
  NewUser,
  roleHints,
  roleLabels,
  type UserAccount,
  users,
} from './contract.ts'
import { GiveWork, mayAnswer } from './give-work.tsx'

interface UserDialogProps extends ReturnsFocus {
  /** The user to edit; null adds a user. */
  readonly user: UserAccount | null
  readonly isSelf: boolean
  /** Whether emails go nowhere but to the local mailbox. */
  readonly isMailKeptHere: boolean
  readonly onClose: () => void
}

/** Adds or edits a user. An edit sends only the changed fields. */
export function UserDialog({ user, isSelf, isMailKeptHere, onClose, returnTo }: UserDialogProps) {
  const create = useChange(users.create, {
    done: ({ user }) => ({
      title: 'User Created',
      description: user.isInvited
        ? `An email to ${user.email} invites ${user.name} to choose a password.`
        : `${user.name} can sign in now.${isMailKeptHere ? '' : ' An email asks them to confirm their address.'}`,
    }),
    failed: ['Error', 'Failed to create user'],
    isFreshAfterFailure: true,
  })
  const update = useChange(users.change, {
    done: ({ user }) => ({
      title: 'User Updated',
      description: `The changes to ${user.name} have been saved.`,
    }),
    failed: ['Error', 'Failed to update user'],
    isFreshAfterFailure: true,
  })
  const start = startOf(user)
  const form = useForm({
    start,
    schema: NewUser,
    toInput: ({ choice, assignTo: _, password, ...values }) => {
      const isSet = user ? password !== '' : isMailKeptHere || choice === 'password'
      return { ...values, inbox: storedGrant(values.role, values.inbox), ...(isSet && { password }) }
    },
    save: user
      ? (sent, shown) => change(user, sent, { onSuccess: onClose, ...shown })
      : (sent, shown) => create.mutate(sent, { onSuccess: onClose, ...shown }),
    isBusy: create.isPending || update.isPending,
    isTyped: values => typed.some(name => values[name] !== start[name]),
    backup: {
      form: `user ${user?.id ?? 'new'}`,
      fields: ['name', 'email', 'role', 'inbox', 'choice'],
      choices: { role: roles, inbox: inboxGrants, choice: firstPasswordChoices },
    },
    errorsOf,
  })
  const { role, choice, assignTo } = form.values
  // An admin needs no grant: it is neither shown nor sent.
  const inbox = storedGrant(role, form.values.inbox)
  const losesWork = user !== null && mayAnswer(user) && !mayAnswer({ role, inbox })

  function change(user: UserAccount, sent: NewUser, outcome: Parameters<typeof update.mutate>[1]): void {
    const changed = pickChanged(user, sent)
    if (Object.keys(changed).length === 0) {
      showToast({ title: 'No Changes', description: `Nothing was changed for ${user.name}.` })
      onClose()
    } else {
      const given = losesWork && assignTo ? { assignTo } : {}
      update.mutate({ id: user.id, ...changed, ...given }, outcome)
    }
  }

  return (
    <FormDialog
      {...form.dialog}
      title={user ? `Edit ${user.name}` : 'Add User'}
      action={user ? 'Save changes' : 'Add User'}
      onClose={onClose}
      returnTo={returnTo}
    >
      <TextField {...form.at('name')} label="Name" autoComplete="off" />
      <TextField {...form.at('email')} label="Email" type="email" autoComplete="off" />
      <ChoiceField {...form.at('role')} label="Role" options={roleLabels} meaning={roleHints[role]} />
      {role !== 'admin' && (
        <ChoiceField
          {...form.at('inbox')}
          label="Messages"
          value={inbox}
          options={inboxLabels}
          meaning={inboxHints[inbox]}
        />
      )}
      {losesWork && <GiveWork {...form.at('assignTo')} user={user} />}
      {!user && (
        <FirstPassword
          choice={choice}
          onChoose={choice => form.set({ choice })}
          isMailKeptHere={isMailKeptHere}
        />
      )}
      {!user && (isMailKeptHere || choice === 'password') && (
        <NewPasswordField {...form.at('password')} label="Password" />
      )}
      {isSelf && (
        <p className="field-hint">To change your own password, use Edit Profile on the dashboard.</p>
      )}
      {user && !isSelf && (
        <NewPasswordField
          {...form.at('password')}
          label="New password"
          hint={
            user.isInvited ? INVITED_HINT : 'Leave empty to keep it. A new one signs them out everywhere.'
          }
        />
      )}
    </FormDialog>
  )
}

const INVITED_HINT = 'Leave empty: they choose one. If you set one, the invitation stops working.'

const typed = ['name', 'email', 'role', 'inbox', 'password'] as const

interface Values extends Pick<UserAccount, 'name' | 'email' | 'role' | 'inbox'> {
  readonly password: string
  readonly choice: FirstPasswordChoice
  readonly assignTo: string
}

function startOf(user: UserAccount | null): Values {
  const { name = '', email = '', role = NEW_ROLE } = user ?? {}
  return { name, email, role, inbox: startGrant(user), password: '', choice: 'invitation', assignTo: '' }
}

function errorsOf(error: Error): FormErrors {
  const isTaken = error instanceof ApiError && error.code === EMAIL_TAKEN_CODE
  return isTaken ? { email: error.message } : errorsOfFailure(error)
}

/** An admin who becomes an editor or a viewer starts without access, as on the server. */
const startGrant = (user: UserAccount | null) => (user ? storedGrant(user.role, user.inbox) : NEW_INBOX)

/** A password always counts as a change: the current one is unknown. */
function pickChanged(user: UserAccount, { name, email, role, inbox, password }: NewUser) {
  return {
    ...(name !== user.name && { name }),
    ...(email !== user.email && { email }),
    ...(role !== user.role && { role }),
    ...(inbox !== startGrant(user) && { inbox }),
    ...(password && { password }),
  }
}

const INVITATION_DAYS = LINK_LIFETIMES.invitation / days(1)

const firstPasswordChoices = ['invitation', 'password'] as const
type FirstPasswordChoice = (typeof firstPasswordChoices)[number]

const labels = { invitation: 'Send an invitation', password: 'Set a password' }
const hints = {
  invitation: `An email leads them to a form, where they choose a password within ${INVITATION_DAYS} days.`,
  password: 'Give it to them in person.',
}

interface FirstPasswordProps extends Pick<UserDialogProps, 'isMailKeptHere'> {
  readonly choice: FirstPasswordChoice
  readonly onChoose: (choice: FirstPasswordChoice) => void
}

/** How a new user gets a password. While no email is sent, an admin has to set it. */
function FirstPassword({ choice, onChoose, isMailKeptHere }: FirstPasswordProps) {
  if (isMailKeptHere)
    return (
      <p className="field-hint">
        No mail provider is set up, so no invitation can be sent. Give them the password in person.
      </p>
    )
  return (
    <fieldset className="users-first-password">
      <legend>How they get a password</legend>
      {firstPasswordChoices.map(each => (
        <label key={each} className="check">
          <input
            type="radio"
            name="first-password"
            checked={choice === each}
            onChange={() => onChoose(each)}
          />
          {labels[each]}
        </label>
      ))}
      <p className="field-hint" aria-live="polite">
        {hints[choice]}
      </p>
    </fieldset>
  )
}
