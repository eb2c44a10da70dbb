import * as z from 'zod/mini'
import { NewPassword } from '../../auth/password-rules.ts'
import { LoginEmail } from '../../auth/staff-email.ts'
import { BotCheckToken } from '../../bot-check/contract.ts'
import { Empty } from '../../http/common-schemas.ts'
import { endpoint } from '../../http/endpoint.ts'

export const INVALID_LINK = 'This link does not work. It may have been used or replaced, or be too old.'

/** Characters; a token has 43. */
export const MAX_TOKEN_LENGTH = 100

/** Any text, so that every link that does not work gets the same reply. */
const LinkToken = z.string(INVALID_LINK).check(z.maxLength(MAX_TOKEN_LENGTH, INVALID_LINK))

export const LinkRequest = z.strictObject({ email: LoginEmail, recaptchaToken: z.optional(BotCheckToken) })
export type LinkRequest = z.output<typeof LinkRequest>

export const PasswordByLink = z.strictObject({ token: LinkToken, password: NewPassword })
export type PasswordByLink = z.output<typeof PasswordByLink>

const OpenedLink = z.object({
  purpose: z.enum(['reset', 'invitation']),
  /** Of the user: somebody who can read the email knows both. */
  name: z.string(),
  email: z.string(),
})
export type OpenedLink = z.output<typeof OpenedLink>

/** The token of a link is in the body, never in a URL. */
export const passwordLink = {
  request: endpoint({
    method: 'POST',
    path: '/api/auth/forgot-password',
    access: 'public',
    tokenAuth: 'denied',
    summary: 'Request an email with a link that sets a new password',
    input: LinkRequest,
    /** Without a mail provider, emails stay on the server; the same for each address. */
    reply: z.object({ isMailKeptHere: z.boolean() }),
  }),
  open: endpoint({
    method: 'POST',
    path: '/api/auth/password-link',
    access: 'public',
    tokenAuth: 'denied',
    summary: 'Get whose password a link sets',
    input: z.strictObject({ token: LinkToken }),
    reply: OpenedLink,
  }),
  setPassword: endpoint({
    method: 'POST',
    path: '/api/auth/set-password',
    access: 'public',
    tokenAuth: 'denied',
    summary: 'Set a password with the link from an email',
    input: PasswordByLink,
    reply: Empty,
    changesIdentity: true,
  }),
}
