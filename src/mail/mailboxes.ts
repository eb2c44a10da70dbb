import { hash } from 'node:crypto'
import { type SqlBool, sql } from 'kysely'
import type { MailboxRow } from '../database/mail-in-tables.ts'
import type { Database } from '../database/tables.ts'
import { type Clock, isoAfter, MAX_CLOCK_SKEW, minutes, seconds } from '../platform/clock.ts'
import type { MailboxFailure } from './mail-source.ts'

/** What is stored about the mailbox that is fetched: how far, by which node, and since when not. */

/** A node leases the mailbox for this long, and renews it in time. After its end another takes over within 30 s. */
const LEASE = seconds(15)
const FIRST_RETRY = seconds(5)
const MAX_RETRY = minutes(1)
/** After a refused sign-in: servers lock accounts that try too often. */
const MAX_REFUSED = minutes(5)

/** A mailbox, without how to sign in to it. */
export interface MailboxName {
  readonly host: string
  readonly user: string
  readonly folder: string
}

/** Two passwords of one account are one mailbox. */
export function fingerprintOf({ host, user, folder }: MailboxName): string {
  return hash('sha256', JSON.stringify([host, user, folder]))
}

/** Where a mailbox stands when it is opened. */
interface Numbers {
  readonly uidValidity: string
  readonly uidNext: number
}

/** How far a mailbox is fetched. */
export interface Position {
  /** Mails from this number on came after the mailbox was connected. */
  readonly first: number
  readonly last: number
  /** Of lower numbers, only the time says what came after that. */
  readonly isRenumbered: boolean
}

/** Connects a mailbox from now on. One that is connected already stays as it is. @param numbers when it has been opened */
export async function connectMailbox(
  db: Database,
  clock: Clock,
  account: string,
  numbers?: Numbers,
): Promise<void> {
  const position = numbers && {
    uid_validity: numbers.uidValidity,
    first_uid: String(numbers.uidNext),
    last_uid: String(numbers.uidNext - 1),
  }
  await db
    .insertInto('mailboxes')
    .values({ account, connected_at: isoAfter(clock), ...position })
    .onConflict(conflict => conflict.column('account').doNothing())
    .execute()
}

/** What is stored about every other mailbox goes: if it is connected again, it is from then on. */
export async function forgetMailboxes(db: Database, except: string | null = null): Promise<void> {
  await db
    .deleteFrom('mailboxes')
    .where('account', '!=', except ?? '')
    .execute()
}

export async function readMailbox(db: Database, account: string): Promise<MailboxRow | undefined> {
  return await db.selectFrom('mailboxes').selectAll().where('account', '=', account).executeTakeFirst()
}

/** Leases the mailbox for a node, or for longer. @returns its row; undefined while another has it or it is not due */
export async function leaseMailbox(
  db: Database,
  now: Clock,
  account: string,
  owner: string,
  isFirst: boolean,
) {
  // What is further ahead was written before the clock was set back.
  const isOver = (column: 'leased_until' | 'due_at', most: number) =>
    sql<SqlBool>`(${sql.ref(column)} is null or ${sql.ref(column)} <= ${isoAfter(now)}
      or ${sql.ref(column)} > ${isoAfter(now, most + MAX_CLOCK_SKEW)})`
  return await db
    .updateTable('mailboxes')
    .set({ lease_owner: owner, leased_until: isoAfter(now, LEASE) })
    .where('account', '=', account)
    .$if(isFirst, query =>
      query
        .where(isOver('due_at', MAX_REFUSED))
        .where(eb => eb.or([eb('lease_owner', '=', owner), isOver('leased_until', LEASE)])),
    )
    .$if(!isFirst, query => query.where('lease_owner', '=', owner))
    .returningAll()
    .executeTakeFirst()
}

export type Mailboxes = ReturnType<typeof ownedMailbox>

/** What the node that has the lease may write. Each throws `LeaseLost` once another has it. */
export function ownedMailbox(db: Database, clock: Clock, now: Clock, account: string, owner: string) {
  async function update(change: Partial<MailboxRow>) {
    const row = await db
      .updateTable('mailboxes')
      .set(change)
      .where('account', '=', account)
      .where('lease_owner', '=', owner)
      .returning('account')
      .executeTakeFirst()
    if (!row) throw new LeaseLost()
  }

  return {
    update,
    /** Changes nothing. @throws as the database does when nothing can be written */
    touch: async () => await update({ account }),
    /** The position in a mailbox that has just been opened: all of it again, if its numbers are others. */
    async begin(row: MailboxRow, { uidValidity, uidNext }: Numbers): Promise<Position> {
      const last = Number(row.last_uid ?? 0)
      const isSame = row.uid_validity === uidValidity && uidNext > last
      if (isSame) return { first: Number(row.first_uid), last, isRenumbered: row.is_renumbered === 1 }
      const isNew = row.uid_validity === null
      const position = { first: uidNext, last: isNew ? uidNext - 1 : 0, isRenumbered: !isNew }
      await update({
        uid_validity: uidValidity,
        first_uid: String(position.first),
        last_uid: String(position.last),
        is_renumbered: isNew ? 0 : 1,
        ...(row.import_state === 'running' && { import_uid: '0', import_done: 0 }),
      })
      return position
    },
    saveLast: async (last: number) => await update({ last_uid: String(last) }),
    async succeeded() {
      const fine = { failures: 0, failing_since: null, problem: null, reason: null, due_at: null }
      await update({ last_fetched_at: isoAfter(clock), ...fine })
    },
    /** Lets go of it until the next try, which may be that of another node. */
    async failed({ failures, failing_since }: MailboxRow, { problem, message, retryAfter }: MailboxFailure) {
      const longest = problem === 'credentials' || problem === 'consent' ? MAX_REFUSED : MAX_RETRY
      const own = Math.min(longest, FIRST_RETRY * 2 ** Math.min(failures, 10))
      // A time that is further ahead would count as one of a clock that was set back.
      const delay = Math.min(MAX_REFUSED, Math.max(own, retryAfter))
      await update({
        failures: failures + 1,
        failing_since: failing_since ?? isoAfter(clock),
        problem,
        reason: message,
        due_at: isoAfter(now, delay),
        lease_owner: null,
        leased_until: null,
      })
    },
    async release() {
      await update({ lease_owner: null, leased_until: null })
    },
  }
}

/** Another node fetches the mailbox, or it was disconnected. */
export class LeaseLost extends Error {}
