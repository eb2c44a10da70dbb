import * as z from 'zod/mini'
import { NewPassword } from '../../auth/password-rules.ts'
import { type InboxGrant, inboxGrants, type Role, roles } from '../../auth/permissions.ts'
import { StaffEmail } from '../../auth/staff-email.ts'
import { ById, Empty, StaffName, User } from '../../http/common-schemas.ts'
import { endpoint } from '../../http/endpoint.ts'

/** Of the 409 when another user has the address: the form marks the field. */
export const EMAIL_TAKEN_CODE = 'email_taken'

export const roleLabels: Record<Role, string> = { admin: 'Admin', editor: 'Editor', viewer: 'Viewer' }

/** What a role may do, for the admin who chooses it. */
export const roleHints: Record<Role, string> = {
  admin: 'Everything: users, settings, messages, API tokens and logs.',
  editor: 'The content of the site, the dashboard and their own profile.',
  viewer: 'The content of the site to read, the dashboard and their own profile.',
}

export const NEW_ROLE: Role = 'viewer'

export const inboxLabels: Record<InboxGrant, string> = { none: 'No access', read: 'Read', answer: 'Answer' }

/** What a grant allows, for the admin who chooses it. */
export const inboxHints: Record<InboxGrant, string> = {
  none: 'They cannot open messages from visitors.',
  read: 'They can search and open messages, and change nothing.',
  answer: 'They can also reply, write notes, assign, close and forward messages.',
}

export const NEW_INBOX: InboxGrant = 'none'

const UserAccount = z.extend(User, {
  inbox: z.enum(inboxGrants),
  emailVerified: z.boolean(),
  /** Only of a user who was invited and has not set a password yet. */
  isInvited: z.optional(z.literal(true)),
})
export type UserAccount = z.output<typeof UserAccount>

const ChosenRole = z.enum(roles, 'Please choose a role')
const ChosenInbox = z.enum(inboxGrants, 'Please choose what they may do with messages')

export const NewUser = z.strictObject({
  name: StaffName,
  email: StaffEmail,
  role: z._default(ChosenRole, NEW_ROLE),
  inbox: z._default(ChosenInbox, NEW_INBOX),
  /** Without one, an email invites the user to choose it. */
  password: z.optional(NewPassword),
})
export type NewUser = z.output<typeof NewUser>

/** The colleague who gets the open enquiries and the drafts of somebody who can no longer answer; nobody without one. */
const AssignTo = z.optional(z.uuid('There is no such user'))

export const UserChange = z.strictObject({
  id: ById.shape.id,
  name: z.optional(StaffName),
  email: z.optional(StaffEmail),
  role: z.optional(ChosenRole),
  inbox: z.optional(ChosenInbox),
  password: z.optional(NewPassword),
  assignTo: AssignTo,
})
export type UserChange = z.output<typeof UserChange>

const Deletion = z.strictObject({ id: ById.shape.id, assignTo: AssignTo })
export type Deletion = z.output<typeof Deletion>

const UserQuery = z.strictObject({
  limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(200)), 200),
  /** The `nextCursor` of the previous page. */
  cursor: z.optional(z.uuid()),
})
export type UserQuery = z.output<typeof UserQuery>

const UserPage = z.object({
  /** In the order in which they were added. */
  users: z.array(UserAccount),
  /** Only while emails go nowhere but to the local mailbox, so that no invitation arrives. */
  isMailKeptHere: z.optional(z.literal(true)),
  /** Only when there are more. */
  nextCursor: z.optional(z.string()),
})
export type UserPage = z.output<typeof UserPage>

const OneUser = z.object({ user: UserAccount })

/** The list, and the signed-in user, who may have changed their own account. */
const stale = ['/api/users', '/api/auth/me']

export const users = {
  list: endpoint({
    method: 'GET',
    path: '/api/users',
    access: 'users',
    tokenAuth: 'denied',
    summary: 'List the staff',
    input: UserQuery,
    reply: UserPage,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/users',
    access: 'users',
    tokenAuth: 'denied',
    summary: 'Add a user',
    errorStatuses: [409],
    input: NewUser,
    reply: OneUser,
    status: 201,
    stale,
  }),
  change: endpoint({
    method: 'PATCH',
    path: '/api/users/:id',
    access: 'users',
    tokenAuth: 'denied',
    summary: 'Change a user',
    errorStatuses: [409],
    input: UserChange,
    reply: OneUser,
    stale,
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/api/users/:id',
    access: 'users',
    tokenAuth: 'denied',
    summary: 'Delete a user, and give what they had to do to a colleague or to nobody',
    errorStatuses: [409],
    input: Deletion,
    reply: Empty,
    stale,
  }),
  work: endpoint({
    method: 'GET',
    path: '/api/users/:id/work',
    access: 'users',
    tokenAuth: 'denied',
    summary: 'Count what a user still has to do',
    input: ById,
    reply: z.object({
      /** Enquiries that are assigned to them and open or waiting. */
      enquiries: z.number(),
      drafts: z.number(),
    }),
  }),
  resendVerification: endpoint({
    method: 'POST',
    path: '/api/users/:id/verification',
    access: 'users',
    tokenAuth: 'denied',
    summary: 'Resend the verification email',
    errorStatuses: [409],
    input: ById,
    reply: Empty,
  }),
  resendInvitation: endpoint({
    method: 'POST',
    path: '/api/users/:id/invitation',
    access: 'users',
    tokenAuth: 'denied',
    summary: 'Send the invitation again',
    errorStatuses: [409],
    input: ById,
    reply: Empty,
  }),
}
