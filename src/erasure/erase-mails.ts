import { type SqlBool, sql } from 'kysely'
import type { Database } from '../database/tables.ts'
import { addressesIn, comparableAddress, ERASED } from './addresses.ts'
import { eraseInConversation } from './excerpt.ts'
import { inPages } from './in-pages.ts'

/** Parts of whole mails that are read at a time: a few megabytes. */
const PARTS_AT_ONCE = 10
/** Characters of one part that may begin an address whose end is in the next one. */
const OVERLAP = 330
const ORIGINAL_ERASED = 'Somebody who is named in this mail was erased, so the original is gone.'

const SENDER_ERASED = 'Its sender was erased.'

/** As in `mentions.ts`. */
type IsErased = (address: string, time: string) => boolean

/** Mails that were stored since a time. Their ids may be older: those of what began a conversation are of when it came. */
export function receivedSince(time: string) {
  return sql<SqlBool>`entry_id in (select entry_id from mail_ids where created_at >= ${time})`
}

/**
 * Erases what somebody has written in the conversations of others, once their address is gone from it, and the whole mails that
 * name them. @param since only what was stored from then on @returns from how many mails
 */
export async function eraseMails(db: Database, isErased: IsErased, containing: string, since?: Date) {
  return (await eraseWords(db)) + (await eraseOriginals(db, isErased, containing, since))
}

/**
 * The sender is erased: so are the words. What began a conversation is its message, which stays where staff have corrected its
 * address: somebody else may have answered by now.
 */
async function eraseWords(db: Database): Promise<number> {
  const mails = db
    .selectFrom('inbound_mails')
    .select(['entry_id', 'message_id'])
    .where('from_address', '=', ERASED)
  const written = mails.where(eb => eb.or([eb('problem', 'is', null), eb('problem', '!=', SENDER_ERASED)]))
  const rows = await written.execute()
  for (const { entry_id, message_id } of rows)
    await eraseInConversation(db, message_id, async transaction => {
      await transaction.updateTable('entries').set({ body: ERASED }).where('id', '=', entry_id).execute()
      const begun = transaction.updateTable('messages').set({ name: ERASED, message: ERASED })
      if (entry_id === message_id) await begun.where('id', '=', message_id).execute()
      const words = { from_name: '', subject: '', body_quoted: '', html: null, attachments: '[]' }
      const change = { ...words, problem: SENDER_ERASED }
      await transaction.updateTable('inbound_mails').set(change).where('entry_id', '=', entry_id).execute()
      await deleteOriginal(transaction, entry_id)
    })
  return rows.length
}

/** Deletes a whole mail, if it is kept, whose text is not what it was. */
export async function deleteOriginal(db: Database, entryId: string): Promise<void> {
  const parts = db.deleteFrom('inbound_raw').where('id', '>=', `${entryId}-`).where('id', '<', `${entryId}.`)
  const { numDeletedRows } = await parts.executeTakeFirst()
  if (numDeletedRows === 0n) return
  const mail = db.updateTable('inbound_mails').set({ problem: ORIGINAL_ERASED })
  await mail.where('entry_id', '=', entryId).execute()
}

/** Headers and texts that are not encoded. */
async function eraseOriginals(db: Database, isErased: IsErased, containing: string, since?: Date) {
  const named = new Set<string>()
  const all = db
    .selectFrom('inbound_raw')
    .innerJoin('messages', 'messages.id', 'inbound_raw.message_id')
    .leftJoin('inbound_mails', join =>
      join.on('inbound_mails.entry_id', '=', sql<string>`substr(inbound_raw.id, 1, 36)`),
    )
    .select(['inbound_raw.id', 'inbound_raw.body', 'messages.email', 'inbound_mails.mailbox_time'])
    .$if(since !== undefined, query =>
      query.where(sql<SqlBool>`substr(inbound_raw.id, 1, 36) in
        (select entry_id from mail_ids where created_at >= ${since?.toISOString() ?? ''})`),
    )
    .orderBy('inbound_raw.id')
    .limit(PARTS_AT_ONCE)
  const read = (after: string) => all.where('inbound_raw.id', '>', after).execute()
  let end = ''
  for await (const rows of inPages(read, row => row.id)) {
    for (const { id, body, email, mailbox_time } of rows) {
      const part = Buffer.from(body, 'base64').toString('utf8')
      const text = id.endsWith('-0000') ? part : end + part
      end = part.slice(-OVERLAP)
      if (!text.toLowerCase().includes(containing.toLowerCase())) continue
      const isOther = (address: string) => comparableAddress(address) !== comparableAddress(email)
      if (addressesIn(text).some(address => isOther(address) && isErased(address, mailbox_time ?? '')))
        named.add(id.slice(0, 36))
    }
    await new Promise(resolve => setImmediate(resolve))
  }
  for (const entryId of named) await deleteOriginal(db, entryId)
  return named.size
}
