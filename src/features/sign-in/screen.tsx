import { useEffect, useState } from 'react'
import { call } from '../../ui/client.ts'
import { usePressGuard } from '../../ui/form/press-guard.ts'
import { sessionEndedNotice } from '../../ui/form/stored-input.ts'
import { Header } from '../../ui/header/header.tsx'
import { flashToast } from '../../ui/toast/flash-toast.ts'
import { showToast } from '../../ui/toast/toast.ts'
import { CodeStep } from './code-step.tsx'
import { signIn } from './contract.ts'
import { clearCodeSent, findPending, findStep, recordCodeSent, type Step } from './find-step.ts'
import { PasswordStep } from './password-step.tsx'

const SIGN_IN_ENDED = 'That sign-in has ended, after five wrong codes or an hour. Please log in again.'

/** First the password, then the code. A person who is already signed in is redirected to the portal. */
export function Screen({ siteName }: { siteName: string }) {
  const [step, setStep] = useState<Step | null>(null)
  const [failure, setFailure] = useState<Error | null>(null)
  const [notice] = useState(sessionEndedNotice)
  const once = usePressGuard()

  useEffect(() => {
    findStep().then(setStep, setFailure)
    // The Back button restores the page from the cache as it was left, in the middle of a call.
    const restart = (event: PageTransitionEvent) => event.persisted && location.reload()
    addEventListener('pageshow', restart)
    return () => removeEventListener('pageshow', restart)
  }, [])

  useEffect(() => {
    if (step?.kind === 'signed-in') location.replace(destination())
  }, [step])

  /** The replies are the same for a code that was printed on the server. @returns why it was, if it was */
  async function showCode(name: string) {
    const found = await findPending().catch(() => null)
    const code = found?.kind === 'code' ? found : { kind: 'code' as const, name, printed: null }
    setStep(code)
    return code.printed
  }

  async function awaitCode(name: string) {
    recordCodeSent()
    showToast({
      title: 'Verification Required',
      description: (await showCode(name))
        ? 'Please enter the verification code printed on the server.'
        : 'Please enter the verification code sent to your email.',
    })
  }

  async function recheck() {
    const found = await findStep().catch(() => null)
    if (found) setStep(found.kind === 'password' ? { ...found, notice: SIGN_IN_ENDED } : found)
  }

  async function startOver() {
    const found = await findStep().catch(() => null)
    if (found?.kind === 'signed-in') return setStep(found)
    clearCodeSent()
    // Without a network, the pending sign-in expires on the server an hour after the password.
    await call(signIn.logout, {}).catch(() => null)
    setStep({ kind: 'password' })
  }

  return (
    <>
      <title>{`Staff sign-in | ${siteName}`}</title>
      <Header siteName={siteName} current="/auth" viewer={null} />
      <main id="main" className="sign-in">
        {failure && (
          <section className="panel sign-in-panel" role="alert">
            <h1>Login</h1>
            <p>Whether you are signed in could not be read. {failure.message}</p>
            <button type="button" className="button" onClick={() => location.reload()}>
              Try again
            </button>
          </section>
        )}
        {!failure && (!step || step.kind === 'signed-in') && (
          <p className="shell-loading" role="status">
            <span className="spinner" /> Loading …
          </p>
        )}
        {step?.kind === 'password' && (
          <PasswordStep
            notice={step.notice ?? notice ?? undefined}
            onCodeNeeded={awaitCode}
            onSignedIn={name => enter('Login Successful', name)}
          />
        )}
        {step?.kind === 'code' && (
          <CodeStep
            pending={step}
            onResent={() => showCode(step.name)}
            onSignedIn={name => enter('Verification Successful', name)}
            onRefused={recheck}
            onStartOver={() => once(startOver)}
          />
        )}
      </main>
    </>
  )
}

/** Replaces the page in the history, so that Back from the portal does not return to a completed form. */
function enter(title: string, name: string) {
  clearCodeSent()
  flashToast({ title, description: `Welcome back, ${name}!` })
  location.replace(destination())
}

/** The page that the person asked for, if it is on this site. */
function destination(): string {
  const next = new URLSearchParams(location.search).get('next') ?? ''
  const isHere =
    URL.canParse(next, location.origin) && new URL(next, location.origin).origin === location.origin
  return isHere && next.startsWith('/') && !/^\/[/\\]/.test(next) ? next : '/dashboard'
}
