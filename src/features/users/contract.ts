import * as z from 'zod/mini'
import { NewPassword } from '../../auth/password-rules.ts'
import { StaffEmail } from '../../auth/staff-email.ts'
import { ById, Empty, StaffName, User } from '../../http/common-schemas.ts'
import { endpoint } from '../../http/endpoint.ts'

export const roles = ['admin', 'editor', 'viewer'] as const
export type Role = (typeof roles)[number]

export const roleLabels: Record<Role, string> = { admin: 'Admin', editor: 'Editor', viewer: 'Viewer' }

/** What a role may do, for the admin who chooses it. */
export const roleHints: Record<Role, string> = {
  admin: 'Everything: users, settings, messages, API tokens and logs.',
  editor: 'The dashboard and their own profile; content screens later.',
  viewer: 'The dashboard and their own profile, to read only.',
}

/** The default role of a new user. */
export const NEW_ROLE: Role = 'viewer'

const UserAccount = z.extend(User, { emailVerified: z.boolean() })
export type UserAccount = z.output<typeof UserAccount>

const ChosenRole = z.enum(roles, 'Please choose a role')

export const NewUser = z.strictObject({
  name: StaffName,
  email: StaffEmail,
  role: z._default(ChosenRole, NEW_ROLE),
  password: NewPassword,
})
export type NewUser = z.output<typeof NewUser>

export const UserChange = z.strictObject({
  id: ById.shape.id,
  name: z.optional(StaffName),
  email: z.optional(StaffEmail),
  role: z.optional(ChosenRole),
  password: z.optional(NewPassword),
})
export type UserChange = z.output<typeof UserChange>

const UserQuery = z.strictObject({
  limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(200)), 200),
  /** The `nextCursor` of the previous page. */
  cursor: z.optional(z.uuid()),
})
export type UserQuery = z.output<typeof UserQuery>

const UserPage = z.object({
  /** In the order in which they were added. */
  users: z.array(UserAccount),
  /** Only when there are more. */
  nextCursor: z.optional(z.string()),
})
export type UserPage = z.output<typeof UserPage>

const OneUser = z.object({ user: UserAccount })

export const users = {
  list: endpoint({
    method: 'GET',
    path: '/api/users',
    access: 'admin',
    tokenAuth: 'denied',
    summary: 'List the staff',
    input: UserQuery,
    reply: UserPage,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/users',
    access: 'admin',
    tokenAuth: 'denied',
    summary: 'Add a user',
    errorStatuses: [409],
    input: NewUser,
    reply: OneUser,
    status: 201,
  }),
  change: endpoint({
    method: 'PATCH',
    path: '/api/users/:id',
    access: 'admin',
    tokenAuth: 'denied',
    summary: 'Change a user',
    errorStatuses: [409],
    input: UserChange,
    reply: OneUser,
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/api/users/:id',
    access: 'admin',
    tokenAuth: 'denied',
    summary: 'Delete a user',
    errorStatuses: [409],
    input: ById,
    reply: Empty,
  }),
  resendVerification: endpoint({
    method: 'POST',
    path: '/api/users/:id/verification',
    access: 'admin',
    tokenAuth: 'denied',
    summary: 'Resend the verification email',
    errorStatuses: [409],
    input: ById,
    reply: Empty,
  }),
}
