import { useEffect, useState } from 'react'
import { ApiError } from '../../http/api-client.ts'
import { forgotPasswordPath } from '../../screens.ts'
import { call } from '../../ui/client.ts'
import { INVALID_LINK, type OpenedLink, passwordLink } from './contract.ts'
import { NewPasswordForm } from './new-password-form.tsx'

type State =
  | { readonly kind: 'loading' }
  | { readonly kind: 'open'; readonly link: OpenedLink }
  | { readonly kind: 'failed'; readonly message: string; readonly mayRetry: boolean }
  | { readonly kind: 'done' }

const loading: State = { kind: 'loading' }
const noToken: State = { kind: 'failed', message: INVALID_LINK, mayRetry: false }

/** Sets a password with the link of an invitation or of *Forgot password?*. */
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
