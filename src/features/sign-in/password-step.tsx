import { type FormEvent, useState } from 'react'
import { call } from '../../ui/client.ts'
import { TextField } from '../../ui/field.tsx'
import { showToast } from '../../ui/toast.ts'
import { Credentials, signIn } from './contract.ts'

interface PasswordStepProps {
  readonly onCodeNeeded: () => void
  readonly onSignedIn: (name: string) => void
}

export function PasswordStep({ onCodeNeeded, onSignedIn }: PasswordStepProps) {
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const [hasFailed, setFailed] = useState(false)
  const [isBusy, setBusy] = useState(false)

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isBusy) return
    const fields = Object.fromEntries(new FormData(event.currentTarget))
    const checked = Credentials.safeParse(fields)
    if (!checked.success) {
      const [issue] = checked.error.issues
      return setErrors({ [String(issue?.path[0])]: issue?.message ?? '' })
    }
    setErrors({})
    setFailed(false)
    setBusy(true)
    try {
      const entered = await call(signIn.login, checked.data)
      if (entered.requiresTwoFactor) onCodeNeeded()
      else onSignedIn(entered.user.name)
    } catch (error) {
      setBusy(false)
      setFailed(true)
      const description = (error instanceof Error && error.message) || 'Login failed'
      showToast({ title: 'Login Failed', description, kind: 'error' })
    }
  }

  return (
    <form className="panel sign-in-panel" noValidate onSubmit={submit} aria-busy={isBusy}>
      <h1>Login</h1>
      <p>For the staff of this agency.</p>
      {hasFailed && (
        <p className="field-error" role="alert">
          Check the email address and the password. After five wrong passwords an account rests for ten
          minutes.
        </p>
      )}
      <TextField
        label="Email"
        name="email"
        type="email"
        autoComplete="username"
        error={errors.email}
        autoFocus
      />
      <TextField
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        error={errors.password}
      />
      <button type="submit" className="button button-primary button-large" aria-disabled={isBusy}>
        {isBusy ? 'Logging in …' : 'Login'}
      </button>
    </form>
  )
}
