import * as z from 'zod/mini'
import { MAX_PASSWORD_LENGTH, NewPassword } from '../../auth/password-rules.ts'
import { ById, Empty, StaffName, User } from '../../http/common-schemas.ts'
import { endpoint } from '../../http/endpoint.ts'

/** Characters: a few lines below each reply. */
export const MAX_SIGNATURE = 300

/** Control characters but for line breaks, and what would turn the lines below around. */
const CONTROLS = /[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069\p{Zl}\p{Zp}]/u

/** Empty for the name. */
const Signature = z.string().check(
  z.overwrite(text => text.toWellFormed().replace(/\r\n?/g, '\n').replaceAll('\t', ' ').trim()),
  z.maxLength(MAX_SIGNATURE, {
    error: `A signature must be at most ${MAX_SIGNATURE} characters`,
    abort: true,
  }),
  z.refine(text => !CONTROLS.test(text), 'A signature has no control characters'),
)

export const CURRENT_PASSWORD_MISSING = 'Please enter your current password'

export const ProfileChange = z
  .strictObject({
    name: z.optional(StaffName),
    signature: z.optional(Signature),
    noticeEmails: z.optional(z.boolean()),
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
  read: endpoint({
    method: 'GET',
    path: '/api/auth/profile',
    access: 'signed-in',
    tokenAuth: 'denied',
    summary: 'Read one’s own signature, and whether one gets emails about the inbox',
    input: Empty,
    reply: z.object({
      /** Empty while it is the name. */
      signature: z.string(),
      /** Whether an email says what colleagues have assigned to one, and that a note names one. */
      noticeEmails: z.boolean(),
    }),
  }),
  change: endpoint({
    method: 'PATCH',
    path: '/api/auth/profile',
    access: 'signed-in',
    tokenAuth: 'denied',
    summary: 'Change one’s own name, signature, password, or which emails one gets',
    input: ProfileChange,
    reply: z.object({ user: User }),
    stale: ['/api/auth/sessions', '/api/auth/profile', '/api/canned-replies'],
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
