import { type SqlBool, sql } from 'kysely'
import { isPostgres } from '../../../database/engine.ts'
import { type Param, prepare } from '../../../database/prepare.ts'
import type { Database } from '../../../database/tables.ts'
import { EXCERPT_LENGTH, type Message } from '../contract.ts'
import { parseDetails, tagsOf } from './store.server.ts'

/** A Unicode character has two units at most, and white space between words becomes one space. */
export const EXCERPT_SOURCE = 4 * EXCERPT_LENGTH

/** A message with the status of its email, and why that was not sent. */
export interface ShownMessage {
  readonly message: Message
  readonly letterError: string | null
}

/** The messages with these ids, in their order; those that are gone are left out. */
export async function selectMessages(db: Database, ids: readonly string[]): Promise<ShownMessage[]> {
  if (ids.length === 0) return []
  // In this order: newer tags of an older version are refused when they are changed, older ones of a newer version would win.
  const { rows } = await selectRows(db, { ids: JSON.stringify(ids) })
  const tags = await tagsOf(db, ids)
  const byId = new Map(rows.map(row => [row.id, row]))
  return ids.flatMap(id => {
    const row = byId.get(id)
    return row ? [{ message: toMessage(row, tags.get(id) ?? []), letterError: row.letter_error }] : []
  })
}

/** The ids are one JSON parameter, so that the SQL text is the same for any number of them. */
const selectRows = prepare((db, value: Param<{ ids: string }>) => {
  const isOneOf = isPostgres(db)
    ? sql<SqlBool>`messages.id = any(array(select json_array_elements_text(cast(${value('ids')} as json))))`
    : sql<SqlBool>`messages.id in (select value from json_each(${value('ids')}))`
  return selectWithNotification(db).where(isOneOf)
})

function selectWithNotification(db: Database) {
  return (
    db
      .selectFrom('messages')
      .leftJoin('outbox as notice', join =>
        join.onRef('notice.message_id', '=', 'messages.id').on('notice.kind', '=', 'notice'),
      )
      .leftJoin('digest_items as gathered', 'gathered.message_id', 'messages.id')
      .leftJoin('outbox as digest', 'digest.id', 'gathered.email_id')
      .leftJoin('messages as target', 'target.id', 'messages.merged_into')
      .leftJoin('users as assignee', 'assignee.id', 'messages.assignee_id')
      // Named one by one: PostgreSQL rejects a prepared `select *` after a newer node has added a column.
      .select([
        'messages.id',
        'messages.reference',
        'messages.form_type',
        'messages.name',
        'messages.email',
        'messages.phone',
        'messages.service',
        'messages.message',
        'messages.details',
        'messages.is_read',
        'messages.verification',
        'messages.created_at',
        'messages.status',
        'messages.assignee_id',
        'assignee.name as assignee_name',
        'messages.snoozed_until',
        'messages.due_at',
        'messages.excerpt',
        'messages.last_activity_at',
        'messages.version',
        'target.id as merged_into',
      ])
      .select(eb => [
        eb.fn.coalesce('notice.state', 'digest.state', waitingForDigest).as('letter'),
        eb.fn.coalesce('notice.last_error', 'digest.last_error').as('letter_error'),
        eb
          .selectFrom('attachments')
          .select(({ fn }) => fn.countAll<number | string>().as('count'))
          .whereRef('attachments.message_id', '=', 'messages.id')
          .where('attachments.kind', '=', 'file')
          .as('files'),
      ])
  )
}

/** A message that is assigned to a digest counts as waiting before the digest is written. */
const waitingForDigest = sql<
  'waiting' | null
>`case when gathered.message_id is null then null else 'waiting' end`

type Row = Awaited<ReturnType<ReturnType<typeof selectWithNotification>['execute']>>[number]

function toMessage(row: Row, tags: string[]): Message {
  const { id, reference, name, email, phone, service, message, verification, letter, status, version } = row
  const { assignee_id, assignee_name } = row
  return {
    ...{ id, reference, name, email, phone, service, message, verification, letter, status, version, tags },
    details: parseDetails(row.details),
    formType: row.form_type,
    isRead: row.is_read === 1,
    createdAt: row.created_at,
    assignee:
      assignee_id !== null && assignee_name !== null ? { id: assignee_id, name: assignee_name } : null,
    snoozedUntil: row.snoozed_until,
    dueAt: row.due_at,
    excerpt: excerptOf(row.excerpt ?? message),
    ...(Number(row.files) > 0 && { files: Number(row.files) }),
    lastActivityAt: row.last_activity_at ?? row.created_at,
    ...(row.merged_into !== null && { mergedInto: row.merged_into }),
  }
}

/** The beginning of a text, on one line. */
export function excerptOf(text: string): string {
  const line = text.slice(0, EXCERPT_SOURCE).replace(/\s+/gu, ' ').trim()
  return [...line].slice(0, EXCERPT_LENGTH).join('').toWellFormed()
}
