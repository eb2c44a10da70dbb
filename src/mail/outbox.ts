import { setTimeout as sleep } from 'node:timers/promises'
import { type Clock, hours, isoAfter, minutes, seconds } from '../clock.ts'
import { isPostgres } from '../database/engine.ts'
import type { Database, OutboxRow } from '../database/tables.ts'
import type { Transaction } from '../database/transaction.ts'
import { describeError, type Log } from '../log/logger.ts'
import type { Email } from './email.ts'
import { insertEmail, type Subject } from './insert-email.ts'
import type { Mail } from './mail.ts'

/** A dispatcher leases an email for this long; then another may claim it. */
const LEASE = seconds(10)
/** Shorter than the lease, so that a slow provider cannot make two dispatchers send one email. */
const DELIVERY_TIMEOUT = seconds(8)
const FIRST_RETRY = seconds(10)
const MAX_RETRY_DELAY = minutes(30)
/** After this the email counts as failed, and staff decide whether to retry it. */
export const GIVE_UP = hours(72)
/** How often to poll for emails that another node wrote or that have become due. */
const POLL = seconds(5)
/**
 * The clocks of two nodes may differ by this. A due time further ahead than any retry delay was written before the clock
 * was set back, and its email must not wait for it.
 */
const MAX_CLOCK_SKEW = minutes(1)
const MAX_CONCURRENT = 10
/** Replaces an email once it is sent: a copy of the database must not hold its text, its address or a link in it. */
const SENT_EMAIL = ''
/** While emails are written faster than they are sent, writers have priority: at most 40 emails a second are sent. */
const THROTTLE = seconds(0.25)

export interface Outbox {
  /** Writes an email in the transaction that it reports on; after the commit it is sent. @returns its id. */
  add(transaction: Transaction, email: Email, about: Subject): Promise<string>
  /** Runs `work` before each poll, to write emails that have fallen due. */
  beforePoll(work: () => Promise<void>): void
  /** Sends what is due now, without waiting for the next poll. */
  wake(): void
  /** Starts dispatching. */
  start(): Promise<void>
  /** Stops dispatching after the emails in flight are finished. */
  stop(): Promise<void>
}

/**
 * Delivers at least once: an email is marked as sent only after its provider accepted it, and one that was in flight when
 * the process died is sent again when its lease ends, with the same Message-ID.
 */
export function createOutbox(db: Database, mail: Mail, clock: Clock, log: Log): Outbox {
  let draining: Promise<void> | null = null
  const inFlight = new Map<string, Promise<void>>()
  let isWanted = false
  let written = 0
  const preparations: (() => Promise<void>)[] = []
  let timer: NodeJS.Timeout | null = null

  function report(message: string, error: unknown) {
    log('error', 'EmailService', message, describeError(error))
  }

  async function drain() {
    while (isWanted && timer) {
      isWanted = false
      // Emails that are already written are sent even when one of these fails.
      for (const prepare of preparations)
        await prepare().catch(error => report('Due email could not be written', error))
      written = 0
      const max = await countAdmitted(mail, inFlight.size)
      const emails = max > 0 ? await claimDue(db, clock, max, [...inFlight.keys()]) : []
      for (const row of emails) track(row, emails.length === max)
      if (written > MAX_CONCURRENT) await sleep(THROTTLE)
    }
  }

  /** Tracks an email until it is sent or released; a slow one delays no other. */
  function track(row: OutboxRow, mayBeMore: boolean) {
    const done = dispatch(db, mail, clock, log, row)
      .catch(error => report('Email could not be released for another attempt', error))
      .finally(() => {
        inFlight.delete(row.id)
        if (mayBeMore && timer) wake()
      })
    inFlight.set(row.id, done)
  }

  function wake() {
    isWanted = true
    draining ??= drain()
      .catch(error => report('The outbox could not be read', error))
      .finally(() => {
        draining = null
        // An email may have been written since the last poll.
        if (isWanted && timer) wake()
      })
  }

  function wakeIfStarted() {
    if (timer) wake()
  }

  return {
    async add(transaction, email, about) {
      written++
      transaction.afterCommit(wakeIfStarted)
      return await insertEmail(transaction, clock, email, about)
    },
    beforePoll(work) {
      preparations.push(work)
    },
    wake: wakeIfStarted,
    async start() {
      if (!isPostgres(db)) await releaseLeases(db)
      timer = setInterval(wake, POLL)
      wake()
    },
    async stop() {
      if (timer) clearInterval(timer)
      timer = null
      await draining
      await Promise.all(inFlight.values())
    },
  }
}

/** SQLite has one process, so a lease found at start belongs to a process that has ended. */
async function releaseLeases(db: Database) {
  const leased = db.updateTable('outbox').where('state', '=', 'waiting').where('leased_until', 'is not', null)
  await leased.set({ leased_until: null }).execute()
}

/** How many more emails may be claimed: none while the circuit breaker is open, so that no attempt is wasted. */
async function countAdmitted(mail: Mail, inFlight: number): Promise<number> {
  const state = await mail.state()
  if (state === 'open') return 0
  return state === 'trial' ? Math.max(0, 1 - inFlight) : MAX_CONCURRENT - inFlight
}

async function claimDue(
  db: Database,
  clock: Clock,
  max: number,
  inFlight: readonly string[],
): Promise<OutboxRow[]> {
  const now = isoAfter(clock)
  const due = db
    .selectFrom('outbox')
    .select('id')
    .where('state', '=', 'waiting')
    .where(eb =>
      eb.or([eb('due_at', '<=', now), eb('due_at', '>', isoAfter(clock, MAX_RETRY_DELAY + MAX_CLOCK_SKEW))]),
    )
    .where(eb =>
      eb.or([
        eb('leased_until', 'is', null),
        eb('leased_until', '<=', now),
        eb('leased_until', '>', isoAfter(clock, LEASE + MAX_CLOCK_SKEW)),
      ]),
    )
    // If the clock jumps ahead, their leases seem to have expired.
    .$if(inFlight.length > 0, query => query.where('id', 'not in', inFlight))
    .orderBy('due_at')
    .limit(max)
    // Two nodes that poll concurrently claim different emails; SQLite has one writer and no such clause.
    .$if(isPostgres(db), query => query.forUpdate().skipLocked())
  return await db
    .updateTable('outbox')
    .set(eb => ({ leased_until: isoAfter(clock, LEASE), attempts: eb('attempts', '+', 1) }))
    .where('id', 'in', due)
    .returningAll()
    .execute()
}

async function dispatch(db: Database, mail: Mail, clock: Clock, log: Log, row: OutboxRow) {
  try {
    await mail.send(JSON.parse(row.email), DELIVERY_TIMEOUT, row.id)
    await finish(db, row.id, { state: 'sent', sent_at: isoAfter(clock), last_error: null, email: SENT_EMAIL })
    log('info', 'EmailService', 'Email sent', { ...nameOf(row), attempts: row.attempts })
  } catch (error) {
    const isOver = clock().getTime() - Date.parse(row.created_at) > GIVE_UP
    const { error: reason } = describeError(error)
    const details = { ...nameOf(row), attempts: row.attempts, error: reason }
    if (isOver) log('error', 'EmailService', 'Email not sent: given up', details)
    else log('warning', 'EmailService', 'Email not sent: will retry', details)
    const due_at = isoAfter(clock, retryDelay(row.attempts))
    await finish(db, row.id, { state: isOver ? 'failed' : 'waiting', due_at, last_error: reason })
  }
}

function nameOf({ id, message_id }: OutboxRow) {
  return { emailId: id, ...(message_id && { messageId: message_id }) }
}

async function finish(
  db: Database,
  id: string,
  change: Partial<Pick<OutboxRow, 'state' | 'sent_at' | 'due_at' | 'last_error' | 'email'>>,
) {
  await db
    .updateTable('outbox')
    .set({ ...change, leased_until: null })
    .where('id', '=', id)
    .execute()
}

/** Doubles from 10 s to 30 min; full jitter, so that emails rejected together are not retried together. */
function retryDelay(attempts: number): number {
  const longest = Math.min(MAX_RETRY_DELAY, FIRST_RETRY * 2 ** attempts)
  return FIRST_RETRY + Math.random() * (longest - FIRST_RETRY)
}
