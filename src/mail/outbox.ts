import { setTimeout as sleep } from 'node:timers/promises'
import { type Clock, hours, isoAfter, minutes, seconds } from '../clock.ts'
import { isPostgres } from '../database/engine.ts'
import type { Database, OutboxRow } from '../database/tables.ts'
import { describeError, type Log } from '../log/logger.ts'
import type { Email } from './email.ts'
import { insertEmail } from './insert-email.ts'
import type { Mail } from './mail.ts'

/** One dispatcher holds a letter at most this long; then another may take it. */
const LEASE = seconds(10)
/** Shorter than the lease, so that a slow provider cannot make two dispatchers send one letter. */
const DELIVERY_TIMEOUT = seconds(8)
const FIRST_RETRY = seconds(10)
const MAX_RETRY_DELAY = minutes(30)
/** After this the letter counts as failed, and a person decides. */
export const GIVE_UP = hours(72)
/** How often to look for letters that another node wrote or that have become due. */
const POLL = seconds(5)
/**
 * The clocks of two nodes may differ by this. A time still further ahead than any that is given here was written before
 * the clock was set back, and letters must not wait until it comes again.
 */
const MAX_CLOCK_SKEW = minutes(1)
const MAX_CONCURRENT = 10
/** While letters are written faster than they leave, those who write them come first; this makes 40 letters a second. */
const THROTTLE = seconds(0.25)

export interface Outbox {
  /** Writes a letter in the transaction that it tells of; call `wake` once that has committed. @returns its id. */
  add(transaction: Database, email: Email, about: { messageId: string } | null): Promise<string>
  /** Has `work` done before each look at what is due: the place to write letters whose time has come. */
  beforePoll(work: () => Promise<void>): void
  /** Sends what is due now, without waiting for the next look. */
  wake(): void
  /** Begins to dispatch. */
  start(): Promise<void>
  /** Ends dispatching once the letters in hand are done. */
  stop(): Promise<void>
}

/**
 * Letters leave at least once: a letter is marked as sent only after its provider accepted it, and one that was in
 * hand when the process died is taken up again when its lease ends, under the same Message-ID.
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
      // Letters that are already written leave even when one of these fails.
      for (const prepare of preparations)
        await prepare().catch(error => report('A letter that is due could not be written', error))
      written = 0
      const most = await countAdmitted(mail, inFlight.size)
      const emails = most > 0 ? await claimDue(db, clock, most, [...inFlight.keys()]) : []
      for (const row of emails) hold(row, emails.length === most)
      if (written > MAX_CONCURRENT) await sleep(THROTTLE)
    }
  }

  /** Has a letter in hand until it is sent or put back; one that takes long keeps no other waiting. */
  function hold(row: OutboxRow, mayBeMore: boolean) {
    const done = dispatch(db, mail, clock, log, row)
      .catch(error => report('A letter could not be put back', error))
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
        // Between its last look and this line somebody may have written a letter.
        if (isWanted && timer) wake()
      })
  }

  return {
    async add(transaction, email, about) {
      written++
      return await insertEmail(transaction, clock, email, about)
    },
    beforePoll(work) {
      preparations.push(work)
    },
    wake: () => {
      if (timer) wake()
    },
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

/** SQLite has one process, so a lease found at the start belongs to a process that is gone. */
async function releaseLeases(db: Database) {
  const leased = db.updateTable('outbox').where('state', '=', 'waiting').where('leased_until', 'is not', null)
  await leased.set({ leased_until: null }).execute()
}

/** How many more letters may be taken: none while the provider is left alone, so that no try is wasted on it. */
async function countAdmitted(mail: Mail, inFlight: number): Promise<number> {
  const state = await mail.state()
  if (state === 'open') return 0
  return state === 'trial' ? Math.max(0, 1 - inFlight) : MAX_CONCURRENT - inFlight
}

async function claimDue(
  db: Database,
  clock: Clock,
  most: number,
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
    // Should the clock jump ahead, their leases seem to be over.
    .$if(inFlight.length > 0, query => query.where('id', 'not in', inFlight))
    .orderBy('due_at')
    .limit(most)
    // Two nodes that look at once take different letters; SQLite has one writer and knows no such clause.
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
    await finish(db, row.id, { state: 'sent', sent_at: isoAfter(clock), last_error: null })
    log('info', 'EmailService', 'A letter was sent', { ...nameOf(row), attempts: row.attempts })
  } catch (error) {
    const isOver = clock().getTime() - Date.parse(row.created_at) > GIVE_UP
    const { error: reason } = describeError(error)
    const details = { ...nameOf(row), attempts: row.attempts, error: reason }
    if (isOver) log('error', 'EmailService', 'A letter could not be sent and was given up', details)
    else log('warning', 'EmailService', 'A letter could not be sent', details)
    const due_at = isoAfter(clock, retryDelay(row.attempts))
    await finish(db, row.id, { state: isOver ? 'failed' : 'waiting', due_at, last_error: reason })
  }
}

function nameOf({ id, message_id }: OutboxRow) {
  return { letter: id, ...(message_id && { messageId: message_id }) }
}

async function finish(
  db: Database,
  id: string,
  change: Partial<Pick<OutboxRow, 'state' | 'sent_at' | 'due_at' | 'last_error'>>,
) {
  await db
    .updateTable('outbox')
    .set({ ...change, leased_until: null })
    .where('id', '=', id)
    .execute()
}

/** Doubles from 10 s to 30 min; full jitter, so that letters refused together do not come back together. */
function retryDelay(attempts: number): number {
  const longest = Math.min(MAX_RETRY_DELAY, FIRST_RETRY * 2 ** attempts)
  return FIRST_RETRY + Math.random() * (longest - FIRST_RETRY)
}
