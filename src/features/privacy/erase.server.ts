import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { countAttachments } from '../../attachments/store.server.ts'
import type { Config } from '../../config.ts'
import { firstIdAt } from '../../database/id.ts'
import { sqliteFile } from '../../database/open.ts'
import { vacuum } from '../../database/sqlite/vacuum.ts'
import type { Database, LogRow } from '../../database/tables.ts'
import { inTransaction, type Transaction } from '../../database/transaction.ts'
import { comparableAddress, partOfAddress } from '../../erasure/addresses.ts'
import { hashErased, ID, MAX_DELAY } from '../../erasure/erased-list.ts'
import { AT_ONCE, inPages } from '../../erasure/in-pages.ts'
import {
  deleteStoredReplies,
  eraseMentions,
  eraseNewMentions,
  findReplyKeys,
} from '../../erasure/mentions.ts'
import { deleteMergeEvents, findApart, findMergeEvents } from '../../erasure/with-merged.ts'
import { isoAfter } from '../../platform/clock.ts'
import type { NamedKey } from '../../platform/keys.ts'
import type { Services } from '../../services.ts'
import { WRITE_DELAY } from '../logs/database-sink.server.ts'
import { findFiles } from './held-data.server.ts'
import * as store from './store.server.ts'

type Needed = Pick<Services, 'db' | 'clock' | 'log' | 'config' | 'erased' | 'mailboxSweep' | 'keys'>

/**
 * Erases everything that came from an address: its messages, and the emails and log entries about them, in one transaction.
 * Before that, and once more after it, the address is removed from the conversations with others, text by text, because that
 * searches whole tables. Run it again after a failure; in the end there is nothing left to erase.
 * What is merged with it but came from another address stays, as a message of its own: decision 051.
 * @param reference names the erasure in the record and in the log @throws {NotOffered}
 */
export async function erasePerson(services: Needed, email: string, reference: string, options: Options = {}) {
  const { db, mailboxSweep, config } = services
  const found = await find(services, email, options)
  const { deleted, ...erased } = await inTransaction(db, it =>
    erase(services, it, found, { reference, ...options }),
  )
  for (const file of found.files) await rm(file, { force: true })
  const late = await eraseLate(services, found, deleted)
  const swept = await mailboxSweep.run()
  return {
    ...erased,
    replies: erased.replies + late.replies,
    mentions: erased.mentions + late.mentions,
    deletedEntries: erased.deletedEntries + late.deletedEntries,
    redactedEntries: erased.redactedEntries + late.redactedEntries,
    files: erased.files + swept,
    /** Whether nothing is left in the free space of the database; while another process reads or writes, something may be. */
    isRewritten: options.isServing ? false : await rewriteFile(config),
  }
}

interface Options {
  /** Gets the number of searched log entries; what it throws ends the work before anything is erased. */
  readonly onProgress?: (entries: number) => void
  /** References of messages from another address that are merged with those of the person and are the person's, too. */
  readonly include?: readonly string[]
  /** Called once nobody else can change the messages. What it throws leaves them as they are. */
  readonly assertMay?: (transaction: Transaction) => Promise<void>
  /** Leaves the file of a database that others are using: the text is overwritten all the same. */
  readonly isServing?: true
}

/** Searches for what the transaction then deletes; mentions go at once. */
async function find(
  { db, clock, config, keys }: Needed,
  email: string,
  { onProgress = () => {}, include = [] }: Options,
) {
  const begun = clock()
  const ofBefore = await findUnfinished(db, keys.erased, email)
  const own = await store.findMessagesFrom(db, email)
  const { chosen } = await store.findMergedApart(db, own, include)
  const known = [email, ...ofBefore, ...namesOf([...own, ...chosen])]
  const oldEntries = await store.findEntriesWith(db, known, onProgress)
  const files = await findFiles(join(config.dataDir, 'mail'), known)
  const isMention = (address: string) => comparableAddress(address) === comparableAddress(email)
  const part = partOfAddress(email)
  const mentions = await eraseMentions(db, isMention, part)
  // That took a while. What came meanwhile goes as well; what is not found now comes later, and stays.
  const moment = clock()
  const messages = [...(await store.findMessagesFrom(db, email)), ...chosen]
  const ids = messages.map(({ id }) => id)
  const names = union(known, namesOf(messages))
  const newEntries = await store.findEntriesWith(db, names, () => {}, idToSearchFrom(known, names, begun))
  return {
    ...{ email, begun, moment, ids, names, files, isMention, part, mentions },
    emails: await store.countEmailsAbout(db, ids),
    /** References of what is merged with it but came from another address, which stays. */
    leftOut: (await findApart(db, ids)).map(({ reference }) => reference),
    // Each once, as it was read last.
    entries: [...new Map([...oldEntries, ...newEntries].map(entry => [entry.id, entry])).values()],
    replyKeys: await findReplyKeys(db, new Set(names)),
    mergeEvents: await findMergeEvents(db, names),
  }
}

type Found = Awaited<ReturnType<typeof find>>

/** Searches nothing: on SQLite nobody else writes meanwhile. */
async function erase(
  { clock, log, erased: list }: Needed,
  transaction: Transaction,
  found: Found,
  { reference, assertMay }: Pick<Options, 'assertMay'> & { readonly reference: string },
) {
  const deleted = await store.lockMessages(transaction, found.ids)
  await assertMay?.(transaction)
  await list.addAddress(transaction, found.email, found.moment)
  const ids = deleted.map(({ id }) => id)
  await list.addMessages(transaction, ids, found.moment)
  const attachments = await countAttachments(transaction, ids)
  await store.eraseMessages(transaction, clock, ids)
  await deleteMergeEvents(transaction, found.mergeEvents)
  const counts = {
    messages: ids.length,
    emails: found.emails,
    /** Files that came with them. */
    attachments,
    /** To repeated requests. */
    replies: await deleteStoredReplies(transaction, found.replyKeys),
    /** Texts of the conversations with others that named the person: copies of replies, and what staff wrote. */
    mentions: found.mentions,
    ...(await eraseEntries(transaction, found.entries, found.names)),
    /** Of the local mailbox. */
    files: found.files.length,
  }
  const details = { erasure: reference, ...counts }
  await log.within(transaction, 'warning', 'API', 'Person erased on the server', details)
  return { deleted, reference, when: isoAfter(clock), ...counts, leftOut: found.leftOut }
}

/** What was written since the search. @param deleted may have been merged since into messages that were found */
async function eraseLate({ db }: Needed, found: Found, deleted: readonly store.FoundMessage[]) {
  const names = union(found.names, namesOf(deleted))
  const from = idToSearchFrom(found.names, names, found.moment)
  const replyKeys = await findReplyKeys(db, new Set(names.slice(found.names.length)))
  const replies = await deleteStoredReplies(db, replyKeys)
  await deleteMergeEvents(db, await findMergeEvents(db, names, from))
  const mentions = await eraseNewMentions(db, before(found.begun), found.isMention, found.part)
  // Servers keep what they log for a while before they store it.
  await sleep(2 * WRITE_DELAY)
  const entries = await store.findEntriesWith(db, names, () => {}, from)
  return { ...(await eraseEntries(db, entries, names)), replies, mentions }
}

const namesOf = (messages: readonly store.FoundMessage[]) =>
  messages.flatMap(({ id, reference }) => [id, reference])

const union = (names: readonly string[], more: readonly string[]) => [...new Set([...names, ...more])]

/** When what a search at this time could not see yet may have begun. */
const before = (time: Date) => new Date(time.getTime() - MAX_DELAY)

/** Where the log is searched again that was searched for fewer names at a time: old entries may have the others. */
function idToSearchFrom(searched: readonly string[], names: readonly string[], at: Date): string {
  return names.length > searched.length ? '' : firstIdAt(before(at))
}

/** What the person did goes; what staff did stays, without the person. */
async function eraseEntries(db: Database, entries: readonly LogRow[], names: readonly string[]) {
  const ofStaff = entries.filter(entry => entry.user_id !== null)
  for (const entry of entries)
    if (entry.user_id === null) await store.eraseEntry(db, entry.id)
    else await store.redactEntry(db, entry, names)
  return { deletedEntries: entries.length - ofStaff.length, redactedEntries: ofStaff.length }
}

/** On PostgreSQL only an operator can do that: it locks the tables. */
async function rewriteFile(config: Config): Promise<boolean> {
  if (config.databaseUrl) return true
  // It is erased all the same: the text is overwritten, and what is left of the log the server empties.
  return await vacuum(sqliteFile(config)).catch(() => false)
}

/**
 * The ids of messages that the last erasure of an address deleted, as far as the log has named them since: if it failed after
 * that, it has not searched for them. Only the list still knows these messages, by the moment that it has of the address.
 */
async function findUnfinished(db: Database, keys: readonly NamedKey[], email: string): Promise<string[]> {
  const found = new Set<string>()
  const list = db.selectFrom('erased').select(['hash', 'erased_at'])
  for (const key of keys) {
    const address = await list.where('hash', '=', hashErased(key, 'address', email)).executeTakeFirst()
    if (!address) continue
    const deleted = list.where('kind', '=', 'message').where('erased_at', '=', address.erased_at)
    const hashes = new Set((await deleted.execute()).map(({ hash }) => hash))
    const from = firstIdAt(new Date(Date.parse(address.erased_at) - MAX_DELAY))
    const logs = db.selectFrom('logs').select(['id', 'message', 'details']).orderBy('id').limit(AT_ONCE)
    const read = (after: string) => logs.where('id', '>', after || from).execute()
    for await (const rows of inPages(read, row => row.id))
      for (const id of rows.flatMap(({ message, details }) => `${message} ${details}`.match(ID) ?? []))
        if (hashes.has(hashErased(key, 'message', id))) found.add(id)
  }
  return [...found]
}
