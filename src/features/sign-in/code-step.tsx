import { type FormEvent, useEffect, useState } from 'react'
import type * as z from 'zod/mini'
import { CallFailed } from '../../http/call.ts'
import { call } from '../../ui/client.ts'
import { TextField } from '../../ui/field.tsx'
import { useOnce } from '../../ui/once.ts'
import { showToast } from '../../ui/toast.ts'
import { CODE_MESSAGE, Code, signIn } from './contract.ts'

/** Seconds before another code can be asked for; the server counts too. */
const RESEND_AFTER = 60

interface CodeStepProps {
  readonly onSignedIn: (name: string) => void
  readonly onStartAgain: () => void
}

export function CodeStep({ onSignedIn, onStartAgain }: CodeStepProps) {
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const once = useOnce()

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isBusy) return
    const fields = new FormData(event.currentTarget)
    const checked = Code.safeParse({ code: fields.get('code'), trustDevice: fields.has('trustDevice') })
    if (!checked.success) return setError(CODE_MESSAGE)
    const { data } = checked
    once(() => verify(data), JSON.stringify(data))
  }

  async function verify(input: z.output<typeof Code>) {
    setError(undefined)
    setBusy(true)
    try {
      const { user } = await call(signIn.verifyCode, input)
      onSignedIn(user.name)
    } catch (failure) {
      setBusy(false)
      setError('That code did not work. Use the newest letter; a code works once, within five minutes.')
      const description = (failure instanceof Error && failure.message) || 'Verification failed'
      showToast({ title: 'Verification Failed', description, kind: 'error' })
    }
  }

  return (
    <form className="panel sign-in-panel" noValidate onSubmit={submit} aria-busy={isBusy}>
      <h1>Check your email</h1>
      <p>We have sent you a letter with a code of six digits.</p>
      <TextField
        label="Verification code"
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={6}
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
        <ResendButton />
        <button type="button" className="button button-quiet" onClick={onStartAgain}>
          Start again
        </button>
      </div>
    </form>
  )
}

function ResendButton() {
  const [left, setLeft] = useState(RESEND_AFTER)
  const once = useOnce()

  useEffect(() => {
    const timer = setInterval(() => setLeft(seconds => Math.max(0, seconds - 1)), 1000)
    return () => clearInterval(timer)
  }, [])

  async function resend() {
    try {
      await call(signIn.resendCode, {})
      setLeft(RESEND_AFTER)
      showToast({ title: 'Code Sent', description: 'A new verification code has been sent to your email.' })
    } catch (error) {
      if (error instanceof CallFailed && error.retryAfter) setLeft(error.retryAfter)
      const description = (error instanceof Error && error.message) || 'Failed to resend code'
      showToast({ title: 'Failed to Resend Code', description, kind: 'error' })
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
