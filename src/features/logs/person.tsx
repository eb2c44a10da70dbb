import type { LogEntry } from './contract.ts'

export const DELETED_USER = 'Deleted user'

/** The name of the user whom an entry is about; nothing without one. */
export function Person({ entry: { userId, user } }: { entry: Pick<LogEntry, 'userId' | 'user'> }) {
  if (user) return <bdi className="logs-person">{user.name}</bdi>
  return userId ? <span className="logs-person logs-deleted">{DELETED_USER}</span> : null
}
