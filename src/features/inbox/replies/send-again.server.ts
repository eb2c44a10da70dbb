import * as z from 'zod/mini'
import { readAttachments } from '../../../attachments/store.server.ts'
import type { EntryRow } from '../../../database/conversation-tables.ts'
import { isPostgres } from '../../../database/engine.ts'
import type { MessageRow } from '../../../database/tables.ts'
import type { Transaction } from '../../../database/transaction.ts'
import { type Email, recipientsOf } from '../../../mail/email.ts'
import type { Services } from '../../../services.ts'
import { CONSUMER_GUIDE_SENT } from '../conversation/contract.ts'
import { composeReply, readSigner, type WrittenReply } from './reply.server.ts'

interface Failed extends Pick<WrittenReply, 'values' | 'mailbox'> {
  readonly message: MessageRow
  readonly entry: EntryRow
  /** What the outbox has of it. */
  readonly email: string
}

const Addresses = z.array(z.string())

/**
 * The email of a failed reply. One that was sent and came back is written again from its entry, with the same Message-ID: of what was
 * sent nothing is left but who has not got it.
 */
export async function restoreEmail(
  services: Pick<Services, 'config' | 'content' | 'emailSignature'>,
  transaction: Transaction,
  { message, entry, email, values, mailbox }: Failed,
): Promise<Email> {
  const { text, ...left }: Email = JSON.parse(email || '{}')
  if (text !== undefined) return { ...left, text }
  const cc = entry.cc === null ? [] : Addresses.parse(JSON.parse(entry.cc))
  const { mail_id: messageId } = await transaction
    .selectFrom('mail_ids')
    .select('mail_id')
    .where('entry_id', '=', entry.id)
    .executeTakeFirstOrThrow()
  const signer = await readSigner(transaction, entry.author_id)
  const isQuoting = cc.length === 0 && entry.detail !== CONSUMER_GUIDE_SENT
  const files = (await readAttachments(transaction, [entry.id])).get(entry.id) ?? []
  const attachments = files.map(({ id }) => id)
  const written = { body: entry.body, cc, attachments, signer, messageId, isQuoting, values, mailbox }
  return { ...(await composeReply(services, transaction, message, written)), ...left }
}

/**
 * A reply that has not reached the visitor, written to another address of theirs. Nobody gets it twice: who has had a copy at
 * that address is left out.
 */
export function readdress(email: Email, to: string): Email {
  const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
  const { cc = [], lacking } = email
  const isOut = !recipientsOf(email).some(address => isSame(address, email.to))
  if (email.to === to || isOut) return email
  const copies = cc.filter(address => !isSame(address, to))
  const hasCopy = copies.length < cc.length && !lacking?.some(address => isSame(address, to))
  const others = lacking?.filter(address => !isSame(address, email.to) && !isSame(address, to))
  return {
    ...email,
    to,
    cc: copies,
    ...(others && { lacking: hasCopy ? others : [to, ...others] }),
  }
}

/** Writes the replies that wait to the new address of a visitor. One that a dispatcher has is on its way, and stays as it is. */
export async function readdressWaiting(
  transaction: Transaction,
  messageIds: readonly string[],
  { old, email }: { readonly old: string; readonly email: string },
): Promise<void> {
  const waiting = await transaction
    .selectFrom('outbox')
    .select(['id', 'email'])
    .where('message_id', 'in', messageIds)
    .where('kind', '=', 'reply')
    .where('state', '=', 'waiting')
    .where('leased_until', 'is', null)
    .$if(isPostgres(transaction), query => query.forUpdate())
    .execute()
  for (const row of waiting) {
    const reply: Email = JSON.parse(row.email)
    if (reply.to.toLowerCase() !== old.toLowerCase()) continue
    const change = transaction.updateTable('outbox').set({ email: JSON.stringify(readdress(reply, email)) })
    await change.where('id', '=', row.id).execute()
  }
}
