import type { ReactNode } from 'react'
import type { SmtpProvider } from './smtp.ts'

/** Where to find what has to be entered, for somebody who has never done it. */
export function MailServerGuide({ provider }: { provider: SmtpProvider }) {
  return guides[provider]
}

const google = (
  <ol className="settings-guide">
    <li>
      Sign in to the Google account that emails should come from, and turn on 2-Step Verification at{' '}
      <Outside href="https://myaccount.google.com/security">myaccount.google.com/security</Outside>.
    </li>
    <li>
      Open{' '}
      <Outside href="https://myaccount.google.com/apppasswords">
        myaccount.google.com/
        <wbr />
        apppasswords
      </Outside>
      , enter the name “Landfall” and press Create. Google shows sixteen characters, once. If it says that the
      setting is not available, ask the administrator of your Google Workspace to allow it.
    </li>
    <li>
      Enter the account and these characters here. Your usual password does not work. When that password
      changes, Google ends the app password: then make another one.
    </li>
  </ol>
)

const microsoft = (
  <>
    <p className="settings-source" data-kind="warning">
      <strong>
        Microsoft stops accepting passwords from programs by default at the end of December 2026.
      </strong>{' '}
      Emails would then fail, sign-in codes included. An administrator can allow passwords again for a while;
      Microsoft names their last day in the second half of 2027. Better choose another provider now.
    </p>
    <ol className="settings-guide">
      <li>
        Have your Microsoft administrator open{' '}
        <Outside href="https://admin.microsoft.com">admin.microsoft.com</Outside>, then Users, Active users,
        the mailbox, Mail, Manage email apps, and tick Authenticated SMTP. It stays off while the organisation
        has security defaults switched on.
      </li>
      <li>
        If the mailbox asks for a second step at sign-in, make an app password at{' '}
        <Outside href="https://mysignins.microsoft.com/security-info">
          mysignins.microsoft.com/
          <wbr />
          security-info
        </Outside>
        , where the administrator allows it.
      </li>
      <li>Enter the mailbox and its password here. A change at Microsoft may take an hour to work.</li>
    </ol>
  </>
)

const other = (
  <p className="settings-guide">
    Look in your provider’s help for “SMTP” or “outgoing mail server”. It names a server, a port (usually 587
    with STARTTLS, or 465 with TLS), and says which user name and password to use. The connection is always
    encrypted.
  </p>
)

const guides: Readonly<Record<SmtpProvider, ReactNode>> = { google, microsoft, other }

function Outside({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {children}
    </a>
  )
}
