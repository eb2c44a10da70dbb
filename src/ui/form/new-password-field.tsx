import { useState } from 'react'
import { passwordRules } from '../../auth/password-rules.ts'
import { Field } from './field.tsx'

/** The remaining rules are listed only when broken: nearly every password satisfies them. */
const ALWAYS_SHOWN_RULES = 5

interface NewPasswordFieldProps {
  readonly label: string
  readonly value: string
  readonly onValue: (password: string) => void
  readonly error?: string | undefined
  readonly hint?: string
}

/** A new password, and below it the rules that it satisfies so far. An empty optional field lists no rules. */
export function NewPasswordField({ label, value, onValue, error, hint }: NewPasswordFieldProps) {
  const [isShown, setShown] = useState(false)
  const hasRules = value !== '' || error !== undefined || !hint
  const listRules = (id: string) => <Rules id={id} password={value} />
  return (
    <Field label={label} hint={hint} error={error} note={hasRules ? listRules : undefined}>
      {control => (
        <div className="new-password">
          <input
            className="control"
            {...control}
            name="password"
            type={isShown ? 'text' : 'password'}
            autoComplete="new-password"
            spellCheck={false}
            value={value}
            onChange={event => onValue(event.target.value)}
          />
          <button
            type="button"
            className="button"
            aria-pressed={isShown}
            aria-label={`Show ${label.toLowerCase()}`}
            onClick={() => setShown(!isShown)}
          >
            {isShown ? 'Hide' : 'Show'}
          </button>
        </div>
      )}
    </Field>
  )
}

function Rules({ id, password }: { id: string; password: string }) {
  return (
    <ul className="quiet small password-rules" id={id}>
      {passwordRules.map(({ message, hint, isSatisfiedBy }, index) => {
        const isMet = isSatisfiedBy(password)
        if (index >= ALWAYS_SHOWN_RULES && isMet) return null
        return (
          <li key={message} data-met={isMet ? '' : undefined}>
            {message}
            {hint && !isMet && <span className="password-rules-hint">{` ${hint}`}</span>}
            <span className="visually-hidden">{isMet ? ' (done)' : ' (not yet)'}</span>
          </li>
        )
      })}
    </ul>
  )
}
