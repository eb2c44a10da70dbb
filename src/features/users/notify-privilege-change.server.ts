import { type AdminCall, notifyAdmins, type SensitiveChange } from '../../auth/notify-admins.ts'
import { effectiveGrant, type InboxGrant, inboxGrants, type Role } from '../../auth/permissions.ts'
import type { Transaction } from '../../database/transaction.ts'
import type { EmailSignature } from '../../mail/email.ts'
import type { Services } from '../../services.ts'
import type { UserChange } from './contract.ts'

/** What decides how much somebody may do. */
interface Power {
  readonly role: Role
  readonly inbox: InboxGrant
}

type Person = Power & { readonly name: string; readonly email: string }

/** Whether a call may give power, so that it counts towards the limit of its admin. */
export function mayGivePower({ role, inbox }: Pick<UserChange, 'role' | 'inbox'>): boolean {
  return role === 'admin' || (inbox !== undefined && inbox !== 'none')
}

/** Notifies every admin when a user may do more than before. @param before null for a new user */
export async function notifyPrivilegeChange(
  services: Services,
  transaction: Transaction,
  call: AdminCall,
  before: Power | null,
  after: Person,
  signature: EmailSignature,
): Promise<void> {
  const change = describe(before, after, signature)
  if (change) await notifyAdmins(services, transaction, call, change, signature)
}

function describe(before: Power | null, after: Person, { texts }: EmailSignature): SensitiveChange | null {
  const { labels, inboxGrants: grants, sensitiveChange } = texts.emails
  const person = `${after.name} <${after.email}>`
  if (after.role === 'admin') {
    if (before?.role === 'admin') return null
    const what = before ? sensitiveChange.madeAdmin : sensitiveChange.adminAdded
    return { what, facts: [[labels.admin, person]] }
  }
  const inbox = effectiveGrant(after.role, after.inbox)
  const inboxBefore = before ? effectiveGrant(before.role, before.inbox) : 'none'
  if (inboxGrants.indexOf(inbox) <= inboxGrants.indexOf(inboxBefore)) return null
  const facts = [[labels.user, person] as const, [labels.messages, grants[inbox]] as const]
  return { what: sensitiveChange.inboxGranted, facts }
}
