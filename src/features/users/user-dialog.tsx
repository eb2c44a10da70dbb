import { type FormEvent, useId, useState } from 'react'
import { LINK_LIFETIMES } from '../../auth/link-lifetimes.ts'
import { NewPasswordField } from '../../auth/new-password-field.tsx'
import { inboxGrants, roles, storedGrant } from '../../auth/permissions.ts'
import { ApiError } from '../../http/api-client.ts'
import { fieldErrors } from '../../http/field-errors.ts'
import { days } from '../../platform/clock.ts'
import { CancelButton, Dialog, type ReturnsFocus } from '../../ui/dialog/dialog.tsx'
import { errorsOfFailure, type FormErrors, TextField, useFormErrors } from '../../ui/form/field.tsx'
import { inputText, restoreInput, useInputBackup } from '../../ui/form/input-backup.ts'
import { showToast } from '../../ui/toast/toast.ts'
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
  UserChange,
} from './contract.ts'
import { GiveWork, mayAnswer } from './give-work.tsx'
import { useCreateUser, useUpdateUser } from './queries.ts'

const blank = { name: '', email: '', role: NEW_ROLE, inbox: NEW_INBOX, password: '' }
const fieldNames = ['name', 'email', 'role', 'inbox', 'password'] as const
type Values = Omit<typeof blank, 'role' | 'inbox'> & Pick<UserAccount, 'role' | 'inbox'>

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
  const formId = useId()
  const form = `user ${user?.id ?? 'new'}`
  const start = { ...blank, ...user, inbox: startGrant(user) }
  const [values, setValues] = useState<Values>(() => ({ ...start, ...restore(form) }))
  const [choice, choose] = useState<FirstPasswordChoice>(() => restoreChoice(form))
  const [assignTo, setAssignTo] = useState('')
  const [errors, showErrors] = useFormErrors(formId)
  const create = useCreateUser()
  const update = useUpdateUser()
  const isBusy = create.isPending || update.isPending
  const isTyped = fieldNames.some(key => values[key] !== start[key])
  const { name, email, role } = values
  // An admin needs no grant: it is neither shown nor sent.
  const inbox = storedGrant(role, values.inbox)
  const losesWork = user !== null && mayAnswer(user) && !mayAnswer({ role, inbox })
  useInputBackup(form, isTyped ? { name, email, role, inbox, choice } : null)
  const set = (change: Partial<Values>) => setValues({ ...values, ...change })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isBusy) return
    const outcome = {
      onSuccess: onClose,
      onError: (error: Error) => showErrors(errorsOf(error)),
    }
    const { password } = values
    if (!user) {
      const isSet = isMailKeptHere || choice === 'password'
      const checked = NewUser.safeParse({ name, email, role, inbox, ...(isSet && { password }) })
      if (!checked.success) return showErrors(fieldErrors(checked.error.issues))
      return create.mutate(checked.data, outcome)
    }
    const checked = UserChange.safeParse({
      id: user.id,
      name,
      email,
      role,
      inbox,
      ...(password && { password }),
    })
    if (!checked.success) return showErrors(fieldErrors(checked.error.issues))
    const changed = pickChanged(user, checked.data)
    if (Object.keys(changed).length > 0) {
      const given = losesWork && assignTo ? { assignTo } : {}
      return update.mutate({ id: user.id, ...changed, ...given }, outcome)
    }
    showToast({ title: 'No Changes', description: `Nothing was changed for ${user.name}.` })
    onClose()
  }

  return (
    <Dialog
      title={user ? `Edit ${user.name}` : 'Add User'}
      onClose={onClose}
      isTyped={isTyped}
      isBusy={isBusy}
      returnTo={returnTo}
      actions={
        <>
          <CancelButton />
          <button type="submit" form={formId} className="button button-primary" aria-disabled={isBusy}>
            {isBusy ? 'Saving …' : user ? 'Save changes' : 'Add User'}
          </button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit} aria-busy={isBusy}>
        <TextField
          label="Name"
          name="name"
          autoComplete="off"
          value={values.name}
          onChange={event => set({ name: event.target.value })}
          error={errors.name}
        />
        <TextField
          label="Email"
          name="email"
          type="email"
          autoComplete="off"
          value={values.email}
          onChange={event => set({ email: event.target.value })}
          error={errors.email}
        />
        <ChoiceField
          label="Role"
          name="role"
          options={roles}
          labels={roleLabels}
          hints={roleHints}
          value={role}
          onChange={role => set({ role })}
          error={errors.role}
        />
        {role !== 'admin' && (
          <ChoiceField
            label="Messages"
            name="inbox"
            options={inboxGrants}
            labels={inboxLabels}
            hints={inboxHints}
            value={inbox}
            onChange={inbox => set({ inbox })}
            error={errors.inbox}
          />
        )}
        {losesWork && <GiveWork user={user} value={assignTo} onChoose={setAssignTo} />}
        {!user && (
          <FirstPassword
            choice={choice}
            onChoose={choose}
            password={values.password}
            onChange={password => set({ password })}
            error={errors.password}
            isMailKeptHere={isMailKeptHere}
          />
        )}
        {isSelf && (
          <p className="field-hint">To change your own password, use Edit Profile on the dashboard.</p>
        )}
        {user && !isSelf && (
          <NewPasswordField
            label="New password"
            value={values.password}
            onChange={password => set({ password })}
            error={errors.password}
            hint={
              user.isInvited ? INVITED_HINT : 'Leave empty to keep it. A new one signs them out everywhere.'
            }
          />
        )}
      </form>
    </Dialog>
  )
}

const INVITED_HINT = 'Leave empty: they choose one. If you set one, the invitation stops working.'

function errorsOf(error: Error): FormErrors {
  const isTaken = error instanceof ApiError && error.code === EMAIL_TAKEN_CODE
  return isTaken ? { email: error.message } : errorsOfFailure(error)
}

/** The input that was saved before the session ended. */
function restore(form: string): Partial<Values> {
  const typed = restoreInput(form)
  const name = inputText(typed, 'name')
  const email = inputText(typed, 'email')
  const role = roles.find(each => each === typed.role)
  const inbox = inboxGrants.find(each => each === typed.inbox)
  return { ...(name && { name }), ...(email && { email }), ...(role && { role }), ...(inbox && { inbox }) }
}

function restoreChoice(form: string): FirstPasswordChoice {
  return inputText(restoreInput(form), 'choice') === 'password' ? 'password' : 'invitation'
}

/** An admin who becomes an editor or a viewer starts without access, as on the server. */
const startGrant = (user: UserAccount | null) => (user ? storedGrant(user.role, user.inbox) : NEW_INBOX)

/** A password always counts as a change: the current one is unknown. */
function pickChanged(user: UserAccount, { name, email, role, inbox, password }: UserChange) {
  return {
    ...(name !== user.name && { name }),
    ...(email !== user.email && { email }),
    ...(role !== user.role && { role }),
    ...(inbox !== startGrant(user) && { inbox }),
    ...(password && { password }),
  }
}

interface ChoiceFieldProps<Value extends string> {
  readonly label: string
  readonly name: string
  readonly options: readonly Value[]
  readonly labels: Readonly<Record<Value, string>>
  /** What each choice means. */
  readonly hints: Readonly<Record<Value, string>>
  readonly value: Value
  readonly onChange: (value: Value) => void
  readonly error?: string | undefined
}

/** A choice from a short list, with a description of what is chosen. */
function ChoiceField<Value extends string>(props: ChoiceFieldProps<Value>) {
  const { label, name, options, labels, hints, value, onChange, error } = props
  const id = useId()
  return (
    <div className="field" data-invalid={error ? '' : undefined}>
      <label htmlFor={id}>{label}</label>
      <select
        className="control"
        id={id}
        name={name}
        value={value}
        onChange={event => {
          const chosen = options.find(each => each === event.target.value)
          if (chosen) onChange(chosen)
        }}
        aria-invalid={error ? true : undefined}
        aria-describedby={`${id}hint`}
      >
        {options.map(option => (
          <option key={option} value={option}>
            {labels[option]}
          </option>
        ))}
      </select>
      <p className={error ? 'field-error' : 'field-hint'} id={`${id}hint`}>
        {error ?? hints[value]}
      </p>
    </div>
  )
}

const INVITATION_DAYS = LINK_LIFETIMES.invitation / days(1)

const firstPasswordChoices = ['invitation', 'password'] as const
type FirstPasswordChoice = (typeof firstPasswordChoices)[number]

const labels = { invitation: 'Send an invitation', password: 'Set a password' }
const hints = {
  invitation: `An email leads them to a form, where they choose a password within ${INVITATION_DAYS} days.`,
  password: 'Give it to them in person.',
}

interface FirstPasswordProps {
  readonly choice: FirstPasswordChoice
  readonly onChoose: (choice: FirstPasswordChoice) => void
  readonly password: string
  readonly onChange: (password: string) => void
  readonly error: string | undefined
  /** Whether emails go nowhere but to the local mailbox. */
  readonly isMailKeptHere: boolean
}

/** How a new user gets a password. While no email is sent, an admin has to set it. */
function FirstPassword(props: FirstPasswordProps) {
  const { choice, onChoose, password, onChange, error, isMailKeptHere } = props
  return (
    <>
      {isMailKeptHere ? (
        <p className="field-hint">
          No mail provider is set up, so no invitation can be sent. Give them the password in person.
        </p>
      ) : (
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
      )}
      {(isMailKeptHere || choice === 'password') && (
        <NewPasswordField label="Password" value={password} onChange={onChange} error={error} />
      )}
    </>
  )
}
