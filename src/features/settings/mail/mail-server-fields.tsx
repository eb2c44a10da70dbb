import type { ReactNode } from 'react'
import { MAX_EMAIL } from '../../../http/common-schemas.ts'
import { ChoiceField, TextField } from '../../../ui/form/field.tsx'
import type { MailState } from '../contract.ts'
import { MAX_HOST, MAX_PASSWORD, type SmtpProvider, smtpPorts } from './smtp.ts'
import type { MailServerForm } from './use-mail-server.ts'

interface MailServerFieldsProps {
  readonly provider: SmtpProvider
  readonly state: MailState
  readonly form: MailServerForm
}

export function MailServerFields({ provider, state, form }: MailServerFieldsProps) {
  if (provider === 'graph') return <SignedInFields state={state} form={form} />
  const texts = labels[provider]
  const isKept = state.smtp?.provider === provider && state.smtp.hasPassword
  return (
    <div className="settings-provider-fields">
      {guides[provider]}
      {provider === 'other' && <ServerFields form={form} />}
      <TextField {...form.at('user')} label={texts.user} hint={texts.userHint} maxLength={MAX_EMAIL} />
      <TextField
        {...form.at('password')}
        type="password"
        label={texts.password}
        hint={isKept ? KEPT : texts.passwordHint}
        placeholder={isKept ? '••••••••' : undefined}
        maxLength={MAX_PASSWORD}
      />
      <TextField
        {...form.at('from')}
        label="Send from"
        hint={texts.fromHint}
        maxLength={MAX_EMAIL}
        inputMode="email"
      />
    </div>
  )
}

type PasswordProvider = Exclude<SmtpProvider, 'graph'>

const KEPT = 'A password is stored, encrypted. Leave this empty to keep it; nobody can read it back.'

const labels: Readonly<
  Record<PasswordProvider, Record<'user' | 'userHint' | 'password' | 'passwordHint' | 'fromHint', string>>
> = {
  google: {
    user: 'Google account',
    userHint: 'Its whole address, such as office@agency.example.',
    password: 'App password',
    passwordHint: 'The sixteen characters from step 2; spaces do not matter. It is stored encrypted.',
    fromHint: 'Empty for the account itself. Another address must be an alias of it, or Google replaces it.',
  },
  microsoft: {
    user: 'Mailbox',
    userHint: 'Its whole address, such as office@agency.example.',
    password: 'Password of the mailbox',
    passwordHint: 'The one of that mailbox, or its app password. It is stored encrypted.',
    fromHint: 'Empty for the mailbox itself. For another address it needs the permission Send as.',
  },
  other: {
    user: 'User name',
    userHint: 'Often your whole email address. Empty if the server needs no sign-in.',
    password: 'Password',
    passwordHint: 'As your provider gave it to you. It is stored encrypted.',
    fromHint: 'Empty if the user name is the address that emails come from.',
  },
}

/** Nothing to enter: the sign-in is that of the mailbox which is fetched. */
function SignedInFields({ state: { microsoftMailbox }, form }: Omit<MailServerFieldsProps, 'provider'>) {
  const error = form.errorOf('provider')
  return (
    <div className="settings-provider-fields">
      {microsoftMailbox === null ? (
        <p
          className="callout small settings-source"
          data-kind={error ? 'error' : 'warning'}
          role={error && 'alert'}
        >
          <strong>First connect the mailbox</strong> under <a href="/settings?tab=mail">Mail</a>: choose
          Microsoft 365 there. Emails are then sent with the same sign-in, without a password.
        </p>
      ) : (
        <p className="small settings-guide">
          Emails are sent as <strong>{microsoftMailbox}</strong>, with the sign-in under{' '}
          <a href="/settings?tab=mail">Mail</a>. They also stand in its Sent Items. If the sign-in ends at
          Microsoft, emails fail until somebody signs in again there.
        </p>
      )}
    </div>
  )
}

function ServerFields({ form }: { form: MailServerForm }) {
  const { port, security } = form.draft
  return (
    <>
      <TextField
        {...form.at('host')}
        label="Server name"
        hint="Such as mail.example.com, without http:// and without a port."
        maxLength={MAX_HOST}
      />
      <div className="settings-pair">
        <ChoiceField
          label="Port"
          options={new Map(smtpPorts.map(each => [String(each), String(each)]))}
          value={String(port)}
          onValue={value => form.change({ port: Number(value) })}
        />
        <ChoiceField
          label="Encryption"
          options={securityNames}
          value={security}
          onValue={security => form.change({ security })}
        />
      </div>
    </>
  )
}

const securityNames = { starttls: 'STARTTLS', tls: 'TLS' }

/** Where to find what has to be entered, for somebody who has never done it. */
const google = (
  <ol className="small settings-guide">
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
    <p className="callout small settings-source" data-kind="warning">
      <strong>
        Microsoft stops accepting passwords from programs by default at the end of December 2026.
      </strong>{' '}
      Emails would then fail, sign-in codes included. An administrator can allow passwords again for a while;
      Microsoft names their last day in the second half of 2027. New organisations cannot use them from the
      start. Better choose Microsoft 365, by sign-in, above.
    </p>
    <ol className="small settings-guide">
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
  <p className="small settings-guide">
    Look in your provider’s help for “SMTP” or “outgoing mail server”. It names a server, a port (usually 587
    with STARTTLS, or 465 with TLS), and says which user name and password to use. The connection is always
    encrypted.
  </p>
)

const guides: Readonly<Record<PasswordProvider, ReactNode>> = { google, microsoft, other }

function Outside({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {children}
    </a>
  )
}
