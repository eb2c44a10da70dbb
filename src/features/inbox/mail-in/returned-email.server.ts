import * as z from 'zod/mini'
import { canonicalEmail } from '../../../auth/staff-email.ts'
import type { OutboxRow } from '../../../database/tables.ts'
import type { Transaction } from '../../../database/transaction.ts'
import type { Email } from '../../../mail/email.ts'
import { type Clock, isoAfter } from '../../../platform/clock.ts'
import type { Services } from '../../../services.ts'
import { recipientHash } from '../acknowledgements/acknowledge.server.ts'
import { reopenAfterFailure } from '../replies/undo-reply.server.ts'
import type { DeliveryReport } from './parsed-mail.ts'

const Copies = z.array(z.string())

/**
 * Records that an email came back: it counts as failed, and its recipient gets no automatic email for a while. Anybody can write
 * a report, so it must name the email by a Message-ID that only those know who got it, and somebody whom it was sent to.
 * @returns the message that the email belongs to; null for a report about anything else
 */
export async function recordReturn(
  { keys, content }: Pick<Services, 'keys' | 'content'>,
  { transaction, clock }: { readonly transaction: Transaction; readonly clock: Clock },
  report: DeliveryReport,
): Promise<string | null> {
  for (const email of await findEmails(transaction, report.emails)) {
    const failed = report.failed.filter(({ address }) => email.recipients.includes(address))
    if (failed.length === 0) continue
    const found = transaction.selectFrom('outbox').selectAll().where('id', '=', email.entryId)
    const row = await found.where('state', 'in', ['sent', 'failed']).executeTakeFirst()
    if (row)
      await markReturned({ content }, { transaction, clock }, row, email.left(failed), describe(failed))
    for (const { address } of failed) await pause(transaction, clock, recipientHash(keys, address))
    return email.messageId
  }
  return null
}

type Left = Pick<Email, 'to' | 'cc'> & { readonly lacking: readonly string[] }

/** What was sent is gone. Who has not got it is kept, for who sends it again: one after the other may come back. */
async function markReturned(
  services: Pick<Services, 'content'>,
  { transaction, clock }: { readonly transaction: Transaction; readonly clock: Clock },
  row: OutboxRow,
  left: Left,
  words: string,
) {
  const before: Partial<Email> = JSON.parse(row.email || '{}')
  const lacking = [...new Set([...(before.lacking ?? []), ...left.lacking])]
  // First, as for any email that fails.
  if (row.state === 'sent') await reopenAfterFailure(transaction, { clock, ...services }, row)
  // All that is known of one that nobody has got is that it failed.
  else if (!before.lacking) return
  const last_error = row.state === 'sent' ? words : `${row.last_error} ${words}`.slice(0, 1000)
  const failed = { state: 'failed', last_error, due_at: isoAfter(clock) } as const
  const email = JSON.stringify({ ...left, ...before, lacking })
  await transaction
    .updateTable('outbox')
    .set({ ...failed, email })
    .where('id', '=', row.id)
    .execute()
}

/** Those of the Message-IDs that are emails of ours, with all whom they were sent to. */
async function findEmails(transaction: Transaction, mailIds: readonly string[]) {
  if (mailIds.length === 0) return []
  const rows = await transaction
    .selectFrom('mail_ids')
    .innerJoin('messages', 'messages.id', 'mail_ids.message_id')
    .innerJoin('entries', 'entries.id', 'mail_ids.entry_id')
    .select(['mail_ids.message_id', 'mail_ids.entry_id', 'messages.email', 'entries.cc'])
    .where('mail_ids.mail_id', 'in', mailIds)
    // What came has one.
    .where('mail_ids.content_hash', 'is', null)
    .execute()
  return rows.map(({ message_id: messageId, entry_id: entryId, email: to, cc }) => {
    const copies = cc === null ? [] : Copies.parse(JSON.parse(cc))
    const all = [to, ...copies]
    const left = (failed: DeliveryReport['failed']) => {
      const names = new Set(failed.map(({ address }) => address))
      return { to, cc: copies, lacking: all.filter(address => names.has(canonicalEmail(address))) }
    }
    return { messageId, entryId, recipients: all.map(canonicalEmail), left }
  })
}

/** For staff: who did not get it, and what their server says. */
function describe(failed: DeliveryReport['failed']): string {
  const said = failed.map(({ address, status, words }) => {
    const reason =
      REASONS.find(([pattern]) => pattern.test(status))?.[1] ?? 'the server of the recipient refused it'
    return `${address}: ${reason} (${[status, words].filter(Boolean).join(', ')})`
  })
  return `It came back. ${said.join('; ')}`.slice(0, 1000)
}

const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^5\.1\.[01236]$/, 'there is no such address'],
  [/^5\.1\.10$/, 'there is no such address'],
  [/^5\.2\.1$/, 'the mailbox takes no mail'],
  [/^5\.2\.2$/, 'the mailbox is full'],
  [/^5\.2\.3$/, 'the email was too large'],
  [/^5\.3\.4$/, 'the email was too large'],
  [/^5\.4\./, 'the server of the recipient could not be reached'],
  [/^5\.7\./, 'the server of the recipient refused it as unwanted'],
]

async function pause(transaction: Transaction, clock: Clock, address_hash: string) {
  const reported_at = isoAfter(clock)
  await transaction
    .insertInto('undeliverable')
    .values({ address_hash, reported_at })
    .onConflict(conflict => conflict.column('address_hash').doUpdateSet({ reported_at }))
    .execute()
}
