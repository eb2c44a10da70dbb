import { z } from 'zod'
import type { Source } from '../backup/row-snapshot.ts'
import type { Database, ErasedRow } from '../database/tables.ts'
import { inTransaction, type Transaction } from '../database/transaction.ts'
import { isoAfter } from '../platform/clock.ts'
import type { NamedKey } from '../platform/keys.ts'
import { addressesIn } from './addresses.ts'
import { hashErased, insertErased, MAX_DELAY } from './erased-list.ts'
import { AT_ONCE, inPages, parseRows } from './in-pages.ts'
import { deleteStoredReplies, eraseMentions, findReplyKeys, redactNames } from './mentions.ts'
import { deleteMergeEvents, deleteMessages, findMergeEvents } from './with-merged.ts'

/** Counts of what was erased again. */
export type ErasedAgain = Awaited<ReturnType<typeof eraseAgain>>

interface Options {
  /** The list of the database that the restored one replaces. */
  readonly since: readonly ErasedRow[]
  readonly keys: readonly NamedKey[]
  /** Continues although a part of the list cannot be read. */
  readonly isForced: boolean
  /** When the database that is restored was left, in ISO 8601: when its backup was made. Without it, that is not known. */
  readonly madeAt?: string
}

const Erased = z.object({
  hash: z.string(),
  kind: z.enum(['message', 'email', 'address', 'expired', 'mail']),
  key_id: z.string(),
  erased_at: z.string(),
})

/** The migration that created the list. */
const FIRST_WITH_LIST = '0013-erased'
/** Identifies a person in a log entry without their address: the id of a message, or a reference. */
const NAMES = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|LF-[\w-]+/gi

/** Looks rows up in the list of erasures. */
type Recogniser = ReturnType<typeof recognise>

/** What the deleted messages were called. */
interface Deleted {
  emails: number
  readonly ids: string[]
  readonly references: Set<string>
  /** Ids and references of what came from an address that was erased. */
  readonly ofPersons: Set<string>
}

/** Deletes from a restored database what was deleted or erased since its backup was made, in one transaction. */
export async function eraseAgain(db: Database, options: Options) {
  const { since, keys, isForced } = options
  return await inTransaction(db, async transaction => {
    const own = await transaction.selectFrom('erased').selectAll().execute()
    await insertErased(transaction, since)
    // It may have expired by a wrong clock. What comes back and is too old is deleted by the next run of the retention.
    await transaction.deleteFrom('erased').where('kind', '=', 'expired').execute()
    const list = await transaction.selectFrom('erased').selectAll().execute()
    // What they erased cannot be recognised.
    const unreadable = countUnreadable(list, keys)
    if (unreadable > 0 && !isForced)
      throw new Error(
        `${unreadable} entries of the list of what was erased were made with another secret key, so it would come back. Put the secret key of then into DATA_DIR, or into SECRET_KEY or SECRET_KEY_OLD; --keep-erased restores all the same.`,
      )
    const recogniser = recognise(list, own, options)
    const deleted = await deleteErased(transaction, recogniser)
    await deleteMergeEvents(transaction, await findMergeEvents(transaction, [...deleted.references]))
    const replyKeys = await findReplyKeys(transaction, deleted.references)
    const replies = await deleteStoredReplies(transaction, replyKeys)
    const mentions = await eraseMentions(transaction, recogniser.isErasedAddress)
    const entries = await deleteEntries(transaction, recogniser, deleted.ofPersons)
    return { messages: deleted.ids.length, emails: deleted.emails, replies, mentions, ...entries, unreadable }
  })
}

function countUnreadable(list: readonly ErasedRow[], keys: readonly NamedKey[]): number {
  const known = new Set(keys.map(({ id }) => id))
  return list.filter(row => !known.has(row.key_id)).length
}

/**
 * Each key may have an entry of its own, and the latest time counts.
 *
 * The clocks that wrote these times may have been wrong, but the order is known: an erasure that the backup has was over
 * when it was made, so what it has from that address came later; one that it does not have came after all of it.
 * @param list with what was erased since the backup @param own of the backup alone
 */
function recognise(list: readonly ErasedRow[], own: readonly ErasedRow[], { keys, madeAt }: Options) {
  const before = new Map(own.map(({ hash, erased_at }) => [hash, erased_at]))
  const listed = new Map(list.map(({ hash, erased_at }) => [hash, erased_at]))
  const erased = new Map(list.map(({ hash, erased_at }) => [hash, timeOf(hash, erased_at)]))

  /** When an erasure counts as done; '' for never. */
  function timeOf(hash: string, erased_at: string): string {
    if (madeAt === undefined) return erased_at
    if (before.get(hash) !== erased_at) return erased_at > madeAt ? erased_at : madeAt
    return erased_at > madeAt ? '' : erased_at
  }

  const hashesOf = (kind: ErasedRow['kind'], text: string) => keys.map(key => hashErased(key, kind, text))
  const erasedAt = (kind: ErasedRow['kind'], text: string) =>
    hashesOf(kind, text)
      .flatMap(hash => erased.get(hash) ?? [])
      .sort()
      .at(-1)
  return {
    isErasedMessage: (id: string) => erasedAt('message', id) !== undefined,
    /** Whether an address was erased after the backup was made, so that its messages are still there. */
    isErasedSince: (email: string) =>
      hashesOf('address', email).some(hash => erased.has(hash) && before.get(hash) !== listed.get(hash)),
    /** A person who writes again after their erasure is kept. */
    isErasedAddress: (email: string, time: string) => (erasedAt('address', email) ?? '') >= time,
  }
}

async function deleteErased(
  db: Transaction,
  { isErasedMessage, isErasedSince, isErasedAddress }: Recogniser,
): Promise<Deleted> {
  const deleted: Deleted = { emails: 0, ids: [], references: new Set(), ofPersons: new Set() }
  const all = db.selectFrom('messages').select(['id', 'email', 'reference', 'created_at'])
  const read = (after: string) => all.where('id', '>', after).orderBy('id').limit(AT_ONCE).execute()
  for await (const rows of inPages(read, row => row.id)) {
    const ids: string[] = []
    for (const { id, email, reference, created_at } of rows) {
      const isOfPerson = isErasedAddress(email, created_at)
      // The erasure named by its id what came shortly before, so the rest of that came while it ran, and stayed.
      const laterThan = isoAfter(() => new Date(created_at), MAX_DELAY)
      const isKept = !isErasedSince(email) || !isErasedAddress(email, laterThan)
      if (isKept && !isErasedMessage(id)) continue
      ids.push(id)
      deleted.references.add(reference)
      if (isOfPerson) for (const name of [id, reference]) deleted.ofPersons.add(name.toLowerCase())
    }
    if (ids.length === 0) continue
    deleted.ids.push(...ids)
    const emails = db.selectFrom('outbox').select('id').where('message_id', 'in', ids)
    deleted.emails += (await emails.execute()).length
    await deleteMessages(db, () => new Date(), ids)
  }
  return deleted
}

/** Deletes entries of the person's own actions. Entries of staff stay, without the person's name. */
async function deleteEntries(db: Database, { isErasedAddress }: Recogniser, ofPersons: ReadonlySet<string>) {
  const counts = { deletedEntries: 0, redactedEntries: 0 }
  const all = db.selectFrom('logs').select(['id', 'message', 'details', 'user_id', 'created_at'])
  const read = (after: string) => all.where('id', '>', after).orderBy('id').limit(AT_ONCE).execute()
  for await (const rows of inPages(read, row => row.id))
    for (const { id, message, details, user_id, created_at } of rows) {
      const text = `${message} ${details}`
      const addresses = addressesIn(text).filter(address => isErasedAddress(address, created_at))
      const others = (text.match(NAMES) ?? []).filter(name => ofPersons.has(name.toLowerCase()))
      const names = [...new Set([...addresses, ...others])]
      if (names.length === 0) continue
      counts[user_id === null ? 'deletedEntries' : 'redactedEntries']++
      if (user_id === null) await db.deleteFrom('logs').where('id', '=', id).execute()
      else
        await db
          .updateTable('logs')
          .set(redactNames({ message, details }, names))
          .where('id', '=', id)
          .execute()
    }
  return counts
}

/** Reads the erase-again list of a database that may have an earlier schema. */
export async function readErasedList(source: Source): Promise<ErasedRow[]> {
  if (source.migration < FIRST_WITH_LIST) return []
  return await parseRows(source.rows({ name: 'erased', key: ['hash'] }), Erased)
}
