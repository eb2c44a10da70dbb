import { useState } from 'react'
import { call } from '../../ui/client.ts'
import { ByLink, LinkForm, useLinkForm } from '../../ui/form/by-link.tsx'
import { Field, TextField } from '../../ui/form/field.tsx'
import { NewPasswordField } from '../../ui/form/new-password-field.tsx'
import { FirstAdmin, INVALID_LINK, setUp } from './contract.ts'

/** What the set-up link opens: the person who has it becomes the first admin. */
export function SetUp({ token }: { token: string }) {
  return (
    <>
      <title>Set up your site | Landfall</title>
      <ByLink
        token={token}
        open={open}
        invalid={INVALID_LINK}
        title="Set-up not opened"
        otherwise={<Otherwise />}
      >
        {(_opened, onInvalid) => <FirstAdminForm token={token} onInvalid={onInvalid} />}
      </ByLink>
    </>
  )
}

const open = async (token: string) => await call(setUp.open, { token })

function Otherwise() {
  return (
    <>
      <p>If nobody has set up this site yet, stop Landfall and start it again: it prints a new link.</p>
      <a className="button button-large" href="/auth">
        Go to the sign-in
      </a>
    </>
  )
}

const empty = { name: '', email: '', password: '' }

function FirstAdminForm({ token, onInvalid }: { token: string; onInvalid: () => void }) {
  const [typed, setTyped] = useState(empty)
  const form = useLinkForm({
    ...{ schema: FirstAdmin, invalid: INVALID_LINK, onInvalid, failed: 'The account could not be created.' },
    async send(input) {
      await call(setUp.create, input)
      // Back must not lead to the form of a used link.
      location.replace('/first-steps/next')
    },
  })
  const at = (field: keyof typeof empty) => ({
    value: typed[field],
    onValue: (value: string) => setTyped({ ...typed, [field]: value }),
    error: form.errors[field],
  })
  return (
    <LinkForm
      form={form}
      typed={{ ...typed, token }}
      title="Set up your site"
      lead="Begin with your own account. You are the first admin: the one who can never be deleted, and to whom enquiries go until you choose another address."
      action="Create my account"
      busy="Creating your account …"
    >
      <TextField {...at('name')} label="Your name" autoComplete="name" />
      <EmailField {...at('email')} />
      <NewPasswordField {...at('password')} label="Password" />
    </LinkForm>
  )
}

/** Nobody has a mailbox under these: they are reserved (RFC 2606). Not among the rules of an address, which every sign-in loads. */
const RESERVED = /[.@](test|example|invalid|localhost)$/

/** An address that no email reaches is warned of, and taken: a trial needs none. */
function EmailField({
  value,
  onValue,
  error,
}: {
  value: string
  onValue: (value: string) => void
  error?: string | undefined
}) {
  const ending = RESERVED.exec(value.trim().toLowerCase())?.[1]
  return (
    <Field
      label="Email"
      error={error}
      note={id => (
        <div id={id} className="field-hint" role="status">
          {ending && (
            <p>
              <strong>
                No email reaches an address that ends in .{ending}. You can sign in on this browser only.
              </strong>
            </p>
          )}
          <p>It cannot be changed in the portal later, so check it.</p>
        </div>
      )}
    >
      {control => (
        <input
          className="control"
          {...control}
          dir="auto"
          type="email"
          autoComplete="username"
          value={value}
          onChange={({ target }) => onValue(target.value)}
        />
      )}
    </Field>
  )
}
