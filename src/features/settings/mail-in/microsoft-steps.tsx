import { useEffect, useState } from 'react'
import { MAX_EMAIL } from '../../../http/common-schemas.ts'
import { seconds } from '../../../platform/clock.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { formatShort } from '../../../ui/dates.ts'
import { TextField } from '../../../ui/form/field.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { useChange } from '../../../ui/use-call.ts'
import { type MailInState, MicrosoftChange, mailInSettings } from './contract.ts'
import { keepMailIn } from './keep-mail-in.ts'
import { SignInFailure } from './remedies.tsx'

/** A mailbox of Microsoft 365: an app is registered once, and a person signs in with a code. */
export function MicrosoftSteps({ state }: { state: MailInState }) {
  const { mailbox, signIn, problem } = state
  const connected = mailbox?.microsoft ?? null
  const begin = useChange(mailInSettings.beginSignIn, { done: keepMailIn, isExpected: () => true })
  const cancel = useChange(mailInSettings.cancelSignIn, { done: keepMailIn, failed: CANCEL_FAILED })
  const check = useChange(mailInSettings.checkSignIn, { done: keepMailIn, isExpected: () => true })
  const confirm = useChange(mailInSettings.confirmSignIn, {
    done(next, sent, client) {
      keepMailIn(next, sent, client)
      return CONNECTED
    },
    failed: CONFIRM_FAILED,
  })
  const form = useForm({
    start: {
      client: connected?.client ?? '',
      tenant: connected?.tenant ?? '',
      mailbox: connected?.isShared ? (mailbox?.address ?? '') : '',
    },
    schema: MicrosoftChange,
    isBusy: begin.isPending,
    save: (change, { onError }) => begin.mutate(change, { onError }),
    backup: { form: 'mail-in-microsoft', fields: ['client', 'tenant', 'mailbox'] },
  })
  // A code that has expired stays in sight, with what to do.
  const [last, setLast] = useState(signIn)
  if (signIn && signIn.code !== last?.code) setLast(signIn)
  const shown = signIn ?? (last && secondsUntil(last.expiresAt) <= 0 ? last : null)
  // What ended the last code, until there is another one.
  const error = begin.error ?? (signIn ? null : check.error)

  return (
    <>
      <WhatEnds />
      {connected && (
        <p className="callout small settings-source" data-kind={problem === 'consent' ? 'error' : undefined}>
          {problem === 'consent' ? (
            <>
              <strong>Microsoft wants somebody to sign in again.</strong> Nothing is lost: emails wait in the
              mailbox. Get a new code below, with what is entered there.
            </>
          ) : (
            <>
              <strong>{connected.signedInAs}</strong> signed in on {formatShort(connected.signedInAt)}. To
              sign in again, or with another app or mailbox, go on with step 4.
            </>
          )}
        </p>
      )}
      <form
        id={form.dialog.id}
        noValidate
        aria-label="Connection"
        aria-busy={begin.isPending}
        onSubmit={event => {
          event.preventDefault()
          if (!begin.isPending) form.dialog.onSubmit()
        }}
      >
        <ol className="settings-steps">
          {registration}
          <li>
            <h3>Enter the app here</h3>
            <TextField {...plain} {...form.at('client')} label="Application (client) ID" hint={ID_HINT} />
            <TextField {...plain} {...form.at('tenant')} label="Directory (tenant) ID" hint={TENANT_HINT} />
            <TextField
              {...plain}
              {...form.at('mailbox')}
              label="Shared mailbox"
              hint="Its whole address. Empty for the mailbox of the person who signs in."
              maxLength={MAX_EMAIL}
            />
            <SignInFailure error={error} />
            <button
              type="submit"
              className={`button ${signIn || (connected && problem !== 'consent') ? '' : 'button-primary'}`}
              aria-disabled={begin.isPending}
            >
              {begin.isPending
                ? 'Asking Microsoft …'
                : shown || check.error
                  ? 'New code'
                  : connected
                    ? 'Sign in again'
                    : 'Get a code'}
            </button>
          </li>
          {signIn?.account ? (
            <li>
              <h3>Look at the account</h3>
              <Account
                account={signIn.account}
                connected={mailbox?.address ?? null}
                isBusy={confirm.isPending}
                onConfirm={account => confirm.mutate(account)}
                onCancel={() => cancel.mutate({})}
              />
            </li>
          ) : (
            shown && (
              <li>
                <h3>Sign in with this code</h3>
                <Code
                  key={shown.code}
                  signIn={shown}
                  isChecking={check.isPending}
                  onCheck={() => check.mutate({})}
                  onCancel={() => cancel.mutate({})}
                />
              </li>
            )
          )}
        </ol>
      </form>
    </>
  )
}

const CONNECTED = {
  title: 'Settings Updated',
  description: 'The sign-in worked. Mail is fetched from now on. Next, try the whole way.',
}
const CONFIRM_FAILED = ['The mailbox was not connected', 'The mailbox was not connected'] as const
const CANCEL_FAILED = ['The sign-in was not given up', 'The sign-in was not given up'] as const
const ID_HINT = '36 characters, from the overview of the app.'
const TENANT_HINT = 'From the same place. A domain of the organisation does as well.'
const plain = { autoComplete: 'off', spellCheck: false, autoCapitalize: 'none' } as const

interface CodeProps {
  readonly signIn: NonNullable<MailInState['signIn']>
  readonly isChecking: boolean
  readonly onCheck: () => void
  readonly onCancel: () => void
}

/** Of Microsoft, in seconds: how long a code works. */
const USUAL_LIFETIME = 15 * 60

/** The code, and whether somebody has signed in with it, which is asked for as often as Microsoft allows. */
function Code({ signIn, isChecking, onCheck, onCancel }: CodeProps) {
  const { code, url, expiresAt, interval } = signIn
  const [left, setLeft] = useState(() => secondsUntil(expiresAt))
  useEffect(() => {
    const timer = setInterval(() => setLeft(secondsUntil(expiresAt)), seconds(1))
    return () => clearInterval(timer)
  }, [expiresAt])
  const isOver = left <= 0
  useEffect(() => {
    if (isChecking || isOver) return
    const timer = setTimeout(onCheck, seconds(interval))
    return () => clearTimeout(timer)
  }, [isChecking, isOver, interval, onCheck])
  if (isOver)
    return (
      <p className="small" role="alert">
        The code has expired, and nothing was changed. Press New code above.
      </p>
    )
  return (
    <>
      <div className="line wrap settings-code">
        <output className="figures" aria-label="Code">
          {code}
        </output>
        <CopyButton label="Copy code" text={code} done={{ title: 'Code copied to clipboard' }} />
      </div>
      <p className="small">
        Open{' '}
        <a href={url} target="_blank" rel="noreferrer">
          {url.replace(/^https?:\/\//, '')}
        </a>
        , enter the code, and sign in as the person whose mailbox it is, or who may read and send from the
        shared one. Microsoft asks whether the app may do so: accept.
      </p>
      <div className="line wrap">
        <progress aria-label="Time that is left" max={USUAL_LIFETIME} value={left} />
        <span className="small" role="status">
          Waiting for the sign-in. The code works for {describeLeft(left)}.
        </span>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </>
  )
}

interface AccountProps {
  readonly account: NonNullable<NonNullable<MailInState['signIn']>['account']>
  /** The address of the mailbox that is fetched now. */
  readonly connected: string | null
  readonly isBusy: boolean
  readonly onConfirm: (account: AccountProps['account']) => void
  readonly onCancel: () => void
}

/** Who has signed in: a browser may have done so as the wrong person. Nothing is read before somebody has said that it is right. */
function Account({ account, connected, isBusy, onConfirm, onCancel }: AccountProps) {
  const { signedInAs, address } = account
  return (
    <>
      <p className="small break" role="status">
        <strong>{signedInAs}</strong> has signed in
        {address !== signedInAs && (
          <>
            , and may read the mailbox <strong>{address}</strong>
          </>
        )}
        . Everybody with access to the inbox will read what comes to <strong>{address}</strong>.
      </p>
      {connected !== null && connected !== address && (
        <p className="callout small break">
          Mail to <strong>{connected}</strong> is no longer fetched then. What came so far stays.
        </p>
      )}
      <div className="line wrap">
        <Button kind="primary" isIdle={isBusy} onClick={() => onConfirm(account)}>
          Fetch this mailbox
        </Button>
        <Button onClick={onCancel}>Another account</Button>
      </div>
    </>
  )
}

const secondsUntil = (time: string) => Math.ceil((Date.parse(time) - Date.now()) / seconds(1))

function describeLeft(left: number): string {
  const minutes = Math.ceil(left / 60)
  return minutes === 1 ? 'one more minute' : `${minutes} more minutes`
}

/** In plain words, and with dates: who signs in by a password now may do so for the last time. */
function WhatEnds() {
  return (
    <p className="callout small settings-source">
      <strong>Microsoft 365 lets no program read mail with a password any more.</strong> For sending,
      passwords end by default at the end of December 2026, and organisations that begin later have none. The
      sign-in below needs no password and stays: with it Landfall can read this mailbox and send from it, and
      change nothing in it.
    </p>
  )
}

const registration = (
  <>
    <li>
      <strong>Register an app</strong>, once, as an administrator of Microsoft 365: at{' '}
      <a href="https://entra.microsoft.com" target="_blank" rel="noreferrer">
        entra.microsoft.com
      </a>{' '}
      open App registrations, New registration. Name it Landfall, leave “this organisation only” chosen and
      the redirect empty, and press Register.
    </li>
    <li>
      <strong>Let people sign in with a code:</strong> in the app, open Authentication, set “Allow public
      client flows” to Yes, and save. The app needs no secret. Many organisations block the sign-in with a
      code (“device code flow”) under Conditional Access: then except this app from that policy.
    </li>
    <li>
      <strong>Give it the permissions:</strong> API permissions, Add a permission, Microsoft Graph, Delegated:
      tick Mail.Read and Mail.Send; for a shared mailbox also Mail.Read.Shared and Mail.Send.Shared. User.Read
      is there already. Then press “Grant admin consent”.
    </li>
  </>
)
