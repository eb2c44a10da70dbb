import { type FormEvent, useEffect, useId, useState } from 'react'
import { ApiError } from '../../http/api-client.ts'
import { fieldErrors } from '../../http/field-errors.ts'
import { call } from '../../ui/client.ts'
import { errorsOfFailure, TextField, useFormErrors } from '../../ui/form/field.tsx'
import { NewPasswordField } from '../../ui/form/new-password-field.tsx'
import { usePressGuard } from '../../ui/form/press-guard.ts'
import { FirstAdmin, INVALID_LINK, setUp } from './contract.ts'

type State =
  | { readonly kind: 'loading' }
  | { readonly kind: 'open' }
  | { readonly kind: 'failed'; readonly message: string; readonly mayRetry: boolean }

const loading: State = { kind: 'loading' }
const noToken: State = { kind: 'failed', message: INVALID_LINK, mayRetry: false }

/** What the set-up link opens: the person who has it becomes the first admin. */
export function SetUp({ token }: { token: string }) {
  const [state, setState] = useState<State>(token ? loading : noToken)

  useEffect(() => {
    if (token && state.kind === 'loading') open(token).then(setState)
  }, [token, state])

  return (
    <>
      <title>Set up your site | Landfall</title>
      {state.kind === 'loading' && (
        <p className="shell-loading" role="status">
          <span className="spinner" /> Loading …
        </p>
      )}
      {state.kind === 'open' && <FirstAdminForm token={token} onInvalid={() => setState(noToken)} />}
      {state.kind === 'failed' && <Failed {...state} onRetry={() => setState(loading)} />}
    </>
  )
}

async function open(token: string): Promise<State> {
  try {
    await call(setUp.open, { token })
    return { kind: 'open' }
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    return { kind: 'failed', message, mayRetry: !(error instanceof ApiError) || error.status !== 400 }
  }
}

function Failed({ message, mayRetry, onRetry }: { message: string; mayRetry: boolean; onRetry: () => void }) {
  return (
    <section className="panel sign-in-panel" role="alert">
      <h1>Set-up not opened</h1>
      <p>{message}</p>
      {mayRetry ? (
        <button type="button" className="button button-primary button-large" onClick={onRetry}>
          Try again
        </button>
      ) : (
        <>
          <p>If nobody has set up this site yet, stop Landfall and start it again: it prints a new link.</p>
          <a className="button button-large" href="/auth">
            Go to the sign-in
          </a>
        </>
      )}
    </section>
  )
}

const empty = { name: '', email: '', password: '' }

function FirstAdminForm({ token, onInvalid }: { token: string; onInvalid: () => void }) {
  const formId = useId()
  const [typed, setTyped] = useState(empty)
  const [errors, showErrors] = useFormErrors(formId)
  const [failure, setFailure] = useState('')
  const [isBusy, setBusy] = useState(false)
  const once = usePressGuard()
  const set = (field: keyof typeof empty) => (value: string) => setTyped({ ...typed, [field]: value })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isBusy) return
    const checked = FirstAdmin.safeParse({ ...typed, token })
    setFailure('')
    showErrors(fieldErrors(checked.error?.issues ?? []))
    if (checked.success) once(() => create(checked.data), JSON.stringify(typed))
  }

  async function create(input: FirstAdmin) {
    setBusy(true)
    try {
      await call(setUp.create, input)
      // Back must not lead to the form of a used link.
      location.replace('/first-steps/next')
    } catch (error) {
      if (error instanceof ApiError && error.message === INVALID_LINK) return onInvalid()
      setBusy(false)
      showErrors(errorsOfFailure(error))
      setFailure((error instanceof Error && error.message) || 'The account could not be created.')
    }
  }

  return (
    <form id={formId} className="panel sign-in-panel" noValidate onSubmit={submit} aria-busy={isBusy}>
      <h1>Set up your site</h1>
      <p>
        Begin with your own account. You are the first admin: the one who can never be deleted, and to whom
        enquiries go until you choose another address.
      </p>
      {failure && (
        <div className="error-summary" role="alert">
          <p>{failure}</p>
        </div>
      )}
      <TextField
        label="Your name"
        autoComplete="name"
        value={typed.name}
        onValue={set('name')}
        error={errors.name}
      />
      <TextField
        label="Email"
        type="email"
        autoComplete="username"
        value={typed.email}
        onValue={set('email')}
        error={errors.email}
      />
      <NewPasswordField
        label="Password"
        value={typed.password}
        onValue={set('password')}
        error={errors.password}
      />
      <button type="submit" className="button button-primary button-large" aria-disabled={isBusy}>
        {isBusy ? 'Creating your account …' : 'Create my account'}
      </button>
    </form>
  )
}
