import * as z from 'zod/mini'
import { LONGEST_PASSWORD, NewPassword } from '../../accounts/password-rules.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ById, Nothing, StaffName, User } from '../../http/fields.ts'

export const CURRENT_PASSWORD_MISSING = 'Please enter your current password'

export const ProfileChange = z
  .strictObject({
    name: z.optional(StaffName),
    password: z.optional(NewPassword),
    // Longer than any password that can be set, so nothing longer need be hashed.
    currentPassword: z.optional(z.string().check(z.maxLength(LONGEST_PASSWORD))),
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
  /** In words: `Chrome on Windows`. */
  device: z.string(),
  createdAt: z.string(),
  /** To the minute. */
  lastSeenAt: z.string(),
  isCurrent: z.boolean(),
})
export type OwnSession = z.output<typeof OwnSession>

export const profile = {
  change: endpoint({
    method: 'PATCH',
    path: '/api/auth/profile',
    access: 'signed-in',
    bearer: 'refused',
    summary: 'Change one’s own name or password',
    input: ProfileChange,
    reply: z.object({ user: User }),
    changesCaller: true,
  }),
  sessions: endpoint({
    method: 'GET',
    path: '/api/auth/sessions',
    access: 'signed-in',
    bearer: 'refused',
    summary: 'List one’s own sessions',
    input: Nothing,
    reply: z.object({ sessions: z.array(OwnSession) }),
  }),
  endSession: endpoint({
    method: 'DELETE',
    path: '/api/auth/sessions/:id',
    access: 'signed-in',
    bearer: 'refused',
    summary: 'End one of one’s own sessions',
    input: ById,
    reply: Nothing,
  }),
  endOtherSessions: endpoint({
    method: 'DELETE',
    path: '/api/auth/sessions',
    access: 'signed-in',
    bearer: 'refused',
    summary: 'End all of one’s other sessions',
    input: z.strictObject({}),
    reply: Nothing,
  }),
}
