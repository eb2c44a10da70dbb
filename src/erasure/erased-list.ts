import { createHmac } from 'node:crypto'
import type { Database, ErasedRow } from '../database/tables.ts'
import type { Transaction } from '../database/transaction.ts'
import { recordChange } from '../live/record-change.server.ts'
import { type Clock, minutes } from '../platform/clock.ts'
import type { Keys, NamedKey } from '../platform/keys.ts'
import { comparableAddress } from './addresses.ts'
import { inBatches } from './in-pages.ts'

type Kind = ErasedRow['kind']

/** The ids of messages and emails that a text names. */
export const ID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g

/**
 * Milliseconds. How long after the time that it bears a row is on disk at the latest: its transaction takes a while, and the
 * clocks of two nodes may differ. So an erasure cannot yet see all that came until its moment, and a restore keeps what is
 * this much younger unless it is on the list by its id: decision 015.
 */
export const MAX_DELAY = minutes(2)

export type ErasedList = ReturnType<typeof createErasedList>

/**
 * Deletions and erasures, as hashes made with the secret key: enough for a restore to leave them out of an older
 * backup, and for the local mailbox to lose the emails about it. Nobody reads an address or an id out of it.
 */
export function createErasedList(clock: Clock, keys: Keys['erased']) {
  const toRow = (kind: Kind, text: string, moment: Date): ErasedRow => ({
    hash: hashErased(keys[0], kind, text),
    kind,
    key_id: keys[0].id,
    erased_at: moment.toISOString(),
  })
  /** Before the messages are gone. Open screens hear of it. */
  async function add(
    transaction: Transaction,
    ids: readonly string[],
    kinds: { readonly message: Kind; readonly email: Kind },
    moment = clock(),
  ) {
    for (const id of ids) recordChange(transaction, clock, id, 'deleted')
    const emails = await findEmailsAbout(transaction, ids)
    const mails = await findMailsOf(transaction, ids)
    await insertErased(transaction, [
      ...mails.map(name => toRow('mail', name, moment)),
      ...ids.map(id => toRow(kinds.message, id, moment)),
      ...emails.map(id => toRow(kinds.email, id, moment)),
    ])
  }

  return {
    /** Adds messages, and the emails about them, in the transaction that deletes them. */
    addMessages: (transaction: Transaction, ids: readonly string[], moment?: Date) =>
      add(transaction, ids, { message: 'message', email: 'email' }, moment),
    /**
     * Adds messages whose retention period is over, and the emails about them, for the local mailbox only: a restore brings
     * them back, and the next run of the retention deletes them again.
     */
    addExpired: (transaction: Transaction, ids: readonly string[]) =>
      add(transaction, ids, { message: 'expired', email: 'expired' }),
    /** Whether one of these mails was deleted or erased, or everything that came from an address until a time. */
    async isErased(db: Database, mails: readonly string[], email: string, time: string): Promise<boolean> {
      const hashesOf = (kind: Kind, text: string) => keys.map(key => hashErased(key, kind, text))
      const known = await findErased(
        db,
        mails.flatMap(name => hashesOf('mail', name)),
      )
      if (known.size > 0) return true
      if (email === '') return false
      const later = db.selectFrom('erased').select('hash').where('hash', 'in', hashesOf('address', email))
      return (await later.where('erased_at', '>=', time).executeTakeFirst()) !== undefined
    },
    /** Adds an address: what came from it until a moment, and was found after it. */
    addAddress: (transaction: Database, email: string, moment: Date) =>
      insertErased(transaction, [toRow('address', email, moment)]),
  }
}

/** An address is one however it is written. */
export function hashErased({ key }: NamedKey, kind: Kind, text: string): string {
  const compared = kind === 'address' ? comparableAddress(text) : text.toLowerCase()
  return createHmac('sha256', key).update(`${kind} ${compared}`).digest('base64url')
}

/** Of an address that is erased again, the later time counts. */
export async function insertErased(db: Database, rows: readonly ErasedRow[]): Promise<void> {
  for (const some of inBatches(rows))
    await db
      .insertInto('erased')
      .values(some)
      .onConflict(conflict =>
        conflict
          .column('hash')
          .doUpdateSet(eb => ({ erased_at: eb.ref('excluded.erased_at') }))
          .whereRef('erased.erased_at', '<', eb => eb.ref('excluded.erased_at')),
      )
      .execute()
}

/** @returns those of the hashes that are on the list */
export async function findErased(db: Database, hashes: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>()
  for (const some of inBatches(hashes)) {
    const rows = await db.selectFrom('erased').select('hash').where('hash', 'in', some).execute()
    for (const { hash } of rows) found.add(hash)
  }
  return found
}

/** What names the mails of messages when they are fetched again: those that came, and those that were sent. */
async function findMailsOf(transaction: Transaction, messageIds: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const some of inBatches(messageIds)) {
    const mails = transaction.selectFrom('mail_ids').select(['mail_id', 'identity_hash'])
    const rows = await mails.where('message_id', 'in', some).execute()
    found.push(...rows.map(({ mail_id, identity_hash }) => identity_hash ?? mail_id))
  }
  return found
}

async function findEmailsAbout(db: Database, messageIds: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const some of inBatches(messageIds)) {
    const rows = await db.selectFrom('outbox').select('id').where('message_id', 'in', some).execute()
    found.push(...rows.map(({ id }) => id))
  }
  return found
}
