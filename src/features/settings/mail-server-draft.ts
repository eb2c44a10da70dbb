import { fieldErrors } from '../../http/field-errors.ts'
import { findSmtpErrors, SmtpChange, type SmtpErrors, type SmtpView } from './smtp.ts'

/** What is typed into the form of the mail server. The fields of other providers stay, so that one can look at each. */
export interface MailServerDraft {
  readonly provider: SmtpChange['provider']
  readonly host: string
  readonly port: number
  readonly security: SmtpView['security']
  readonly user: string
  readonly from: string
  readonly password: string
}

/** The form as it is saved. The password field is empty: nobody gets to see a stored password. */
export function draftOf(saved: SmtpView | null): MailServerDraft {
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
export function changeOf({
  provider,
  host,
  port,
  security,
  user,
  from,
  password,
}: MailServerDraft): SmtpChange {
  if (provider === 'none') return { provider }
  return {
    provider,
    user,
    from,
    ...(provider === 'other' && { host, port, security }),
    ...(password && { password }),
  }
}

/** The errors that the server would return for this draft. */
export function draftErrors(draft: MailServerDraft, saved: SmtpView | null): SmtpErrors {
  const parsed = SmtpChange.safeParse(changeOf(draft))
  return parsed.success ? findSmtpErrors(parsed.data, saved) : fieldErrors(parsed.error.issues)
}

/** A draft with another value. A port that is for one kind of encryption chooses it. */
export function withValue(draft: MailServerDraft, change: Partial<MailServerDraft>): MailServerDraft {
  const { port } = change
  const security = port === undefined ? {} : ({ security: port === 465 ? 'tls' : 'starttls' } as const)
  return { ...draft, ...change, ...security }
}
