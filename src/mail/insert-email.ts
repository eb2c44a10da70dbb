import { type Clock, isoAfter } from '../clock.ts'
import { newId } from '../database/id.ts'
import { type Param, prepare } from '../database/prepare.ts'
import type { Database, OutboxRow } from '../database/tables.ts'
import type { Email } from './email.ts'

/** What an email is about. Null: an account. */
export type Subject =
  | { readonly kind: 'notice'; readonly messageId: string }
  | { readonly kind: 'digest' }
  /** Its id is that of its entry, and until `dueAt` it can be undone. */
  | { readonly kind: 'reply'; readonly id: string; readonly messageId: string; readonly dueAt: string }
  /** Its id is that of its entry. */
  | { readonly kind: 'acknowledgement'; readonly id: string; readonly messageId: string }
  | null

/** Adds an email to the outbox. @returns its id. */
export async function insertEmail(db: Database, clock: Clock, email: Email, about: Subject): Promise<string> {
  const row = newRow(email, about, clock)
  await insertRow(db, row)
  return row.id
}

const insertRow = prepare((db, value: Param<OutboxRow>) =>
  db.insertInto('outbox').values({
    id: value('id'),
    kind: value('kind'),
    message_id: value('message_id'),
    email: value('email'),
    state: value('state'),
    attempts: value('attempts'),
    due_at: value('due_at'),
    leased_until: value('leased_until'),
    last_error: value('last_error'),
    created_at: value('created_at'),
    sent_at: value('sent_at'),
  }),
)

function newRow(email: Email, about: Subject, clock: Clock): OutboxRow {
  const now = isoAfter(clock)
  return {
    id: about && 'id' in about ? about.id : newId(clock()),
    kind: about?.kind ?? 'account',
    message_id: about && 'messageId' in about ? about.messageId : null,
    email: JSON.stringify(email),
    state: 'waiting',
    attempts: 0,
    due_at: about?.kind === 'reply' ? about.dueAt : now,
    leased_until: null,
    last_error: null,
    created_at: now,
    sent_at: null,
  }
}
