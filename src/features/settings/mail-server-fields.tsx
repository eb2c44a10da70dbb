import { type ComponentProps, useId } from 'react'
import { TextField } from '../../ui/field.tsx'
import type { MailState } from './contract.ts'
import { MailServerGuide } from './mail-server-guide.tsx'
import { type SmtpProvider, smtpPorts, smtpSecurities } from './smtp.ts'
import type { MailServerForm } from './use-mail-server.ts'

interface MailServerFieldsProps {
  readonly provider: SmtpProvider
  readonly state: MailState
  readonly form: MailServerForm
}

/** What to enter for one provider, after how to find it. */
export function MailServerFields({ provider, state, form }: MailServerFieldsProps) {
  const texts = labels[provider]
  const isKept = state.smtp?.provider === provider && state.smtp.hasPassword
  return (
    <div className="settings-provider-fields">
      <MailServerGuide provider={provider} />
      {provider === 'other' && <ServerFields form={form} />}
      <DraftField form={form} name="user" label={texts.user} hint={texts.userHint} maxLength={254} />
      <DraftField
        form={form}
        name="password"
        type="password"
        label={texts.password}
        hint={isKept ? KEPT : texts.passwordHint}
        placeholder={isKept ? '••••••••' : undefined}
        maxLength={200}
      />
      <DraftField
        form={form}
        name="from"
        label="Send from"
        hint={texts.fromHint}
        maxLength={254}
        inputMode="email"
      />
    </div>
  )
}

const KEPT = 'A password is stored, encrypted. Leave this empty to keep it; nobody can read it back.'

const labels: Readonly<
  Record<SmtpProvider, Record<'user' | 'userHint' | 'password' | 'passwordHint' | 'fromHint', string>>
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

function ServerFields({ form }: { form: MailServerForm }) {
  const { port, security } = form.draft
  return (
    <>
      <DraftField
        form={form}
        name="host"
        label="Server name"
        hint="Such as mail.example.com, without http:// and without a port."
        maxLength={253}
      />
      <div className="settings-pair">
        <Choice
          label="Port"
          value={String(port)}
          options={smtpPorts.map(each => [String(each), String(each)])}
          onChoose={value => form.change({ port: Number(value) })}
        />
        <Choice
          label="Encryption"
          value={security}
          options={smtpSecurities.map(each => [each, securityNames[each]])}
          onChoose={value => form.change({ security: value === 'tls' ? 'tls' : 'starttls' })}
        />
      </div>
    </>
  )
}

const securityNames = { starttls: 'STARTTLS', tls: 'TLS' }

interface ChoiceProps {
  readonly label: string
  readonly value: string
  readonly options: readonly (readonly [value: string, label: string])[]
  readonly onChoose: (value: string) => void
}

function Choice({ label, value, options, onChoose }: ChoiceProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select className="control" id={id} value={value} onChange={event => onChoose(event.target.value)}>
        {options.map(([option, name]) => (
          <option key={option} value={option}>
            {name}
          </option>
        ))}
      </select>
    </div>
  )
}

type DraftFieldProps = Omit<
  ComponentProps<typeof TextField>,
  'value' | 'onChange' | 'error' | 'name' | 'form'
> & {
  readonly form: MailServerForm
  readonly name: 'host' | 'user' | 'password' | 'from'
}

function DraftField({ form, name, ...field }: DraftFieldProps) {
  return (
    <TextField
      // Or a browser would enter its own user's password for this site.
      autoComplete={name === 'password' ? 'new-password' : 'off'}
      spellCheck={false}
      autoCapitalize="none"
      {...field}
      name={`mail-${name}`}
      value={form.draft[name]}
      error={form.errors[name]}
      onChange={event => form.change({ [name]: event.target.value })}
    />
  )
}
