import { setTimeout as sleep } from 'node:timers/promises'
import { type Clock, seconds } from '../clock.ts'
import { isPostgres } from '../database/engine.ts'
import type { Database, OutboxRow } from '../database/tables.ts'
import type { Transaction } from '../database/transaction.ts'
import { describeError, type Log } from '../log/logger.ts'
import { claimDue, failUnconfirmed, releaseLeases } from './claims.ts'
import { dispatch } from './dispatch.ts'
import type { Email } from './email.ts'
import { insertEmail, type Subject } from './insert-email.ts'
import type { Mail } from './mail.ts'

/** How often to poll for emails that another node wrote or that have become due. */
const POLL = seconds(5)
const MAX_CONCURRENT = 10
/** While emails are written faster than they are sent, writers have priority: at most 40 emails a second are sent. */
const THROTTLE = seconds(0.25)

export interface Outbox {
  /** Writes an email in the transaction that it reports on; after the commit it is sent. @returns its id. */
  add(transaction: Transaction, email: Email, about: Subject): Promise<string>
  /** Runs `work` before each poll, to write emails that have fallen due. */
  beforePoll(work: () => Promise<void>): void
  /** Runs `work` in the transaction that records that an email was given up. */
  afterFailure(work: (transaction: Transaction, row: OutboxRow) => Promise<void>): void
  /** Sends what is due now, without waiting for the next poll. */
  wake(): void
  /** Starts dispatching. */
  start(): Promise<void>
  /** Stops dispatching after the emails in flight are finished. */
  stop(): Promise<void>
}

/**
 * Delivers at least once: an email is marked as sent only after its provider accepted it, and one that was in flight when
 * the process died is sent again when its lease ends, with the same Message-ID. An email to a visitor is delivered at most
 * once: when it is not known whether the provider accepted it, it counts as failed, and staff decide.
 */
export function createOutbox(db: Database, mail: Mail, clock: Clock, log: Log): Outbox {
  let draining: Promise<void> | null = null
  const inFlight = new Map<string, Promise<void>>()
  let isWanted = false
  let written = 0
  const preparations: (() => Promise<void>)[] = []
  const failureHooks: ((transaction: Transaction, row: OutboxRow) => Promise<void>)[] = []
  let timer: NodeJS.Timeout | null = null

  const sender = {
    ...{ db, mail, clock, log },
    isStopped: () => timer === null,
    async onFailure(transaction: Transaction, row: OutboxRow) {
      for (const work of failureHooks) await work(transaction, row)
    },
  }

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
      await failUnconfirmed(sender, { ids: [...inFlight.keys()] })
      const max = await countAdmitted(mail, inFlight.size)
      const emails = max > 0 ? await claimDue(db, clock, max, [...inFlight.keys()]) : []
      for (const row of emails) track(row, emails.length === max)
      if (written > MAX_CONCURRENT) await sleep(THROTTLE)
    }
  }

  /** Tracks an email until it is sent or released; a slow one delays no other. */
  function track(row: OutboxRow, mayBeMore: boolean) {
    const done = dispatch(sender, row)
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
    afterFailure(work) {
      failureHooks.push(work)
    },
    wake: wakeIfStarted,
    async start() {
      // SQLite has one process, so a lease found at start belongs to a process that has ended.
      if (!isPostgres(db)) await failUnconfirmed(sender, 'all')
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

/** How many more emails may be claimed: none while the circuit breaker is open, so that no attempt is wasted. */
async function countAdmitted(mail: Mail, inFlight: number): Promise<number> {
  const state = await mail.state()
  if (state === 'open') return 0
  return state === 'trial' ? Math.max(0, 1 - inFlight) : MAX_CONCURRENT - inFlight
}
