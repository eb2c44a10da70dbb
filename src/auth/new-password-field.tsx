import { useId, useState } from 'react'
import { passwordRules } from './password-rules.ts'

/** The remaining rules are listed only when broken: nearly every password satisfies them. */
const ALWAYS_SHOWN_RULES = 5

interface NewPasswordFieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (password: string) => void
  readonly error?: string | undefined
  readonly hint?: string
}

/** A new password, and below it the rules that it satisfies so far. An empty optional field lists no rules. */
export function NewPasswordField({ label, value, onChange, error, hint }: NewPasswordFieldProps) {
  const id = useId()
  const [isShown, setShown] = useState(false)
  const hasRules = value !== '' || error !== undefined || !hint
  return (
    <div className="field" data-invalid={error ? '' : undefined}>
      <label htmlFor={id}>{label}</label>
      {hint && (
        <p className="field-hint" id={`${id}hint`}>
          {hint}
        </p>
      )}
      <div className="new-password">
        <input
          className="control"
          id={id}
          name="password"
          type={isShown ? 'text' : 'password'}
          autoComplete="new-password"
          spellCheck={false}
          value={value}
          onChange={event => onChange(event.target.value)}
          aria-invalid={error ? true : undefined}
          aria-describedby={`${id}hint ${id}error ${id}rules`}
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
      {error && (
        <p className="field-error" id={`${id}error`} role="alert">
          {error}
        </p>
      )}
      {hasRules && <Rules id={`${id}rules`} password={value} />}
    </div>
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
