import { type FormEvent, useEffect, useId, useState } from 'react'
import { ApiError } from '../../http/api-client.ts'
import { fieldErrors } from '../../http/field-errors.ts'
import { forgotPasswordPath } from '../../screens.ts'
import { call } from '../../ui/client.ts'
import { errorsOfFailure, TextField, useFormErrors } from '../../ui/form/field.tsx'
import { NewPasswordField } from '../../ui/form/new-password-field.tsx'
import { usePressGuard } from '../../ui/form/press-guard.ts'
import { INVALID_LINK, type OpenedLink, PasswordByLink, passwordLink } from './contract.ts'

type State =
  | { readonly kind: 'loading' }
  | { readonly kind: 'open'; readonly link: OpenedLink }
  | { readonly kind: 'failed'; readonly message: string; readonly mayRetry: boolean }
  | { readonly kind: 'done' }

const loading: State = { kind: 'loading' }
const noToken: State = { kind: 'failed', message: INVALID_LINK, mayRetry: false }

export function SetPassword({ token, siteName }: { token: string; siteName: string }) {
  const [state, setState] = useState<State>(token ? loading : noToken)

  useEffect(() => {
    if (token && state.kind === 'loading') open(token).then(setState)
  }, [token, state])

  return (
    <>
      <title>{`Set a password | ${siteName}`}</title>
      {state.kind === 'loading' && (
        <p className="shell-loading" role="status">
          <span className="spinner" /> Loading …
        </p>
      )}
      {state.kind === 'open' && (
        <NewPasswordForm
          token={token}
          link={state.link}
          onDone={() => setState({ kind: 'done' })}
          onInvalid={() => setState(noToken)}
        />
      )}
      {state.kind === 'failed' && <Failed {...state} onRetry={() => setState(loading)} />}
      {state.kind === 'done' && <Done />}
    </>
  )
}

async function open(token: string): Promise<State> {
  try {
    return { kind: 'open', link: await call(passwordLink.open, { token }) }
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    return { kind: 'failed', message, mayRetry: !(error instanceof ApiError) || error.status !== 400 }
  }
}

function Failed({ message, mayRetry, onRetry }: { message: string; mayRetry: boolean; onRetry: () => void }) {
  return (
    <section className="panel sign-in-panel" role="alert">
      <h1>No password set</h1>
      <p>{message}</p>
      {mayRetry ? (
        <button type="button" className="button button-primary button-large" onClick={onRetry}>
          Try again
        </button>
      ) : (
        <>
          <p>An admin of your agency can send an invitation again.</p>
          <a className="button button-large" href={forgotPasswordPath}>
            Forgot password?
          </a>
        </>
      )}
    </section>
  )
}

function Done() {
  return (
    <section className="panel sign-in-panel" role="status">
      <h1>Password set</h1>
      <p>Sign in with your new password. As always, we also send you a code by email.</p>
      <a className="button button-primary button-large" href="/auth">
        Go to the sign-in
      </a>
    </section>
  )
}

interface NewPasswordFormProps {
  readonly token: string
  readonly link: OpenedLink
  readonly onDone: () => void
  readonly onInvalid: () => void
}

function NewPasswordForm({ token, link, onDone, onInvalid }: NewPasswordFormProps) {
  const { purpose, name, email } = link
  const formId = useId()
  const [password, setPassword] = useState('')
  const [errors, showErrors] = useFormErrors(formId)
  const [failure, setFailure] = useState('')
  const [isBusy, setBusy] = useState(false)
  const once = usePressGuard()

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isBusy) return
    const checked = PasswordByLink.safeParse({ token, password })
    setFailure('')
    showErrors(fieldErrors(checked.error?.issues ?? []))
    if (checked.success) once(() => save(checked.data), password)
  }

  async function save(input: PasswordByLink) {
    setBusy(true)
    try {
      await call(passwordLink.setPassword, input)
      // A reload must not show the form of a used link.
      history.replaceState(null, '')
      onDone()
    } catch (error) {
      if (error instanceof ApiError && error.message === INVALID_LINK) return onInvalid()
      setBusy(false)
      showErrors(errorsOfFailure(error))
      setFailure((error instanceof Error && error.message) || 'The password could not be saved.')
    }
  }

  return (
    <form id={formId} className="panel sign-in-panel" noValidate onSubmit={submit} aria-busy={isBusy}>
      <h1>{purpose === 'invitation' ? `Welcome, ${name}` : 'Set a new password'}</h1>
      <p>
        {purpose === 'invitation'
          ? 'Choose a password for the staff portal. To sign in you need it and a code that we email to you.'
          : 'A new password signs you out everywhere. To sign in again you need it and a code that we email to you.'}
      </p>
      {failure && (
        <div className="error-summary" role="alert">
          <p>{failure}</p>
        </div>
      )}
      {/* A password manager reads from it whose password it is. */}
      <TextField label="Email" type="email" autoComplete="username" value={email} readOnly />
      <NewPasswordField label="New password" value={password} onValue={setPassword} error={errors.password} />
      <button type="submit" className="button button-primary button-large" aria-disabled={isBusy}>
        {isBusy ? 'Saving …' : 'Set password'}
      </button>
    </form>
  )
}
