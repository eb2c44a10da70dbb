import type { MailState } from './contract.ts'

/** Says how emails are sent now, and what is stronger than the mail server entered below. */
export function MailSourceNote({ state }: { state: MailState }) {
  const isOverruled = state.source === 'mailchimp' || state.source === 'environment'
  return (
    <p className="settings-source" data-kind={state.source === 'settings' ? undefined : 'warning'}>
      {describe(state)}
      {isOverruled && ' What you choose here is used after that.'}
    </p>
  )
}

function describe({ source, sender, smtp }: MailState) {
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
          Emails go through <strong>{smtp?.host}</strong> and come from {sender}.
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
