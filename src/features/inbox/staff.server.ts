import { type Permission, permissionsOf } from '../../auth/permissions.ts'
import { isPostgres } from '../../database/engine.ts'
import type { Database } from '../../database/tables.ts'

/** More than an agency has. */
const MAX_LISTED = 200

interface Colleague {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly permissions: readonly Permission[]
}

/** A user with this permission; undefined when there is none with this id. */
export async function findColleague(
  db: Database,
  id: string,
  permission: Permission,
): Promise<Colleague | undefined> {
  const row = await selectUsers(db).where('id', '=', id).executeTakeFirst()
  const colleague = row && { ...row, permissions: permissionsOf(row.role, row.inbox) }
  return colleague?.permissions.includes(permission) ? colleague : undefined
}

/**
 * Whether a user may answer, which stays so until the transaction ends: who takes it away waits, and then releases their
 * messages. A message is locked before a user.
 */
export async function mayAnswer(transaction: Database, id: string): Promise<boolean> {
  const user = selectUsers(transaction).where('id', '=', id)
  const row = await user.$if(isPostgres(transaction), query => query.forShare()).executeTakeFirst()
  return row !== undefined && permissionsOf(row.role, row.inbox).includes('inbox:answer')
}

/** Everybody with access to messages, by name. */
export async function listColleagues(db: Database) {
  const rows = await selectUsers(db).orderBy('name').orderBy('id').limit(MAX_LISTED).execute()
  return rows.flatMap(({ id, name, role, inbox }) => {
    const permissions = permissionsOf(role, inbox)
    return permissions.includes('inbox:read')
      ? [{ id, name, mayAnswer: permissions.includes('inbox:answer') }]
      : []
  })
}

function selectUsers(db: Database) {
  return db.selectFrom('users').select(['id', 'name', 'email', 'role', 'inbox'])
}
