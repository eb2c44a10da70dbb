import { useEffect, useRef } from 'react'
import { ApiError } from '../../../http/api-client.ts'
import type { DeliveryProblem } from '../../../mail/transport.ts'
import { Button } from '../../../ui/button.tsx'
import { formatShortTime } from '../../../ui/dates.ts'
import { useChange } from '../../../ui/use-call.ts'
import { type MailState, settings, type TestEmailResult, type WaitingView } from '../contract.ts'
import { DigitsToCome, MailTrial, PartHead } from './mail-trial.tsx'

const outcomes: Record<TestEmailResult['transport'], string> = {
  mailchimp: 'Mailchimp Transactional accepted it',
  smtp: 'The mail relay accepted it',
  graph: 'Microsoft 365 accepted it',
  mailbox: 'It stays on the server, because no mail provider is set up',
}

/** A failure is kept, too, so that it is still there after a reload. */
const useTestEmail = () => useChange(settings.testEmail)

interface TestEmailProps {
  readonly mail: MailState
  /** Whether there are unsaved changes, which the test would not use. */
  readonly isDirty: boolean
  /** Whether somebody is led through all three parts, of which none is left out. */
  readonly isGuided?: boolean
}

/** Sends one email to the admin and shows the result: through the provider that waits to be used, if there is one. */
export function TestEmail({ mail, isDirty, isGuided }: TestEmailProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const isWaiting = mail.waiting !== null
  const wasWaiting = useRef(isWaiting)

  // What had the focus is gone.
  useEffect(() => {
    if (wasWaiting.current && !isWaiting) heading.current?.focus()
    wasWaiting.current = isWaiting
  }, [isWaiting])

  return (
    <section className="panel settings-test" aria-labelledby={HEADING}>
      {/* Somebody who is led through the parts has their own headings. */}
      <h2 id={HEADING} ref={heading} tabIndex={-1} className={isGuided ? 'visually-hidden' : undefined}>
        Test email delivery
      </h2>
      {mail.waiting ? (
        <WaitingTest mail={mail} waiting={mail.waiting} isDirty={isDirty} />
      ) : isGuided && mail.source === 'mailbox' ? (
        <PartsToCome />
      ) : (
        <CurrentTest isDirty={isDirty} />
      )}
    </section>
  )
}

/** Brings the test, which comes after a provider is saved, into view. Waits until what is saved is rendered. */
export function showTest() {
  setTimeout(() => {
    const heading = document.getElementById(HEADING)
    heading?.closest('section')?.scrollIntoView({ block: 'nearest' })
    heading?.focus({ preventScroll: true })
  })
}

const HEADING = 'test-email'

const SAVE_FIRST = 'Save your changes first: the test uses the saved settings.'

function CurrentTest({ isDirty }: { isDirty: boolean }) {
  const test = useTestEmail()
  return (
    <>
      <p>{isDirty ? SAVE_FIRST : 'Sends one email to your own address, the same way as all other emails.'}</p>
      <SendButton test={test} isDirty={isDirty} label="Send a test email" />
      <div role="status">
        {test.data && (
          <p className="callout snug break settings-result">
            <strong>Test email sent to {test.data.to}.</strong> {outcomes[test.data.transport]}.
          </p>
        )}
      </div>
      {test.error && <Failure reason={test.error.message} advice={adviceFor(test.error)} />}
    </>
  )
}

/** What comes once a provider is saved. */
function PartsToCome() {
  return (
    <>
      <PartHead at={2}>A test email to you</PartHead>
      <p className="quiet">It goes out through the provider that you save above.</p>
      <DigitsToCome />
    </>
  )
}

/** What became of the last test is kept on the server, so it is still there after a reload. */
function WaitingTest({ mail, waiting, isDirty }: TestEmailProps & { readonly waiting: WaitingView }) {
  const request = useTestEmail()
  const { test } = waiting
  const isBusy = request.isPending
  // Such as too many tests: the last one that was made says nothing about it.
  const refused = request.error && adviceFor(request.error) === null && request.error.message !== test?.reason
  return (
    <>
      <p>
        {isDirty ? (
          SAVE_FIRST
        ) : (
          <>
            <strong>{waiting.name} is saved and not used yet.</strong> It is used once you have typed the six
            digits of its test email. Until then {describeOldWay(mail)}
          </>
        )}
      </p>
      <PartHead at={2}>A test email to you</PartHead>
      <SendButton test={request} isDirty={isDirty} label={test ? 'Send it again' : 'Send a test email'} />
      <div role="status">
        {test && !test.reason && !isBusy && (
          <p className="callout snug break settings-result">
            <strong>Test email sent to {test.to}.</strong> {formatShortTime(test.at)}. It takes a minute at
            most; look among the spam, too.
          </p>
        )}
      </div>
      {refused && <Failure reason={request.error?.message ?? ''} advice={null} />}
      {test?.reason && !isBusy && !refused && (
        <Failure
          reason={test.reason}
          advice={adviceForCode(test.code)}
          at={test.at}
          unchanged={describeOldWay(mail)}
        />
      )}
      <MailTrial waiting={waiting} />
    </>
  )
}

/** What goes on until the provider is used. */
function describeOldWay({ source, host }: MailState): string {
  switch (source) {
    case 'mailbox':
      return 'emails stay in a folder on the server, and sign-in codes are printed on its console.'
    case 'mailchimp':
      return 'emails go through Mailchimp Transactional, as before.'
    case 'environment':
      return 'emails go through the relay that is set on the server, as before.'
    case 'settings':
      return `emails go through ${host}, as before.`
  }
}

interface SendButtonProps {
  readonly test: ReturnType<typeof useTestEmail>
  readonly isDirty: boolean
  readonly label: string
}

function SendButton({ test, isDirty, label }: SendButtonProps) {
  return (
    <Button isIdle={test.isPending || isDirty} onClick={() => test.mutate({})}>
      {test.isPending ? 'Sending …' : label}
    </Button>
  )
}

interface FailureProps {
  readonly reason: string
  readonly advice: string | null
  readonly at?: string
  /** What stays as it was. */
  readonly unchanged?: string
}

function Failure({ reason, advice, at, unchanged }: FailureProps) {
  return (
    <div className="callout snug break settings-result" data-kind="error" role="alert">
      <p>
        <strong>The test email could not be sent.</strong>
        {at && ` ${formatShortTime(at)}.`} {reason}
      </p>
      {advice && <p className="settings-advice">{advice}</p>}
      {unchanged && <p className="settings-advice">Nothing was changed: {unchanged}</p>}
    </div>
  )
}

const advice: Readonly<Record<`mail_${DeliveryProblem}`, string>> = {
  mail_credentials:
    'The provider knows neither this user name nor this password, or does not let programs use them. Enter both again. Google wants an app password; Microsoft wants Authenticated SMTP switched on for the mailbox.',
  mail_consent:
    'Somebody has to sign in at Microsoft again: under Settings, Mail. Emails wait until then, and sign-in codes are printed on the console of the server.',
  mail_sign_in: 'The server sends for nobody who has not signed in. Enter a user name and a password.',
  mail_sender:
    'The account may not send from that address. Use the account’s own address, or make the other one an alias of it at your provider.',
  mail_quota:
    'The account has sent as much as its provider allows for now. Wait until tomorrow, or ask the provider for a higher limit.',
  mail_refused:
    'Nothing listens at this port. Compare server name and port with what your provider says: usually 587 with STARTTLS, or 465 with TLS.',
  mail_timeout:
    'Compare server name and port with what your provider says. If they are right, a firewall may be in the way: many hosting companies block port 25, so try 587 or 465.',
  mail_unknown_host:
    'Compare the server name with what your provider says, character by character. A mail server on this machine or in a private network is for the person who runs the server to set: with SMTP_URL, or with SMTP_PRIVATE_HOSTS=true.',
  mail_certificate_name:
    'Enter the server name exactly as your provider writes it. If it is right, somebody may be between you and the server: send nothing, and ask your provider.',
  mail_certificate:
    'The certificate has run out, or nobody known has signed it. Ask your provider; until it is put right, the password is not sent.',
  mail_encryption: 'Port and encryption do not fit together: choose STARTTLS for 587, or TLS for 465.',
  mail_no_mail_server: 'Compare the port with what your provider says: usually 587 or 465.',
}

function adviceFor(error: Error): string | null {
  return adviceForCode(error instanceof ApiError ? error.code : undefined)
}

function adviceForCode(code: string | null | undefined): string | null {
  return Object.entries(advice).find(([known]) => known === code)?.[1] ?? null
}
