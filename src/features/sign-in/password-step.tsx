import { type FormEvent, useEffect, useRef, useState } from 'react'
import type * as z from 'zod/mini'
import { Captcha } from '../../bot-check/captcha.tsx'
import { useBotCheck } from '../../bot-check/use-bot-check.ts'
import { ApiError } from '../../http/api-client.ts'
import { fieldErrors } from '../../http/field-errors.ts'
import { replies } from '../../i18n/texts.ts'
import { forgotPasswordPath } from '../../screens.ts'
import { call } from '../../ui/client.ts'
import { TextField } from '../../ui/form/field.tsx'
import { usePressGuard } from '../../ui/form/press-guard.ts'
import { showFailure } from '../../ui/toast/toast.ts'
import { Credentials, signIn } from './contract.ts'

interface PasswordStepProps {
  /** Why the person has to sign in again. */
  readonly notice: string | undefined
  readonly onCodeNeeded: (name: string) => void
  readonly onSignedIn: (name: string) => void
}

type Errors = Readonly<Partial<Record<string, string>>>

export function PasswordStep({ notice, onCodeNeeded, onSignedIn }: PasswordStepProps) {
  const [errors, setErrors] = useState<Errors>({})
  const [advice, setAdvice] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const once = usePressGuard()
  const { captcha, check } = useBotCheck(() => setErrors(known => ({ ...known, recaptchaToken: undefined })))

  useEffect(() => {
    if (Object.values(errors).some(Boolean))
      form.current?.querySelector<HTMLElement>('[aria-invalid], .captcha[data-invalid]')?.focus()
  }, [errors])

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    // Stays busy after a successful sign-in: the page is about to be replaced.
    if (isBusy) return
    const fields = Object.fromEntries(new FormData(event.currentTarget))
    const checked = Credentials.safeParse(fields)
    const wrong = {
      ...fieldErrors(checked.error?.issues ?? []),
      ...(check.current?.needsTick() && MISSING_TOKEN),
    }
    setErrors(wrong)
    setAdvice(undefined)
    if (!checked.success || Object.keys(wrong).length > 0) return
    const { data } = checked
    once(() => logIn(data), JSON.stringify(data))
  }

  async function logIn(credentials: z.output<typeof Credentials>) {
    setBusy(true)
    const recaptchaToken = (await check.current?.token()) ?? ''
    try {
      const entered = await call(signIn.login, { ...credentials, recaptchaToken })
      if (entered.requiresTwoFactor) onCodeNeeded(entered.user.name)
      else onSignedIn(entered.user.name)
    } catch (error) {
      // A token of the bot check is valid once, even when the login fails.
      check.current?.reset()
      setBusy(false)
      if (error instanceof ApiError) setErrors(error.errors)
      setAdvice(adviceOn(error, recaptchaToken))
      showFailure('Login Failed', error, 'Login failed')
    }
  }

  return (
    <form ref={form} className="panel sign-in-panel" noValidate onSubmit={submit} aria-busy={isBusy}>
      <h1>Login</h1>
      <p>For the staff of this agency.</p>
      {notice && <p role="status">{notice}</p>}
      {advice && (
        <div className="error-summary" role="alert">
          <p>{advice}</p>
        </div>
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
      <Captcha id="captcha" host={captcha} error={errors.recaptchaToken} />
      <button type="submit" className="button button-primary button-large" aria-disabled={isBusy}>
        {isBusy ? 'Logging in …' : 'Login'}
      </button>
      <div className="sign-in-other">
        <a className="button button-quiet" href={forgotPasswordPath}>
          Forgot password?
        </a>
      </div>
    </form>
  )
}

const MISSING_TOKEN = { recaptchaToken: replies.recaptchaToken }

/** What the person can do, where the error itself does not say it. @param token the bot check token that was sent */
function adviceOn(error: unknown, token: string): string | undefined {
  if (!(error instanceof ApiError)) return undefined
  if (error.status === 401)
    return 'Check the email address and the password. After five wrong passwords, an account is locked for ten minutes.'
  if (error.errors.recaptchaToken && token.startsWith('recaptcha_'))
    return 'Google’s check did not load in this browser. It is required after several failed logins: try again in fifteen minutes, or from another network.'
  return undefined
}
