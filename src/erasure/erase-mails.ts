import { type SqlBool, sql } from 'kysely'
import { deleteAttachments, forgetContent } from '../attachments/store.server.ts'
import { firstIdAt } from '../database/id.ts'
import type { Database } from '../database/tables.ts'
import { addressesIn, comparableAddress, ERASED } from './addresses.ts'
import { eraseInConversation } from './excerpt.ts'
import { inPages } from './in-pages.ts'

/** Chunks of files that are read at a time: a few megabytes. */
const CHUNKS_AT_ONCE = 10
/** Characters of one chunk that may begin an address whose end is in the next one. */
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
 * Erases what somebody has written in the conversations of others, once their address is gone from it, and the whole mails and files
 * that name them. @param since only what was stored from then on @returns from how many mails
 */
export async function eraseMails(db: Database, isErased: IsErased, containing: string, since?: Date) {
  return (await eraseWords(db)) + (await eraseFiles(db, isErased, containing, since))
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
      const words = { from_name: '', subject: '', body_quoted: '', html: null }
      const change = { ...words, problem: SENDER_ERASED }
      await transaction.updateTable('inbound_mails').set(change).where('entry_id', '=', entry_id).execute()
      await deleteAttachments(transaction, { by: 'entry_id', ids: [entry_id] })
    })
  return rows.length
}

/** Deletes a whole mail, if it is kept, whose text is not what it was, or the name of one of its files. */
export async function deleteOriginal(db: Database, id: string): Promise<void> {
  const named = db.selectFrom('attachments').select('entry_id').where('id', '=', id)
  const entryId = (await named.executeTakeFirst())?.entry_id ?? id
  const deleted = await deleteAttachments(db, { by: 'entry_id', ids: [entryId], kind: 'original' })
  if (deleted === 0) return
  const mail = db.updateTable('inbound_mails').set({ problem: ORIGINAL_ERASED })
  await mail.where('entry_id', '=', entryId).execute()
}

/** Headers and texts that are not encoded. */
async function eraseFiles(db: Database, isErased: IsErased, containing: string, since?: Date) {
  let count = 0
  const chunks = db
    .selectFrom('blob_chunks')
    .selectAll()
    .$if(since !== undefined, query =>
      query.where(
        'sha256',
        'in',
        db
          .selectFrom('attachments')
          .select('sha256')
          // The last part of an upload may come long after its first.
          .where(eb => eb.or([eb('id', '>=', firstIdAt(since ?? new Date())), eb('kind', '=', 'draft')])),
      ),
    )
    .orderBy('id')
    .limit(CHUNKS_AT_ONCE)
  const read = (after: string) => chunks.where('id', '>', after).execute()
  let end = ''
  for await (const rows of inPages(read, row => row.id)) {
    for (const { id, sha256, body } of rows) {
      const chunk = Buffer.from(body, 'base64').toString('utf8')
      const text = id.endsWith('-0000') ? chunk : end + chunk
      end = chunk.slice(-OVERLAP)
      if (!text.toLowerCase().includes(containing.toLowerCase())) continue
      const named = addressesIn(text)
      for (const file of await attachmentsOf(db, sha256)) {
        const isOther = (address: string) => comparableAddress(address) !== comparableAddress(file.email)
        if (!named.some(address => isOther(address) && isErased(address, file.created_at))) continue
        // It has the file, too.
        await deleteOriginal(db, file.entry_id)
        if (file.kind !== 'original') await forgetContent(db, file.id)
        count += 1
      }
    }
    await new Promise(resolve => setImmediate(resolve))
  }
  return count
}

/** With the address whose message it belongs to. */
async function attachmentsOf(db: Database, sha256: string) {
  return await db
    .selectFrom('attachments')
    .innerJoin('messages', 'messages.id', 'attachments.message_id')
    .select(['attachments.id', 'entry_id', 'kind', 'attachments.created_at', 'messages.email'])
    .where('sha256', '=', sha256)
    .execute()
}
