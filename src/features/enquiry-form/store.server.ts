import { officeOf } from '../../content/office/office.ts'
import { answerBy } from '../../content/office/working-time.ts'
import type { SiteBody } from '../../content/site-body.ts'
import { newId } from '../../database/id.ts'
import { type Param, prepare } from '../../database/prepare.ts'
import type { Database, EnquiryRow } from '../../database/tables.ts'
import { type Clock, isoAfter } from '../../platform/clock.ts'
import type { Enquiry, FormType } from './contract.ts'

/** Another enquiry has this reference already. */
export class DuplicateReference extends Error {}

interface ReceivedEnquiry {
  readonly enquiry: Enquiry
  readonly formType: FormType
  readonly reference: string
  readonly verification: string
  /** Whose office hours say when the answer is due. */
  readonly site: SiteBody
  /** Names the conversation in the address to which it is answered; null while no mailbox is fetched. */
  readonly replyKey: string | null
}

/** Inserts the enquiry as unread. @returns its id. @throws {DuplicateReference} */
export async function insertEnquiry(db: Database, clock: Clock, received: ReceivedEnquiry): Promise<string> {
  const { enquiry, formType, reference, verification, site, replyKey } = received
  const now = clock()
  const id = newId(now)
  const { name, email, phone, service = null, message, details = {} } = enquiry
  const answers = Object.keys(details).length > 0 ? JSON.stringify(details) : null
  const written = { name, email, phone, service, message, details: answers }
  const { numAffectedRows } = await insertMessage(db, {
    id,
    reference,
    form_type: formType,
    ...written,
    is_read: 0,
    verification,
    created_at: now.toISOString(),
    due_at: answerBy(site, now)?.toISOString() ?? null,
    due_rule: officeOf(site).key,
    reply_key: replyKey,
  })
  if (numAffectedRows === 0n) throw new DuplicateReference()
  return id
}

const insertMessage = prepare((db, value: Param<EnquiryRow>) =>
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
      details: value('details'),
      due_at: value('due_at'),
      due_rule: value('due_rule'),
      reply_key: value('reply_key'),
    }),
)

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

export async function assignToDigest(db: Database, emailId: string): Promise<void> {
  await db.updateTable('digest_items').set({ email_id: emailId }).where('email_id', 'is', null).execute()
}
