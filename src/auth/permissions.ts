/**
 * Permissions of staff. Calls and screens name one of these; menus, the access matrix and the API reference are
 * derived from them.
 */
export const permissions = [
  'content:read',
  /** Publishing included. */
  'content:edit',
  /** List and open messages. */
  'inbox:read',
  /** Mark as read, reply, note, assign, mark as spam, forward, send a failed email again. */
  'inbox:answer',
  /** Delete and export. */
  'inbox:manage',
  'users',
  'settings',
  'tokens',
  'webhooks',
  'logs',
] as const
export type Permission = (typeof permissions)[number]

/** The access that a call or screen for staff requires: a permission, or any signed-in user. */
export type StaffAccess = 'signed-in' | Permission

export const roles = ['admin', 'editor', 'viewer'] as const
export type Role = (typeof roles)[number]

/** The access to messages that an admin grants a user, in rising order. */
export const inboxGrants = ['none', 'read', 'answer'] as const
export type InboxGrant = (typeof inboxGrants)[number]

const permissionsOfRole: Record<Role, readonly Permission[]> = {
  admin: permissions,
  editor: ['content:read', 'content:edit'],
  viewer: ['content:read'],
}

const permissionsOfGrant: Record<InboxGrant, readonly Permission[]> = {
  none: [],
  read: ['inbox:read'],
  answer: ['inbox:read', 'inbox:answer'],
}

/** Everything that a user may do. */
export function permissionsOf(role: Role, inbox: InboxGrant): readonly Permission[] {
  const granted = [...permissionsOfRole[role], ...permissionsOfGrant[effectiveGrant(role, inbox)]]
  return permissions.filter(permission => granted.includes(permission))
}

/** The grant in effect: `answer` for every admin, for others the one that they were given. */
export function effectiveGrant(role: Role, inbox: InboxGrant): InboxGrant {
  return role === 'admin' ? 'answer' : inbox
}

/**
 * The grant to store. None for an admin, whose role has it all: a former admin has only what is granted
 * then.
 */
export function storedGrant(role: Role, inbox: InboxGrant): InboxGrant {
  return role === 'admin' ? 'none' : inbox
}

/** Whether these permissions are enough for a call or a screen. */
export function isGranted(access: StaffAccess, granted: readonly Permission[]): boolean {
  return access === 'signed-in' || granted.includes(access)
}
