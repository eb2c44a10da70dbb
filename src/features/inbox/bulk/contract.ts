import * as z from 'zod/mini'
import { endpoint } from '../../../http/endpoint.ts'
import { Change } from '../contract.ts'
import { filter } from '../messages/filter-contract.ts'

/** Messages that one call changes: more than anybody selects by hand, and a few seconds' work. */
export const MAX_BULK = 5000
/** Bytes: so many ids, each with its version, and a change. */
const BULK_LIMIT = 512 * 1024

const BulkChange = z
  .extend(z.omit(Change, { id: true, version: true }), {
    /** Needs `inbox:manage`, and goes with no other change. */
    delete: z.optional(z.literal(true)),
  })
  .check(
    z.refine(change => Object.keys(change).length > 0, 'Say what to change'),
    z.refine(change => !change.delete || Object.keys(change).length === 1, 'Change messages or delete them'),
  )
export type BulkChange = z.output<typeof BulkChange>

const version = z.number().check(z.int(), z.gte(1))

const Bulk = z.strictObject({
  ids: z.array(z.uuid('There is no such id')).check(
    z.minLength(1, 'Choose messages'),
    z.maxLength(MAX_BULK, `At most ${MAX_BULK} messages in one call`),
    z.overwrite(ids => [...new Set(ids)]),
  ),
  change: BulkChange,
  /** By id, what a message had when the caller saw it. One that somebody else has changed since is left as it is. */
  versions: z.optional(z.record(z.uuid(), version)),
  /** Gives back former values: without a snooze that has ended, and nobody has what its former assignee can no longer answer. */
  isUndo: z.optional(z.literal(true)),
})
export type Bulk = z.output<typeof Bulk>

const BulkUndo = z.object({
  id: z.string(),
  /** What the call has left the message with. */
  version,
  change: BulkChange,
})
export type BulkUndo = z.output<typeof BulkUndo>

const BulkResult = z.object({
  /** Those that now are as the change says. Each was changed in a transaction of its own. */
  changed: z.array(z.string()),
  /** Those that are as they were, each with what a call about it alone would have replied. */
  failed: z.array(z.object({ id: z.string(), status: z.number(), message: z.string() })),
  /** What gives each message that this call made different its former values again, for calls with `isUndo` and their versions. */
  undo: z.array(BulkUndo),
  /** Those of `changed` that nobody has because their former assignee can no longer answer: see `isUndo`. */
  unassigned: z.array(z.string()),
})
export type BulkResult = z.output<typeof BulkResult>

const FoundMessages = z.object({
  found: z.array(z.object({ id: z.string(), version })),
  /** Null at the end of the list only. */
  nextCursor: z.nullable(z.string()),
})
export type FoundMessages = z.output<typeof FoundMessages>

/** Calls of the inbox that concern many messages. */
export const bulk = {
  change: endpoint({
    method: 'POST',
    path: '/api/messages/bulk',
    access: 'inbox:answer',
    summary: 'Change or delete many messages; a repeat changes only what is left',
    bodyLimit: BULK_LIMIT,
    input: Bulk,
    reply: BulkResult,
  }),
  find: endpoint({
    method: 'GET',
    path: '/api/messages/ids',
    access: 'inbox:read',
    summary: 'Find the messages of a list, newest first, to change them together',
    input: z.strictObject({ ...filter, cursor: z.optional(z.uuid('There is no such page')) }),
    reply: FoundMessages,
  }),
}
