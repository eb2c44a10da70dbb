import * as z from 'zod/mini'
import { NewPassword } from '../../auth/password-rules.ts'
import { StaffEmail } from '../../auth/staff-email.ts'
import { Empty, StaffName, User } from '../../http/common-schemas.ts'
import { endpoint } from '../../http/endpoint.ts'
import { MAX_TOKEN_LENGTH } from '../password-link/contract.ts'

export const INVALID_LINK =
  'This link does not work. It may have been used or replaced, or be older than a day.'

/** Any text, so that every link that does not work gets the same reply. */
const LinkToken = z.string(INVALID_LINK).check(z.maxLength(MAX_TOKEN_LENGTH, INVALID_LINK))

export const FirstAdmin = z.strictObject({
  token: LinkToken,
  name: StaffName,
  email: StaffEmail,
  password: NewPassword,
})
export type FirstAdmin = z.output<typeof FirstAdmin>

/** The first admin of an installation, whose console printed a link. Its token is in the body, never in a URL. */
export const setUp = {
  open: endpoint({
    method: 'POST',
    path: '/api/auth/set-up-link',
    access: 'public',
    tokenAuth: 'denied',
    summary: 'Find out whether a set-up link works',
    input: z.strictObject({ token: LinkToken }),
    reply: Empty,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/auth/set-up',
    access: 'public',
    tokenAuth: 'denied',
    summary: 'Create the first admin with the set-up link, and sign in',
    input: FirstAdmin,
    reply: z.object({ user: User }),
    changesIdentity: true,
  }),
}
