import { useEffect, useState } from 'react'
import { ApiError, readReply } from '../../http/api-client.ts'
import { Header } from '../../ui/header/header.tsx'
import { emailVerification, INVALID_TOKEN, VERIFIED } from './contract.ts'

type State =
  | { readonly kind: 'loading' }
  | { readonly kind: 'success'; readonly message: string }
  | { readonly kind: 'error'; readonly message: string; readonly isOffline: boolean }

const loading: State = { kind: 'loading' }
const noToken: State = { kind: 'error', message: INVALID_TOKEN, isOffline: false }

export function Screen({ token, siteName }: { token: string; siteName: string }) {
  const [state, setState] = useState<State>(token ? loading : noToken)

  useEffect(() => {
    if (token) verify(token).then(setState)
  }, [token])

  function tryAgain() {
    setState(loading)
    verify(token).then(setState)
  }

  return (
    <>
      <title>{`Email verification | ${siteName}`}</title>
      <Header siteName={siteName} current="/verify-email" viewer={null} />
      <main id="main" className="sign-in">
        <section className="panel sign-in-panel email-verification" data-state={state.kind}>
          <h1>{headings[state.kind]}</h1>
          {state.kind === 'loading' && (
            <p className="line email-verification-loading" role="status">
              <span className="spinner" /> Verifying your email address …
            </p>
          )}
          {state.kind === 'success' && (
            <>
              <p role="status">{state.message}</p>
              <a className="button button-primary button-large" href="/auth">
                Go to the sign-in
              </a>
            </>
          )}
          {state.kind === 'error' && (
            <>
              <p role="alert">{state.message}</p>
              {state.isOffline ? (
                <button type="button" className="button button-primary button-large" onClick={tryAgain}>
                  Try again
                </button>
              ) : (
                <>
                  <p>
                    A link works for 24 hours, and only for the newest address of an account. An admin of your
                    agency can send you another one.
                  </p>
                  <a className="button button-large" href="/auth">
                    Go to the sign-in
                  </a>
                </>
              )}
            </>
          )}
        </section>
      </main>
    </>
  )
}

const headings = {
  loading: 'One moment',
  success: 'Email verified',
  error: 'Email not verified',
}

async function verify(token: string): Promise<State> {
  const url = `${emailVerification.verify.path}?token=${encodeURIComponent(token)}`
  const reply = await readReply<{ message?: string }>(() => fetch(url))
  if (!(reply instanceof ApiError)) return { kind: 'success', message: reply.message || VERIFIED }
  if (reply.isOffline) {
    const message = 'An error occurred while verifying your email address'
    return { kind: 'error', message, isOffline: true }
  }
  return {
    kind: 'error',
    message: reply.message || 'Failed to verify your email address',
    isOffline: false,
  }
}
