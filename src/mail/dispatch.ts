import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { isPostgres } from '../database/engine.ts'
import type { SharedClock } from '../database/shared-clock.ts'
import type { Database, OutboxRow } from '../database/tables.ts'
import { inTransaction, type Transaction } from '../database/transaction.ts'
import { recordChange } from '../live/record-change.server.ts'
import { describeError, type Log } from '../log/logger.ts'
import { type Clock, hours, isoAfter, minutes, seconds } from '../platform/clock.ts'
import { type Email, recipientsOf } from './email.ts'
import { DeliveryError, type Mail } from './mail.ts'

/** Shorter than the lease, so that a slow provider cannot make two dispatchers send one email. */
const DELIVERY_TIMEOUT = seconds(8)
/** For 20 MB through a line of a megabit a second. */
const TIMEOUT_WITH_FILES = minutes(3)
const FIRST_RETRY = seconds(10)
export const MAX_RETRY_DELAY = minutes(30)
/** After this the email counts as failed, and staff decide whether to retry it. */
export const GIVE_UP = hours(72)
/** Later, an acknowledgement says nothing new. */
const GIVE_UP_ACKNOWLEDGEMENT = hours(24)
/** Emails to a visitor: a second one does harm, so these are sent at most once. */
export const sentOnce: readonly OutboxRow['kind'][] = ['reply', 'acknowledgement']
/** Replaces an email once it is sent: a copy of the database must not hold its text, its address or a link in it. */
const SENT_EMAIL = ''
/** Of an email that has reached nobody. */
const KEPT_HERE = 'No mail provider was set up: it stays on the server.'
/** Replaces the provider's words about a person who has been erased since. */
const ABOUT_ERASED = 'The email could not be sent. It named somebody who was erased meanwhile.'
/** For how many seconds the provider's answer is kept while the database cannot store it. */
const SAVES = 60

/** The dependencies of a dispatcher. */
export interface Sender {
  readonly db: Database
  readonly mail: Mail
  readonly clock: Clock
  readonly sharedClock: SharedClock
  readonly log: Log
  isStopped(): boolean
  onFailure(transaction: Transaction, row: OutboxRow): Promise<void>
}

/** Sends an email that is claimed, once, and records what came of it. */
export async function dispatch(sender: Sender, row: OutboxRow): Promise<void> {
  const { clock, log } = sender
  const result = await attempt(sender, row)
  if ('error' in result) return await save(sender, () => recordAttempt(sender, row, result.error))
  const last_error = result.transport === 'mailbox' ? KEPT_HERE : null
  const sent = { state: 'sent', sent_at: isoAfter(clock), last_error, email: SENT_EMAIL } as const
  await save(sender, async () => void (await finish(sender, row, sent)))
  log('info', 'EmailService', last_error ? 'Email kept on the server' : 'Email sent', {
    ...nameOf(row),
    attempts: row.attempts,
  })
}

type Result = { readonly error: unknown } | { readonly transport: Awaited<ReturnType<Mail['send']>> }

async function attempt({ mail }: Sender, row: OutboxRow): Promise<Result> {
  try {
    const email: Email = JSON.parse(row.email)
    const timeout = email.attachments ? TIMEOUT_WITH_FILES : DELIVERY_TIMEOUT
    return { transport: await mail.send(email, timeout, row.id) }
  } catch (error) {
    return { error }
  }
}

/** The provider has answered, and will not say it again: what it said must not be lost while the database is away. */
async function save({ isStopped }: Sender, work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++)
    try {
      return await work()
    } catch (error) {
      if (tries === SAVES || isStopped()) throw error
      await sleep(seconds(1))
    }
}

async function recordAttempt(sender: Sender, row: OutboxRow, error: unknown): Promise<void> {
  const { db, clock, sharedClock, log } = sender
  const reason = reasonOf(error)
  const longest = row.kind === 'acknowledgement' ? GIVE_UP_ACKNOWLEDGEMENT : GIVE_UP
  const isOver = mustGiveUp(row, error) || clock().getTime() - Date.parse(row.created_at) > longest
  const lacking = error instanceof DeliveryError ? error.lacking : null
  if (isOver)
    return await inTransaction(db, transaction => recordFailure(sender, transaction, row, reason, lacking))
  const due_at = isoAfter(sharedClock.now, retryDelay(row.attempts, error))
  const stored = await finish(sender, row, { state: 'waiting', due_at, last_error: reason })
  const details = { ...nameOf(row), attempts: row.attempts, error: stored ?? ABOUT_ERASED }
  log('warning', 'EmailService', 'Email not sent: will retry', details)
}

function reasonOf(error: unknown): string {
  const { error: words } = describeError(error)
  const isUnconfirmed = error instanceof DeliveryError && error.isUnconfirmed
  return isUnconfirmed ? `${words} (it may have arrived)` : String(words)
}

/** It goes out at most once, and staff learn at once that it cannot be delivered. */
function mustGiveUp({ kind }: OutboxRow, error: unknown): boolean {
  return (
    sentOnce.includes(kind) && error instanceof DeliveryError && (error.isPermanent || error.isUnconfirmed)
  )
}

/**
 * Records that an email was given up, unless something else became of it meanwhile. @param lacking who does not have it;
 * null: nobody is known to have it
 */
export async function recordFailure(
  sender: Sender,
  transaction: Transaction,
  row: OutboxRow,
  reason: string,
  lacking: readonly string[] | null = null,
): Promise<void> {
  const isOurs = { id: row.id, state: 'waiting', attempts: row.attempts } as const
  const found = transaction.selectFrom('outbox').select('id')
  if (!(await found.where(eb => eb.and(isOurs)).executeTakeFirst())) return
  // First, because it may lock the message, and a deletion locks the message before its emails.
  await sender.onFailure(transaction, row)
  const last_error = unlessErased(row, reason)
  const stored = await transaction
    .updateTable('outbox')
    .set({ state: 'failed', due_at: isoAfter(sender.clock), last_error, leased_until: null })
    .set(lacking ? { email: await onlyTo(transaction, row, lacking) } : {})
    .where(eb => eb.and(isOurs))
    .returning('last_error')
    .executeTakeFirst()
  if (!stored) throw new Error('Another dispatcher has the email')
  if (row.message_id) recordChange(transaction, sender.clock, row.message_id)
  transaction.afterCommit(() => {
    const details = { ...nameOf(row), attempts: row.attempts, error: stored.last_error }
    sender.log('error', 'EmailService', 'Email not sent: given up', details)
  })
}

/** The email as it is now, for those who lack it: who sends it again sends it to nobody twice. */
async function onlyTo(transaction: Transaction, { id }: OutboxRow, lacking: readonly string[]) {
  const row = transaction.selectFrom('outbox').select('email').where('id', '=', id)
  // Somebody who is erased meanwhile does not come back by this.
  const locked = row.$if(isPostgres(transaction), query => query.forUpdate())
  const email: Email = JSON.parse((await locked.executeTakeFirstOrThrow()).email)
  return JSON.stringify({
    ...email,
    lacking: recipientsOf(email).filter(address => lacking.includes(address)),
  })
}

/** The provider's words may name an address that was erased after the email was claimed. */
function unlessErased({ email }: OutboxRow, reason: string) {
  return sql<string>`case when email = ${email} then ${reason} else ${ABOUT_ERASED} end`
}

function nameOf({ id, message_id }: OutboxRow) {
  return { emailId: id, ...(message_id && { messageId: message_id }) }
}

type Outcome = Partial<Pick<OutboxRow, 'state' | 'sent_at' | 'due_at' | 'last_error' | 'email'>>

/** @returns what is stored of the error; undefined when the email is gone */
async function finish({ db, clock }: Sender, row: OutboxRow, { last_error, ...outcome }: Outcome) {
  return await inTransaction(db, async transaction => {
    const stored = await transaction
      .updateTable('outbox')
      .set({ ...outcome, last_error: last_error ? unlessErased(row, last_error) : null, leased_until: null })
      .where('id', '=', row.id)
      .returning('last_error')
      .executeTakeFirst()
    // An open screen shows what becomes of a reply. A notice that is sent changes nothing that anybody looks at.
    if (row.kind === 'reply' && row.message_id) recordChange(transaction, clock, row.message_id)
    return stored?.last_error
  })
}

/** Doubles from 10 s to 30 min; full jitter, so that emails rejected together are not retried together. Later if the provider wants that. */
function retryDelay(attempts: number, error: unknown): number {
  const longest = Math.min(MAX_RETRY_DELAY, FIRST_RETRY * 2 ** attempts)
  const delay = FIRST_RETRY + Math.random() * (longest - FIRST_RETRY)
  return Math.min(MAX_RETRY_DELAY, Math.max(delay, error instanceof DeliveryError ? error.retryAfter : 0))
}
