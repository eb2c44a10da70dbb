import { useEffect, useState } from 'react'
import { call } from '../../ui/client.ts'
import { Header } from '../../ui/header.tsx'
import { showToast } from '../../ui/toast.ts'
import { sessionEndedNotice } from '../../ui/typed.ts'
import { leaveToast } from '../../ui/waiting-toast.ts'
import { CodeStep } from './code-step.tsx'
import { signIn } from './contract.ts'
import { PasswordStep } from './password-step.tsx'

/** First the password, then the code. Whoever is signed in already goes on to the portal. */
export function Screen() {
  const [step, setStep] = useState<'looking' | 'password' | 'code'>('looking')

  const [notice] = useState(sessionEndedNotice)

  useEffect(() => {
    // The hint spares a visitor's page a call that could only be refused.
    if (!document.cookie.includes('signed_in=1')) return setStep('password')
    call(signIn.me, {}).then(
      () => location.replace(destination()),
      () => setStep('password'),
    )
  }, [])

  function awaitCode() {
    showToast({
      title: 'Verification Required',
      description: 'Please enter the verification code sent to your email.',
    })
    setStep('code')
  }

  return (
    <>
      <title>Staff sign-in | Landfall</title>
      <Header siteName="Landfall" current="/auth" viewer={null} />
      <main id="main" className="sign-in">
        {step === 'looking' && (
          <p className="shell-loading" role="status">
            <span className="spinner" /> Loading …
          </p>
        )}
        {step === 'password' && (
          <PasswordStep
            notice={notice}
            onCodeNeeded={awaitCode}
            onSignedIn={name => enter('Login Successful', name)}
          />
        )}
        {step === 'code' && (
          <CodeStep
            onSignedIn={name => enter('Verification Successful', name)}
            onStartAgain={() => setStep('password')}
          />
        )}
      </main>
    </>
  )
}

function enter(title: string, name: string) {
  leaveToast({ title, description: `Welcome back, ${name}!` })
  location.assign(destination())
}

/** Where the person wanted to go, if that is a place on this site. */
function destination(): string {
  const next = new URLSearchParams(location.search).get('next') ?? ''
  const isHere =
    URL.canParse(next, location.origin) && new URL(next, location.origin).origin === location.origin
  return isHere && next.startsWith('/') && !/^\/[/\\]/.test(next) ? next : '/dashboard'
}
