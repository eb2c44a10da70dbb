import { type Clock, isoAfter } from '../../clock.ts'
import { newId } from '../../database/id.ts'
import { type Param, prepare } from '../../database/prepare.ts'
import type { Database, MessageRow, StoredReplyRow } from '../../database/tables.ts'
import type { Enquiry, FormType, Received } from './contract.ts'

/** Another enquiry has this reference already. */
export class DuplicateReference extends Error {}

/** Inserts the enquiry as unread. @returns its id. @throws {DuplicateReference} */
export async function insertEnquiry(
  db: Database,
  clock: Clock,
  {
    enquiry,
    formType,
    reference,
    verification,
  }: { enquiry: Enquiry; formType: FormType; reference: string; verification: string },
): Promise<string> {
  const id = newId(clock())
  const { name, email, phone, service = null, message } = enquiry
  const written = { name, email, phone, service, message }
  const { numAffectedRows } = await insertMessage(db, {
    id,
    reference,
    form_type: formType,
    ...written,
    is_read: 0,
    verification,
    created_at: isoAfter(clock),
  })
  if (numAffectedRows === 0n) throw new DuplicateReference()
  return id
}

const insertMessage = prepare((db, value: Param<MessageRow>) =>
  db
    .insertInto('messages')
    .onConflict(conflict => conflict.column('reference').doNothing())
    .values({
      id: value('id'),
      reference: value('reference'),
      form_type: value('form_type'),
      name: value('name'),
      email: value('email'),
      phone: value('phone'),
      service: value('service'),
      message: value('message'),
      is_read: value('is_read'),
      verification: value('verification'),
      created_at: value('created_at'),
    }),
)

interface RepliedRequest {
  readonly key: string
  readonly requestHash: string
  readonly reply: Received
  /** Milliseconds for which a repeat gets the same reply. */
  readonly lifetime: number
}

/**
 * Claims a key for this request, in the transaction that does its work. Of several concurrent requests one gets it; the
 * others wait and then find its reply. @returns whether the key was free.
 */
export async function claimKey(
  db: Database,
  clock: Clock,
  { key, requestHash, reply, lifetime }: RepliedRequest,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await insertOrReplaceExpired(db, {
    key,
    request_hash: requestHash,
    reply: JSON.stringify(reply),
    now: isoAfter(clock),
    expires_at: isoAfter(clock, lifetime),
  })
  return numAffectedRows > 0n
}

interface NewReply extends StoredReplyRow {
  readonly now: string
}

const insertOrReplaceExpired = prepare((db, value: Param<NewReply>) =>
  db
    .insertInto('idempotency_keys')
    .values({
      key: value('key'),
      request_hash: value('request_hash'),
      reply: value('reply'),
      expires_at: value('expires_at'),
    })
    .onConflict(conflict =>
      conflict
        .column('key')
        .doUpdateSet(eb => ({
          request_hash: eb.ref('excluded.request_hash'),
          reply: eb.ref('excluded.reply'),
          expires_at: eb.ref('excluded.expires_at'),
        }))
        .where('idempotency_keys.expires_at', '<=', value('now')),
    ),
)

/** The stored reply of a key, unless it has expired. */
export async function findReply(db: Database, clock: Clock, key: string) {
  const { rows } = await selectReply(db, { key, now: isoAfter(clock) })
  return rows[0]
}

const selectReply = prepare((db, value: Param<{ key: string; now: string }>) =>
  db
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'reply'])
    .where('key', '=', value('key'))
    .where('expires_at', '>', value('now')),
)

/** Deletes expired keys and their replies. */
export async function deleteExpiredKeys(db: Database, clock: Clock): Promise<void> {
  await db.deleteFrom('idempotency_keys').where('expires_at', '<=', isoAfter(clock)).execute()
}

/** Adds this message to the next digest. */
export async function addDigestItem(db: Database, clock: Clock, messageId: string): Promise<void> {
  await db
    .insertInto('digest_items')
    .values({ message_id: messageId, email_id: null, created_at: isoAfter(clock) })
    .execute()
}

/** When the first message of the next digest was added, as ISO time; undefined when there is none. */
export async function oldestDigestItem(db: Database): Promise<string | undefined> {
  const row = await db
    .selectFrom('digest_items')
    .select('created_at')
    .where('email_id', 'is', null)
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst()
  return row?.created_at
}

/** The references of all messages in the next digest, oldest first. */
export async function listDigestItems(db: Database): Promise<string[]> {
  const rows = await db
    .selectFrom('digest_items')
    .innerJoin('messages', 'messages.id', 'digest_items.message_id')
    .select('messages.reference')
    .where('email_id', 'is', null)
    .orderBy('messages.id')
    .execute()
  return rows.map(({ reference }) => reference)
}

/** Assigns all waiting messages to the digest with this email id. */
export async function assignToDigest(db: Database, emailId: string): Promise<void> {
  await db.updateTable('digest_items').set({ email_id: emailId }).where('email_id', 'is', null).execute()
}
