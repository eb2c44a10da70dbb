import { type FormEvent, useEffect, useState } from 'react'
import type * as z from 'zod/mini'
import { ApiError } from '../../http/api-client.ts'
import { call } from '../../ui/client.ts'
import { TextField } from '../../ui/form/field.tsx'
import { usePressGuard } from '../../ui/form/press-guard.ts'
import { showFailure, showToast } from '../../ui/toast/toast.ts'
import { CODE_MESSAGE, Code, signIn } from './contract.ts'
import { type PendingCode, recordCodeSent, secondsUntilResend } from './find-step.ts'

const whyPrinted = {
  failing:
    'Mail is failing, so a code of six digits was printed on the server: ask the person who can read its console.',
  'no mail':
    'No mail provider is set up, so a code of six digits was printed on the server: ask the person who can read its console.',
}

interface CodeStepProps {
  readonly pending: PendingCode
  /** @returns why the new code was printed on the server, if it was */
  readonly onResent: () => Promise<PendingCode['printed']>
  readonly onSignedIn: (name: string) => void
  /** Called when the pending sign-in may no longer exist on the server. */
  readonly onRefused: () => void
  readonly onStartOver: () => void
}

export function CodeStep({ pending, onResent, onSignedIn, onRefused, onStartOver }: CodeStepProps) {
  const { name, printed } = pending
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const once = usePressGuard()

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isBusy) return
    const { data } = readForm(event.currentTarget)
    if (data) once(() => verify(data), JSON.stringify(data))
    else setError(CODE_MESSAGE)
  }

  async function verify(input: z.output<typeof Code>) {
    setError(undefined)
    setBusy(true)
    try {
      const { user } = await call(signIn.verifyCode, input)
      onSignedIn(user.name)
    } catch (failure) {
      setBusy(false)
      const newest = printed ? 'code printed on the server' : 'email'
      setError(`That code did not work. Use the newest ${newest}: a code works once, within five minutes.`)
      showFailure('Verification Failed', failure, 'Verification failed')
      if (isSignedOut(failure)) onRefused()
    }
  }

  return (
    <form className="panel sign-in-panel" noValidate onSubmit={submit} aria-busy={isBusy}>
      <h1>{printed ? 'Enter the printed code' : 'Check your email'}</h1>
      <p>
        Signing in as <strong>{name}</strong>.{' '}
        {printed ? whyPrinted[printed] : 'We have sent you an email with a code of six digits.'}
      </p>
      <TextField
        label="Verification code"
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        error={error}
        autoFocus
      />
      <label className="check">
        <input type="checkbox" name="trustDevice" /> Trust this device for 30 days
      </label>
      <button type="submit" className="button button-primary button-large" aria-disabled={isBusy}>
        {isBusy ? 'Verifying …' : 'Verify'}
      </button>
      <div className="sign-in-other">
        <ResendButton onResent={onResent} onRefused={onRefused} />
        <button type="button" className="button button-quiet" onClick={onStartOver}>
          Start again
        </button>
      </div>
    </form>
  )
}

/** A code is often pasted with spaces, a hyphen or words around it; the server accepts only digits. */
function readForm(form: HTMLFormElement) {
  const fields = new FormData(form)
  const code = String(fields.get('code')).replace(/[^0-9]/g, '')
  return Code.safeParse({ code, trustDevice: fields.has('trustDevice') })
}

const isSignedOut = (error: unknown) => error instanceof ApiError && error.status === 401

function ResendButton({ onResent, onRefused }: Pick<CodeStepProps, 'onResent' | 'onRefused'>) {
  const [left, setLeft] = useState(secondsUntilResend)
  const once = usePressGuard()

  useEffect(() => {
    const timer = setInterval(() => setLeft(seconds => Math.max(0, seconds - 1)), 1000)
    return () => clearInterval(timer)
  }, [])

  async function resend() {
    try {
      await call(signIn.resendCode, {})
      recordCodeSent()
      setLeft(secondsUntilResend())
      const printed = await onResent()
      const description = printed
        ? whyPrinted[printed]
        : 'A new verification code has been sent to your email.'
      showToast({ title: 'Code Sent', description })
    } catch (error) {
      if (error instanceof ApiError && error.retryAfter) setLeft(error.retryAfter)
      showFailure('Failed to Resend Code', error, 'Failed to resend code')
      if (isSignedOut(error)) onRefused()
    }
  }

  return (
    <button
      type="button"
      className="button button-quiet"
      aria-disabled={left > 0}
      onClick={() => left > 0 || once(resend)}
    >
      {left > 0 ? `Send another code in ${left} s` : 'Send another code'}
    </button>
  )
}
