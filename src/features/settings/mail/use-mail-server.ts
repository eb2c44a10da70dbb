import { useState } from 'react'
import { fieldErrors } from '../../../http/field-errors.ts'
import { errorsOfFailure } from '../../../ui/form/field.tsx'
import { inputText, restoreInput, useInputBackup } from '../../../ui/form/input-backup.ts'
import type { MailState } from '../contract.ts'
import {
  findSmtpErrors,
  SmtpChange,
  type SmtpErrors,
  type SmtpView,
  smtpPorts,
  smtpProviders,
  smtpSecurities,
} from './smtp.ts'

const FORM = 'mail-server'

/** What was typed before the session ended, without the password. */
function restore(saved: MailServerDraft): MailServerDraft | null {
  const typed = restoreInput(FORM)
  if (Object.keys(typed).length === 0) return null
  const { provider, port, security } = typed
  return {
    provider: (['none', ...smtpProviders] as const).find(each => each === provider) ?? saved.provider,
    port: smtpPorts.find(each => each === port) ?? saved.port,
    security: smtpSecurities.find(each => each === security) ?? saved.security,
    host: inputText(typed, 'host') ?? '',
    user: inputText(typed, 'user') ?? '',
    from: inputText(typed, 'from') ?? '',
    password: '',
  }
}

/** What has been typed about the mail server and not been saved yet, and its errors. */
export function useMailServer({ smtp, microsoftMailbox }: MailState) {
  const saved = draftOf(smtp)
  const [typed, setTyped] = useState<MailServerDraft | null>(() => restore(saved))
  const [errors, setErrors] = useState<SmtpErrors>({})
  const draft = typed ?? saved
  const isDirty = JSON.stringify(draft) !== JSON.stringify(saved)
  const { password: _, ...shown } = draft
  useInputBackup(FORM, isDirty ? shown : null)

  function change(change: Partial<MailServerDraft>) {
    setTyped(withValue(draft, change))
    setErrors(errors => ({
      ...errors,
      ...Object.fromEntries(Object.keys(change).map(name => [name, undefined])),
    }))
  }

  function discard() {
    setTyped(null)
    setErrors({})
  }

  /** Shows the errors of the draft. @returns whether it may be sent */
  function check(): boolean {
    const found = draftErrors(draft, smtp, microsoftMailbox)
    setErrors(found)
    return Object.keys(found).length === 0
  }

  const showRejection = (error: Error) => setErrors(errorsOfFailure(error))

  const errorOf = (name: keyof SmtpErrors) => errors[name]

  /** The props of a text. */
  const at = (name: 'host' | 'user' | 'password' | 'from') => ({
    name: `mail-${name}`,
    // Or a browser would enter its own user's password for this site.
    autoComplete: name === 'password' ? 'new-password' : 'off',
    spellCheck: false,
    autoCapitalize: 'none',
    value: draft[name],
    error: errors[name],
    onValue: (value: string) => change({ [name]: value }),
  })

  return { draft, isDirty, change, discard, check, showRejection, at, errorOf }
}

export type MailServerForm = ReturnType<typeof useMailServer>

/** What is typed into the form of the mail server. The fields of other providers stay, so that one can look at each. */
export type MailServerDraft = {
  readonly [Name in keyof SmtpChange]-?: NonNullable<SmtpChange[Name]>
}

/** The form as it is saved. The password field is empty: nobody gets to see a stored password. */
function draftOf(saved: SmtpView | null): MailServerDraft {
  const { host = '', port = 587, security = 'starttls', user = '', from = '' } = saved ?? {}
  const isOther = saved?.provider === 'other'
  return {
    provider: saved?.provider ?? 'none',
    // Those of Google and Microsoft are fixed, and no beginning for another server.
    ...(isOther ? { host, port, security } : { host: '', port: 587, security: 'starttls' }),
    user,
    from,
    password: '',
  }
}

/** The change that a draft asks for: only the fields that its provider has. */
export function changeOf({ provider, user, from, password, ...server }: MailServerDraft): SmtpChange {
  if (provider === 'none' || provider === 'graph') return { provider }
  return { provider, user, from, ...(provider === 'other' && server), ...(password && { password }) }
}

/** The errors that the server would return for this draft. */
function draftErrors(draft: MailServerDraft, saved: SmtpView | null, signedIn: string | null): SmtpErrors {
  const parsed = SmtpChange.safeParse(changeOf(draft))
  return parsed.success ? findSmtpErrors(parsed.data, saved, signedIn) : fieldErrors(parsed.error.issues)
}

/** A draft with another value. A port that is for one kind of encryption chooses it. */
function withValue(draft: MailServerDraft, change: Partial<MailServerDraft>): MailServerDraft {
  const { port } = change
  const security = port === undefined ? {} : ({ security: port === 465 ? 'tls' : 'starttls' } as const)
  return { ...draft, ...change, ...security }
}
