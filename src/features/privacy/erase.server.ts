import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isoAfter, minutes } from '../../clock.ts'
import type { Config } from '../../config.ts'
import { firstIdAt } from '../../database/id.ts'
import { sqliteFile } from '../../database/open.ts'
import { vacuum } from '../../database/sqlite/vacuum.ts'
import type { Database, LogRow } from '../../database/tables.ts'
import { inTransaction } from '../../database/transaction.ts'
import { eraseMentions, eraseNewMentions } from '../../erasure/mentions.ts'
import { deleteMergeEvents, findMergeEvents } from '../../erasure/merge-events.ts'
import { deleteStoredReplies } from '../../erasure/stored-replies.ts'
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

/** By which the clocks of two nodes may differ, and for which one may need to store what it has begun. */
const MAX_DELAY = minutes(2)

type Needed = Pick<Services, 'db' | 'clock' | 'log' | 'config' | 'erased' | 'mailboxSweep'>

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
  const { db, clock, log, config, erased: list, mailboxSweep } = services
  const begun = new Date(clock().getTime() - MAX_DELAY)
  const messages = await store.findMessagesFrom(db, email)
  const ids = messages.map(({ id }) => id)
  const references = messages.map(({ reference }) => reference)
  const names = [email, ...ids, ...references]
  const emails = await store.countEmailsAbout(db, ids)
  const entries = await store.findEntriesWith(db, names, onProgress)
  const files = await findFiles(join(config.dataDir, 'mail'), names)
  const isMention = (address: string) => address.toLowerCase() === email.toLowerCase()
  const mentions = await eraseMentions(db, isMention, email)
  const mergeEvents = await findMergeEvents(db, references)

  const erased = await inTransaction(db, async transaction => {
    await list.addAddress(transaction, email)
    const locked = await store.lockMessages(transaction, ids)
    await list.addMessages(transaction, locked)
    await store.eraseMessages(transaction, locked)
    await deleteMergeEvents(transaction, mergeEvents)
    const replies = await deleteStoredReplies(transaction, new Set(references))
    const counts = {
      messages: locked.length,
      emails,
      replies,
      mentions,
      ...(await eraseEntries(transaction, entries, names)),
      files: files.length,
    }
    await log.within(transaction, 'warning', 'API', 'Person erased on the server', {
      erasure: reference,
      ...counts,
    })
    return { reference, when: isoAfter(clock), ...counts }
  })
  for (const file of files) await rm(file, { force: true })
  // First what another run could not find: the messages that the entries name are gone.
  const newEntries = await store.findEntriesWith(db, names, () => {}, firstIdAt(begun))
  const lateEntries = await eraseEntries(db, newEntries, names)
  const lateMentions = await eraseNewMentions(db, begun, isMention, email)
  const swept = await mailboxSweep.run()
  return {
    ...erased,
    mentions: mentions + lateMentions,
    deletedEntries: erased.deletedEntries + lateEntries.deletedEntries,
    redactedEntries: erased.redactedEntries + lateEntries.redactedEntries,
    files: files.length + swept,
    isRewritten: await rewriteFile(config),
  }
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
