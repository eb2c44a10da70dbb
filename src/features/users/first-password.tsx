import { LINK_LIFETIMES } from '../../auth/link-lifetimes.ts'
import { NewPasswordField } from '../../auth/new-password-field.tsx'
import { days } from '../../clock.ts'

const INVITATION_DAYS = LINK_LIFETIMES.invitation / days(1)

export const firstPasswordChoices = ['invitation', 'password'] as const
export type FirstPasswordChoice = (typeof firstPasswordChoices)[number]

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
export function FirstPassword(props: FirstPasswordProps) {
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
