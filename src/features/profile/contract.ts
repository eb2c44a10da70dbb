import * as z from 'zod/mini'
import { MAX_PASSWORD_LENGTH, NewPassword } from '../../auth/password-rules.ts'
import { ById, Empty, StaffName, User } from '../../http/common-schemas.ts'
import { endpoint } from '../../http/endpoint.ts'

export const CURRENT_PASSWORD_MISSING = 'Please enter your current password'

export const ProfileChange = z
  .strictObject({
    name: z.optional(StaffName),
    password: z.optional(NewPassword),
    // The maximum length of a password that can be set: anything longer is not hashed.
    currentPassword: z.optional(z.string().check(z.maxLength(MAX_PASSWORD_LENGTH))),
  })
  .check(
    z.refine(({ password, currentPassword }) => password === undefined || Boolean(currentPassword), {
      error: CURRENT_PASSWORD_MISSING,
      path: ['currentPassword'],
    }),
  )
export type ProfileChange = z.output<typeof ProfileChange>

const OwnSession = z.object({
  id: z.string(),
  /** For example `Chrome on Windows`. */
  device: z.string(),
  createdAt: z.string(),
  /** Accurate to a minute. */
  lastSeenAt: z.string(),
  isCurrent: z.boolean(),
})
export type OwnSession = z.output<typeof OwnSession>

export const profile = {
  change: endpoint({
    method: 'PATCH',
    path: '/api/auth/profile',
    access: 'signed-in',
    tokenAuth: 'denied',
    summary: 'Change one’s own name or password',
    input: ProfileChange,
    reply: z.object({ user: User }),
    stale: ['/api/auth/sessions'],
    changesIdentity: true,
  }),
  sessions: endpoint({
    method: 'GET',
    path: '/api/auth/sessions',
    access: 'signed-in',
    tokenAuth: 'denied',
    summary: 'List one’s own sessions',
    input: Empty,
    reply: z.object({ sessions: z.array(OwnSession) }),
  }),
  deleteSession: endpoint({
    method: 'DELETE',
    path: '/api/auth/sessions/:id',
    access: 'signed-in',
    tokenAuth: 'denied',
    summary: 'End one of one’s own sessions',
    input: ById,
    reply: Empty,
    stale: ['/api/auth/sessions'],
  }),
  deleteOtherSessions: endpoint({
    method: 'DELETE',
    path: '/api/auth/sessions',
    access: 'signed-in',
    tokenAuth: 'denied',
    summary: 'End all of one’s other sessions',
    input: z.strictObject({}),
    reply: Empty,
    stale: ['/api/auth/sessions'],
  }),
}
