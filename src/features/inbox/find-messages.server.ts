import type { Database } from '../../database/tables.ts'
import type { FoundMessages } from './bulk-contract.ts'
import type { ListFilter } from './filter.server.ts'
import { findPage } from './list.server.ts'

/** Messages that one call finds: a few milliseconds' work. */
const PAGE_SIZE = 500

/**
 * The next messages that match, with the versions that match, in the order in which they arrived: what arrives or is changed
 * meanwhile moves none of them. What is merged is changed with the message that is kept.
 */
export async function findMessages(
  db: Database,
  filter: ListFilter,
  cursor: string | undefined,
): Promise<FoundMessages> {
  const unmerged = { ...filter, isUnmerged: true } as const
  const { found, next } = await findPage(db, unmerged, { from: cursor, towards: 'older' }, PAGE_SIZE)
  return { found: [...found], nextCursor: next }
}
