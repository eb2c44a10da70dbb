import { type ReactNode, useState } from 'react'
import { MAX_EMAIL } from '../../../http/common-schemas.ts'
import { ChoiceField, TextField } from '../../../ui/form/field.tsx'
import { LeaveWarning } from '../../../ui/form/leave-warning.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { useChange } from '../../../ui/use-call.ts'
import { MAX_HOST, MAX_PASSWORD } from '../mail/smtp.ts'
import { MailInChange, type MailInState, mailInSettings, offeredProviders } from './contract.ts'
import { keepMailIn } from './keep-mail-in.ts'
import { MicrosoftSteps } from './microsoft-steps.tsx'
import { SignInFailure } from './remedies.tsx'

type Provider = (typeof offeredProviders)[number]

/** Which mailbox is fetched: a provider, and numbered steps for somebody who has never done it. */
export function ConnectForm({ state }: { state: MailInState }) {
  const { mailbox, signIn } = state
  const [isMicrosoft, setMicrosoft] = useState(mailbox?.provider === 'microsoft' || signIn !== null)
  const connect = useChange(mailInSettings.change, {
    done(state, sent, client) {
      keepMailIn(state, sent, client)
      return {
        title: 'Settings Updated',
        description: 'The sign-in worked. Mail is fetched from now on. Next, try the whole way.',
      }
    },
  })
  const provider: Provider = mailbox?.provider === 'imap' ? 'imap' : 'google'
  const start = {
    provider,
    host: mailbox?.provider === 'imap' ? mailbox.host : '',
    security: mailbox?.security ?? ('tls' as const),
    user: mailbox?.user ?? '',
    password: '',
    folder: mailbox?.folder ?? 'INBOX',
    address: mailbox?.provider === 'imap' ? mailbox.address : '',
  }
  const form = useForm({
    start,
    schema: MailInChange,
    toInput: changeOf,
    isBusy: connect.isPending,
    save: (change, { onError }) =>
      connect.mutate(change, { onError, onSuccess: () => form.set({ password: '' }) }),
    backup: {
      form: 'mail-in',
      fields: ['provider', 'host', 'security', 'user', 'folder', 'address'],
      choices: { provider: offeredProviders, security: ['tls', 'starttls'] as const },
    },
  })
  const chosen = form.values.provider
  const choose = (provider: Provider | 'microsoft') => {
    setMicrosoft(provider === 'microsoft')
    if (provider !== 'microsoft') form.set({ provider })
  }
  const isKept = mailbox?.provider === chosen
  const { isTyped } = form.dialog
  const isIdle = connect.isPending || (mailbox !== null && !isTyped)
  const choice = <Choice chosen={isMicrosoft ? 'microsoft' : chosen} onChoose={choose} />
  if (isMicrosoft)
    return (
      <div className="break">
        {choice}
        <MicrosoftSteps state={state} />
      </div>
    )
  return (
    <form
      id={form.dialog.id}
      className="break"
      noValidate
      aria-label="Connection"
      aria-busy={connect.isPending}
      onSubmit={event => {
        event.preventDefault()
        if (!isIdle) form.dialog.onSubmit()
      }}
    >
      {choice}
      <ol className="settings-steps">
        {guides[chosen]}
        <li>
          <h3>Enter it here</h3>
          {chosen === 'imap' && (
            <div className="settings-pair">
              <TextField
                {...secretless}
                {...form.at('host')}
                label="Server name"
                hint="Such as imap.example.com."
                maxLength={MAX_HOST}
              />
              <ChoiceField
                label="Encryption"
                options={securityNames}
                value={form.values.security}
                onValue={security => form.set({ security })}
              />
            </div>
          )}
          <div className="settings-pair">
            <TextField
              {...secretless}
              {...form.at('user')}
              label={chosen === 'google' ? 'Mailbox' : 'User name'}
              hint={chosen === 'google' ? 'Its whole address.' : undefined}
              maxLength={MAX_EMAIL}
            />
            <TextField
              {...secretless}
              {...form.at('password')}
              type="password"
              autoComplete="new-password"
              label={chosen === 'google' ? 'App password' : 'Password'}
              hint={chosen === 'google' ? 'The sixteen characters of step 2.' : undefined}
              placeholder={isKept ? '••••••••' : undefined}
              maxLength={MAX_PASSWORD}
            />
          </div>
          {chosen === 'imap' && (
            <div className="settings-pair">
              <TextField
                {...secretless}
                {...form.at('address')}
                label="Email address"
                hint="If it is not the user name."
                maxLength={MAX_EMAIL}
              />
              <TextField {...secretless} {...form.at('folder')} label="Folder" hint="Usually INBOX." />
            </div>
          )}
          <p className="field-hint">
            {isKept
              ? 'A password is stored, encrypted. Leave it empty to keep it; nobody can read it back.'
              : 'The password is stored encrypted, and nobody can read it back.'}
            {chosen === 'google' && ' Server imap.gmail.com, port 993, folder INBOX.'}
          </p>
          <SignInFailure error={connect.error} />
          <button
            type="submit"
            className={`button ${mailbox ? '' : 'button-primary'}`}
            aria-disabled={isIdle}
          >
            {connect.isPending ? 'Signing in …' : mailbox ? 'Save and sign in' : 'Connect'}
          </button>
        </li>
      </ol>
      {isTyped && !connect.isPending && (
        <LeaveWarning
          title="Unsaved changes"
          question="You have entered a mailbox and not connected it. If you leave now, what you entered is lost."
          action="Leave without saving"
        />
      )}
    </form>
  )
}

interface ChoiceProps {
  readonly chosen: Provider | 'microsoft'
  readonly onChoose: (provider: Provider | 'microsoft') => void
}

function Choice({ chosen, onChoose }: ChoiceProps) {
  return (
    <fieldset className="line wrap settings-choice">
      <legend className="visually-hidden">Who keeps the mailbox</legend>
      {providers.map(([id, name]) => (
        <label key={id}>
          <input type="radio" name="mail-in-provider" checked={chosen === id} onChange={() => onChoose(id)} />
          {name}
        </label>
      ))}
    </fieldset>
  )
}

function changeOf({ provider, user, password, ...other }: MailInDraft): MailInChange {
  const entered = { provider, user, ...(password && { password }) }
  if (provider === 'google') return entered
  const { host, security, folder, address } = other
  return { ...entered, host, security, folder, address }
}

type MailInDraft = Required<MailInChange>

/** Or a browser would enter its own user's name for this site. */
const secretless = { autoComplete: 'off', spellCheck: false, autoCapitalize: 'none' } as const

const providers = [
  ['google', 'Google Workspace'],
  ['microsoft', 'Microsoft 365'],
  ['imap', 'Another mailbox (IMAP)'],
] as const

const securityNames = { tls: 'TLS, port 993 (usual)', starttls: 'STARTTLS, port 143' }

const guides: Readonly<Record<Provider, ReactNode>> = {
  google: (
    <>
      <li>
        <strong>Turn on two-step sign-in</strong> in the Google account of the mailbox, at{' '}
        <a href="https://myaccount.google.com/security" target="_blank" rel="noreferrer">
          myaccount.google.com/security
        </a>
      </li>
      <li>
        <strong>Make an app password</strong> named Landfall, at{' '}
        <a href="https://myaccount.google.com/apppasswords" target="_blank" rel="noreferrer">
          myaccount.google.com/
          <wbr />
          apppasswords
        </a>
        . Google shows sixteen characters, once.
      </li>
    </>
  ),
  imap: (
    <>
      <li>
        <strong>Look in your provider’s help</strong> for “IMAP” or “incoming mail server”. It names a server
        and says which user name to use.
      </li>
      <li>
        <strong>Switch IMAP on</strong> for the mailbox, if the help says so, and make a password for programs
        if there are such.
      </li>
    </>
  ),
}
