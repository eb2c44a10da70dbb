import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isoAfter } from '../../clock.ts'
import type { Config } from '../../config.ts'
import { sqliteFile } from '../../database/open.ts'
import { vacuum } from '../../database/sqlite/vacuum.ts'
import { inTransaction } from '../../database/transaction.ts'
import { eraseMentions } from '../../erasure/mentions.ts'
import { redactNames } from '../../erasure/redact-names.ts'
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

type Needed = Pick<Services, 'db' | 'clock' | 'log' | 'config' | 'erased' | 'mailboxSweep'>

/**
 * Erases everything that came from an address: its messages, and the emails and log entries about them.
 * What the database holds goes in one transaction. Run it again and there is nothing left to erase.
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
  const messages = await store.findMessagesFrom(db, email)
  const ids = messages.map(({ id }) => id)
  const names = [email, ...ids, ...messages.map(message => message.reference)]
  const emails = await store.countEmailsAbout(db, ids)
  const entries = await store.findEntriesWith(db, names, onProgress)
  const own = entries.filter(entry => entry.user_id === null)
  const ofStaff = entries.filter(entry => entry.user_id !== null)
  const files = await findFiles(join(config.dataDir, 'mail'), names)

  const erased = await inTransaction(db, async transaction => {
    await list.addAddress(transaction, email)
    const locked = await store.lockMessages(transaction, ids)
    await list.addMessages(transaction, locked)
    await store.eraseMessages(transaction, locked)
    const replies = await store.eraseStoredReplies(
      transaction,
      messages.map(message => message.reference),
    )
    const isPerson = (address: string) => address.toLowerCase() === email.toLowerCase()
    const mentions = await eraseMentions(transaction, isPerson, email)
    for (const entry of own) await store.eraseEntry(transaction, entry.id)
    for (const entry of ofStaff) await store.rewriteEntry(transaction, entry.id, redactNames(entry, names))
    const counts = {
      messages: locked.length,
      emails,
      replies,
      mentions,
      deletedEntries: own.length,
      redactedEntries: ofStaff.length,
      files: files.length,
    }
    await log.within(transaction, 'warning', 'API', 'Person erased on the server', {
      erasure: reference,
      ...counts,
    })
    return { reference, when: isoAfter(clock), ...counts }
  })
  for (const file of files) await rm(file, { force: true })
  const swept = await mailboxSweep.run()
  return { ...erased, files: files.length + swept, isRewritten: await rewriteFile(config) }
}

/** PostgreSQL does that by itself, when it vacuums. */
async function rewriteFile(config: Config): Promise<boolean> {
  if (config.databaseUrl) return true
  // It is erased all the same: the text is overwritten, and what is left of the log the server empties.
  return await vacuum(sqliteFile(config)).catch(() => false)
}
