import * as z from 'zod/mini'
import { permissions } from '../../auth/permissions.ts'
import { LoginEmail } from '../../auth/staff-email.ts'
import { BotCheckToken } from '../../bot-check/contract.ts'
import { Empty, User } from '../../http/common-schemas.ts'
import { endpoint } from '../../http/endpoint.ts'

export const CODE_MESSAGE = 'Verification code must be 6 digits'

/** Unknown keys are ignored, as in every call of the sign-in. */
export const Credentials = z.object({
  email: LoginEmail,
  // The maximum length of a password that can be set: anything longer is not hashed.
  password: z.string().check(z.maxLength(256)),
  recaptchaToken: z.optional(BotCheckToken),
})

export const Code = z.object({
  code: z.string(CODE_MESSAGE).check(z.regex(/^[0-9]{6}$/, CODE_MESSAGE)),
  trustDevice: z._default(z.boolean(), false),
})

const Entered = z.union([
  z.object({ requiresTwoFactor: z.literal(true), user: z.object({ name: z.string() }) }),
  z.object({ requiresTwoFactor: z.literal(false), user: User }),
])

export const signIn = {
  csrfToken: endpoint({
    method: 'GET',
    path: '/api/csrf-token',
    access: 'public',
    summary: 'Get a security token for this browser',
    input: Empty,
    reply: z.object({ csrfToken: z.string() }),
  }),
  me: endpoint({
    method: 'GET',
    path: '/api/auth/me',
    access: 'signed-in',
    summary: 'Get the signed-in user, and what they may do',
    input: Empty,
    reply: z.object({ user: User, permissions: z.array(z.enum(permissions)) }),
  }),
  login: endpoint({
    method: 'POST',
    path: '/api/auth/login',
    access: 'public',
    summary: 'Sign in with a password',
    tokenAuth: 'denied',
    input: Credentials,
    reply: Entered,
    changesIdentity: true,
  }),
  pending: endpoint({
    method: 'GET',
    path: '/api/auth/pending',
    access: 'pending',
    summary: 'Get the pending sign-in',
    tokenAuth: 'denied',
    input: Empty,
    reply: z.object({ user: z.object({ name: z.string() }), factors: z.array(z.enum(['email', 'console'])) }),
  }),
  verifyCode: endpoint({
    method: 'POST',
    path: '/api/auth/verify-2fa',
    access: 'pending',
    summary: 'Verify the code from the email',
    tokenAuth: 'denied',
    input: Code,
    reply: z.object({ user: User }),
    changesIdentity: true,
  }),
  resendCode: endpoint({
    method: 'POST',
    path: '/api/auth/resend-2fa',
    access: 'pending',
    summary: 'Send the code again',
    tokenAuth: 'denied',
    input: Empty,
    reply: Empty,
  }),
  logout: endpoint({
    method: 'POST',
    path: '/api/auth/logout',
    access: 'public',
    summary: 'Sign out',
    tokenAuth: 'denied',
    input: Empty,
    reply: Empty,
    changesIdentity: true,
  }),
}
