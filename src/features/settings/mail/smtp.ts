import * as z from 'zod/mini'
import { Email, MAX_EMAIL, singleLine } from '../../../http/common-schemas.ts'

/** The mail server that admins enter in the portal: its fields and their rules, for the server and for the screen. */

/** `graph`: Microsoft 365 by the sign-in of the mailbox that is fetched. `microsoft`: by a password. */
export const smtpProviders = ['google', 'graph', 'microsoft', 'other'] as const
export type SmtpProvider = (typeof smtpProviders)[number]

/** Where mail servers accept emails. Landfall connects to no other port, or the settings could be used to scan ports. */
export const smtpPorts: readonly number[] = [587, 465, 2525, 25]

/** `starttls` begins in clear text and must be encrypted before anything is sent; `tls` is encrypted from the start. */
export const smtpSecurities = ['starttls', 'tls'] as const

/** Characters; the providers' own passwords have at most 64. */
export const MAX_PASSWORD = 200
/** Characters that RFC 1035 allows in a name. */
export const MAX_HOST = 253
/** A DNS name or an IPv4 address, and so no port, path, user or other address in it. */
const HOST = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/
const HOST_MESSAGE = 'Enter the name of the mail server alone, such as mail.example.com'
const PORT_MESSAGE = `Choose one of the ports ${smtpPorts.join(', ')}`
const SIGN_IN_MESSAGE = 'Connect the mailbox of Microsoft 365 under Mail first'
const FROM_MESSAGE = 'Enter the address that emails come from'

const server = {
  host: z
    .string()
    .check(z.trim(), z.toLowerCase(), z.maxLength(MAX_HOST, HOST_MESSAGE), z.regex(HOST, HOST_MESSAGE)),
  port: z.number(PORT_MESSAGE).check(z.refine(port => smtpPorts.includes(port), PORT_MESSAGE)),
  security: z.enum(smtpSecurities),
  user: singleLine(0, 'Enter the user name', MAX_EMAIL, 'User name'),
  from: z.string().check(
    z.trim(),
    z.maxLength(MAX_EMAIL, FROM_MESSAGE),
    z.refine(text => text === '' || isEmail(text), FROM_MESSAGE),
  ),
}

/** With the password as it is sent: encrypted in the database, and never in a reply. */
export const SmtpServer = z.object({
  ...server,
  port: z.number(),
  provider: z.enum(smtpProviders),
  password: z.string(),
})
export type SmtpServer = z.output<typeof SmtpServer>

export const SmtpView = z.object({
  ...server,
  port: z.number(),
  provider: z.enum(smtpProviders),
  hasPassword: z.boolean(),
})
export type SmtpView = z.output<typeof SmtpView>

/** `none` removes the mail server. Google and Microsoft need no host. Without a password the stored one stays. */
export const SmtpChange = z.strictObject({
  provider: z.enum(['none', ...smtpProviders]),
  host: z.optional(server.host),
  port: z.optional(server.port),
  security: z.optional(server.security),
  user: z.optional(server.user),
  from: z.optional(server.from),
  password: z.optional(
    z.string().check(
      z.maxLength(MAX_PASSWORD, `Password must be at most ${MAX_PASSWORD} characters`),
      z.refine(text => !/\p{Cc}/u.test(text), 'Password must be on one line'),
    ),
  ),
})
export type SmtpChange = z.output<typeof SmtpChange>

export type SmtpErrors = Partial<Record<keyof SmtpChange, string>>

type Destination = Omit<SmtpServer, 'password'>

const fixed: { readonly [Provider in SmtpProvider]?: Pick<SmtpServer, 'host' | 'port' | 'security'> } = {
  google: { host: 'smtp.gmail.com', port: 587, security: 'starttls' },
  graph: { host: 'graph.microsoft.com', port: 443, security: 'tls' },
  microsoft: { host: 'smtp.office365.com', port: 587, security: 'starttls' },
}

/** Where emails will go; null when the mail server is removed. */
export function destinationOf(change: SmtpChange): Destination | null {
  const { provider, host = '', port = 587, security = 'starttls', user = '', from = '' } = change
  if (provider === 'none') return null
  return { provider, ...(fixed[provider] ?? { host, port, security }), user, from }
}

/** The password as its provider knows it: Google shows its app passwords in groups of four characters. */
export function passwordOf({ provider, password = '' }: SmtpChange): string {
  return provider === 'google' ? password.replace(/\s/g, '') : password
}

/** Whether the stored password goes to the same account on the same server as before. */
export function isSameAccount(one: Destination, other: Destination): boolean {
  return (
    one.host === other.host &&
    one.port === other.port &&
    one.security === other.security &&
    one.user === other.user
  )
}

/**
 * What is missing in a change whose fields are valid. @param saved what is stored now
 * @param signedIn the mailbox of Microsoft 365 that is fetched, with whose sign-in emails can be sent; null without one
 */
export function findSmtpErrors(
  change: SmtpChange,
  saved: SmtpView | null,
  signedIn: string | null,
): SmtpErrors {
  const to = destinationOf(change)
  if (!to) return {}
  if (to.provider === 'graph') return signedIn === null ? { provider: SIGN_IN_MESSAGE } : {}
  const { provider, host, user, from } = to
  const password = passwordError(change, to, saved)
  return {
    ...(host === '' && { host: HOST_MESSAGE }),
    ...(provider !== 'other' && !isEmail(user) && { user: 'Enter the whole email address of the account' }),
    ...(user === '' && passwordOf(change) !== '' && { user: 'Enter the user name of this password' }),
    ...(from === '' && provider === 'other' && !isEmail(user) && { from: FROM_MESSAGE }),
    ...(password && { password }),
  }
}

/** A stored password never goes to another server, where somebody else could read it. */
function passwordError(change: SmtpChange, to: Destination, saved: SmtpView | null): string | null {
  if (to.user === '' || passwordOf(change) !== '') return null
  if (!saved?.hasPassword) return 'Enter the password'
  return isSameAccount(to, saved)
    ? null
    : 'Enter the password again, because the account or its server is another'
}

function isEmail(text: string): boolean {
  return Email.safeParse(text).success
}
