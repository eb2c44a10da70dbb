import { useState } from 'react'
import { forgotPasswordPath } from '../../screens.ts'
import { call } from '../../ui/client.ts'
import { ByLink, LinkForm, useLinkForm } from '../../ui/form/by-link.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { NewPasswordField } from '../../ui/form/new-password-field.tsx'
import { INVALID_LINK, type OpenedLink, PasswordByLink, passwordLink } from './contract.ts'

export function SetPassword({ token, siteName }: { token: string; siteName: string }) {
  const [isDone, setDone] = useState(false)
  return (
    <>
      <title>{`Set a password | ${siteName}`}</title>
      {isDone ? (
        <Done />
      ) : (
        <ByLink
          token={token}
          open={open}
          invalid={INVALID_LINK}
          title="No password set"
          otherwise={<Otherwise />}
        >
          {(link, onInvalid) => (
            <NewPasswordForm token={token} link={link} onDone={() => setDone(true)} onInvalid={onInvalid} />
          )}
        </ByLink>
      )}
    </>
  )
}

const open = async (token: string) => await call(passwordLink.open, { token })

function Otherwise() {
  return (
    <>
      <p>An admin of your agency can send an invitation again.</p>
      <a className="button button-large" href={forgotPasswordPath}>
        Forgot password?
      </a>
    </>
  )
}

function Done() {
  return (
    <section className="panel sign-in-panel" role="status">
      <h1>Password set</h1>
      <p>Sign in with your new password. As always, we also send you a code by email.</p>
      <a className="button button-primary button-large" href="/auth">
        Go to the sign-in
      </a>
    </section>
  )
}

interface NewPasswordFormProps {
  readonly token: string
  readonly link: OpenedLink
  readonly onDone: () => void
  readonly onInvalid: () => void
}

function NewPasswordForm({ token, link, onDone, onInvalid }: NewPasswordFormProps) {
  const { purpose, name, email } = link
  const [password, setPassword] = useState('')
  const form = useLinkForm({
    ...{
      schema: PasswordByLink,
      invalid: INVALID_LINK,
      onInvalid,
      failed: 'The password could not be saved.',
    },
    async send(input) {
      await call(passwordLink.setPassword, input)
      // A reload must not show the form of a used link.
      history.replaceState(null, '')
      onDone()
    },
  })
  const isInvited = purpose === 'invitation'
  return (
    <LinkForm
      form={form}
      typed={{ token, password }}
      title={isInvited ? `Welcome, ${name}` : 'Set a new password'}
      lead={
        isInvited
          ? 'Choose a password for the staff portal. To sign in you need it and a code that we email to you.'
          : 'A new password signs you out everywhere. To sign in again you need it and a code that we email to you.'
      }
      action="Set password"
      busy="Saving …"
    >
      {/* A password manager reads from it whose password it is. */}
      <TextField label="Email" type="email" autoComplete="username" value={email} readOnly />
      <NewPasswordField
        label="New password"
        value={password}
        onValue={setPassword}
        error={form.errors.password}
      />
    </LinkForm>
  )
}
