import { formatShort } from '../../ui/dates.ts'
import type { MailState } from './contract.ts'

/** Says how emails are sent now, and what is stronger than the mail server entered below. */
export function MailSourceNote({ state }: { state: MailState }) {
  const isOverruled = state.source === 'mailchimp' || state.source === 'environment'
  return (
    <>
      <p className="settings-source" data-kind={state.source === 'settings' ? undefined : 'warning'}>
        {describe(state)}
        {isOverruled && ' What you choose here is used after that.'}
      </p>
      <MailTrouble state={state} />
    </>
  )
}

/** Says that emails fail, since when and why. */
function MailTrouble({ state: { state, since, reason, waiting } }: { state: MailState }) {
  if (state === 'working') return null
  return (
    <p className="settings-source" data-kind="error">
      {state === 'failing' && since ? (
        <>
          <strong>Emails have been failing since {formatShort(since)}.</strong> {reason}.
        </>
      ) : (
        <strong>No email has come through this way yet.</strong>
      )}{' '}
      Sign-in codes are printed on the console of the server.
      {!waiting && ' Send a test email to try again.'}
    </p>
  )
}

function describe({ source, sender, host }: MailState) {
  switch (source) {
    case 'mailchimp':
      return (
        <>
          Emails go through <strong>Mailchimp Transactional</strong> and come from {sender}, because its key
          is set. It comes first: to use something else, empty the key under{' '}
          <a href="/settings?tab=email-integration">Email Integration</a>.
        </>
      )
    case 'environment':
      return (
        <>
          Emails go through the mail relay that is <strong>set on the server</strong> and come from {sender}.
          It comes first: to use something else, ask the person who runs the server to remove SMTP_URL.
        </>
      )
    case 'settings':
      return (
        <>
          Emails go through <strong>{host}</strong> and come from {sender}.
        </>
      )
    case 'mailbox':
      return (
        <>
          <strong>Nobody receives emails yet.</strong> They stay in a folder on the server until you choose
          who sends them.
        </>
      )
  }
}
