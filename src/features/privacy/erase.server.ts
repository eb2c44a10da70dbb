import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isoAfter } from '../../clock.ts'
import type { Config } from '../../config.ts'
import { firstIdAt } from '../../database/id.ts'
import { sqliteFile } from '../../database/open.ts'
import { vacuum } from '../../database/sqlite/vacuum.ts'
import type { Database, LogRow } from '../../database/tables.ts'
import { inTransaction, type Transaction } from '../../database/transaction.ts'
import { MAX_DELAY } from '../../erasure/erased-list.ts'
import { eraseMentions, eraseNewMentions } from '../../erasure/mentions.ts'
import { deleteMergeEvents, findMergeEvents } from '../../erasure/merge-events.ts'
import { deleteStoredReplies, findReplyKeys } from '../../erasure/stored-replies.ts'
import { findUnfinished } from '../../erasure/unfinished.ts'
import { WRITE_DELAY } from '../../log/database-sink.server.ts'
import type { Services } from '../../services.ts'
import { findFiles } from './find-files.server.ts'
import * as store from './store.server.ts'

/** What was erased of a person. */
export interface Erased {
  /** Identifies this erasure; the log holds it instead of the address. */
  readonly reference: string
  readonly when: string
  readonly messages: number
  readonly emails: number
  /** Stored replies to repeated requests. */
  readonly replies: number
  /** Texts of the conversations with others that named the person: copies of replies, and what staff wrote. */
  readonly mentions: number
  /** Deleted log entries about what the person did. */
  readonly deletedEntries: number
  /** Redacted log entries about what staff did. */
  readonly redactedEntries: number
  /** Files of the local mailbox. */
  readonly files: number
  /** Whether nothing is left in the free space of the database; while another process reads or writes, something may be. */
  readonly isRewritten: boolean
}

type Needed = Pick<Services, 'db' | 'clock' | 'log' | 'config' | 'erased' | 'mailboxSweep' | 'keys'>

/**
 * Erases everything that came from an address: its messages, and the emails and log entries about them, in one transaction.
 * Before that, and once more after it, the address is removed from the conversations with others, text by text, because that
 * searches whole tables. Run it again after a failure; in the end there is nothing left to erase.
 * @param reference names the erasure in the record and in the log
 * @param onProgress gets the number of searched log entries; what it throws ends the work before anything is erased
 */
export async function erasePerson(
  services: Needed,
  email: string,
  reference: string,
  onProgress: (entries: number) => void = () => {},
): Promise<Erased> {
  const { db, mailboxSweep, config } = services
  const found = await find(services, email, onProgress)
  const { deleted, ...erased } = await inTransaction(db, it => erase(services, it, found, reference))
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
    isRewritten: await rewriteFile(config),
  }
}

/** Searches for what the transaction then deletes; mentions go at once. */
async function find(
  { db, clock, config, keys }: Needed,
  email: string,
  onProgress: (entries: number) => void,
) {
  const begun = clock()
  const ofBefore = await findUnfinished(db, keys.erased, email)
  const known = [email, ...ofBefore, ...namesOf(await store.findMessagesFrom(db, email))]
  const oldEntries = await store.findEntriesWith(db, known, onProgress)
  const files = await findFiles(join(config.dataDir, 'mail'), known)
  const isMention = (address: string) => address.toLowerCase() === email.toLowerCase()
  const mentions = await eraseMentions(db, isMention, email)
  // That took a while. What came meanwhile goes as well; what is not found now comes later, and stays.
  const moment = clock()
  const messages = await store.findMessagesFrom(db, email)
  const ids = messages.map(({ id }) => id)
  const names = union(known, namesOf(messages))
  const newEntries = await store.findEntriesWith(db, names, () => {}, idToSearchFrom(known, names, begun))
  return {
    ...{ email, begun, moment, ids, names, files, isMention, mentions },
    emails: await store.countEmailsAbout(db, ids),
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
  reference: string,
) {
  await list.addAddress(transaction, found.email, found.moment)
  const deleted = await store.lockMessages(transaction, found.ids)
  const ids = deleted.map(({ id }) => id)
  await list.addMessages(transaction, ids, found.moment)
  await store.eraseMessages(transaction, ids)
  await deleteMergeEvents(transaction, found.mergeEvents)
  const counts = {
    messages: ids.length,
    emails: found.emails,
    replies: await deleteStoredReplies(transaction, found.replyKeys),
    mentions: found.mentions,
    ...(await eraseEntries(transaction, found.entries, found.names)),
    files: found.files.length,
  }
  const details = { erasure: reference, ...counts }
  await log.within(transaction, 'warning', 'API', 'Person erased on the server', details)
  return { deleted, reference, when: isoAfter(clock), ...counts }
}

/** What was written since the search. @param deleted may have been merged since into messages that were found */
async function eraseLate({ db }: Needed, found: Found, deleted: readonly store.FoundMessage[]) {
  const names = union(found.names, namesOf(deleted))
  const from = idToSearchFrom(found.names, names, found.moment)
  const replyKeys = await findReplyKeys(db, new Set(names.slice(found.names.length)))
  const replies = await deleteStoredReplies(db, replyKeys)
  await deleteMergeEvents(db, await findMergeEvents(db, names, from))
  const mentions = await eraseNewMentions(db, before(found.begun), found.isMention, found.email)
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

/** PostgreSQL does that by itself, when it vacuums. */
async function rewriteFile(config: Config): Promise<boolean> {
  if (config.databaseUrl) return true
  // It is erased all the same: the text is overwritten, and what is left of the log the server empties.
  return await vacuum(sqliteFile(config)).catch(() => false)
}
