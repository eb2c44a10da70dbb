import { type FormEvent, useId, useState } from 'react'
import { LINK_LIFETIMES } from '../../auth/lifetimes.ts'
import { Captcha } from '../../bot-check/captcha.tsx'
import { useBotCheck } from '../../bot-check/use-bot-check.ts'
import { fieldErrors } from '../../http/field-errors.ts'
import { replies } from '../../i18n/texts.ts'
import { minutes } from '../../platform/clock.ts'
import { call } from '../../ui/client.ts'
import { errorsOfFailure, TextField, useFormErrors } from '../../ui/form/field.tsx'
import { usePressGuard } from '../../ui/form/press-guard.ts'
import { LinkRequest, passwordLink } from './contract.ts'

/** Asks for the address to which a link is sent. What it says afterwards is the same for every address. */
export function ForgotPassword({ siteName }: { siteName: string }) {
  const [sent, setSent] = useState<SentLink | null>(null)
  return (
    <>
      <title>{`Forgot password? | ${siteName}`}</title>
      {sent === null ? <RequestForm onSent={setSent} /> : <Sent {...sent} />}
    </>
  )
}

interface SentLink {
  readonly email: string
  /** The link is in an email that reaches nobody. */
  readonly isMailKeptHere: boolean
}

function RequestForm({ onSent }: { onSent: (sent: SentLink) => void }) {
  const formId = useId()
  const [errors, showErrors] = useFormErrors(formId)
  const [failure, setFailure] = useState('')
  const [isBusy, setBusy] = useState(false)
  const once = usePressGuard()
  const { captcha, check } = useBotCheck(() => showErrors({ ...errors, recaptchaToken: undefined }))

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isBusy) return
    const checked = LinkRequest.safeParse({ email: new FormData(event.currentTarget).get('email') })
    setFailure('')
    showErrors({
      ...fieldErrors(checked.error?.issues ?? []),
      ...(check.current?.needsTick() && { recaptchaToken: replies.recaptchaToken }),
    })
    if (!checked.success || check.current?.needsTick()) return
    const { email } = checked.data
    once(() => request(email), email)
  }

  async function request(email: string) {
    setBusy(true)
    const recaptchaToken = (await check.current?.token()) ?? ''
    try {
      const { isMailKeptHere } = await call(passwordLink.request, { email, recaptchaToken })
      onSent({ email, isMailKeptHere })
    } catch (error) {
      // A token of the bot check is valid once, even when the call fails.
      check.current?.reset()
      setBusy(false)
      showErrors(errorsOfFailure(error))
      setFailure((error instanceof Error && error.message) || 'The link could not be requested.')
    }
  }

  return (
    <form id={formId} className="panel sign-in-panel" noValidate onSubmit={submit} aria-busy={isBusy}>
      <h1>Forgot password?</h1>
      <p>Enter the email address of your account. You get a link to set a new password.</p>
      {failure && (
        <div className="error-summary" role="alert">
          <p>{failure}</p>
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
      <Captcha id="captcha" host={captcha} error={errors.recaptchaToken} />
      <button type="submit" className="button button-primary button-large" aria-disabled={isBusy}>
        {isBusy ? 'Sending …' : 'Send the link'}
      </button>
      <BackToSignIn />
    </form>
  )
}

function Sent({ email, isMailKeptHere }: SentLink) {
  if (isMailKeptHere)
    return (
      <section className="panel sign-in-panel" role="status">
        <h1>No email can be sent</h1>
        <p>
          No mail provider is set up, so nobody gets a link. Ask an admin of your agency, or the person who
          runs the server, to set a new password for you.
        </p>
        <BackToSignIn />
      </section>
    )
  return (
    <section className="panel sign-in-panel" role="status">
      <h1>Check your email</h1>
      <p>
        If <strong>{email}</strong> is the confirmed address of an account, a link is on its way. It works
        once, within {LINK_LIFETIMES.reset / minutes(1)} minutes.
      </p>
      <p>No email after a few minutes? Look in the spam folder, or ask an admin of your agency.</p>
      <BackToSignIn />
    </section>
  )
}

function BackToSignIn() {
  return (
    <div className="sign-in-other">
      <a className="button button-quiet" href="/auth">
        Back to the sign-in
      </a>
    </div>
  )
}
