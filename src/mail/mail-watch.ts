import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { isPostgres } from '../database/engine.ts'
import type { SharedClock } from '../database/shared-clock.ts'
import type { Database } from '../database/tables.ts'
import { describeError, type Log } from '../log/logger.ts'
import { type Clock, minutes, seconds } from '../platform/clock.ts'
import { type ImapAccount, openMailbox } from './imap.ts'
import { describeImapFailure, ImapFailure } from './imap-failure.ts'
import { createMailSession, type Receiver } from './mail-session.ts'
import {
  connectMailbox,
  fingerprintOf,
  LeaseLost,
  leaseMailbox,
  ownedMailbox,
  readMailbox,
} from './mailboxes.ts'

/** The mailbox that is fetched. */
export interface WatchedMailbox {
  readonly account: ImapAccount
  /** To which visitors answer. */
  readonly address: string
  readonly isPrivateAllowed: boolean
}

interface Dependencies {
  readonly db: Database
  readonly clock: Clock
  readonly sharedClock: SharedClock
  readonly log: Log
  /** Which mailbox is connected now; null without one. */
  find(): Promise<WatchedMailbox | null>
  /** Whether an email of this Message-ID only tries the way. */
  isTrial(messageId: string | null): boolean
}

/** How often a node that does not fetch looks whether it may, and one that does renews its lease. */
const RENEWAL = seconds(5)
/** How often a server is asked that announces nothing. */
const POLL = minutes(1)

/**
 * Fetches the mailbox that is connected, on one node at a time. Stores how far only after the mails are stored: whatever
 * ends in between, a mail is offered again, and the receiver knows it.
 */
export function createMailWatch({ db, clock, sharedClock, log, find, isTrial }: Dependencies) {
  const owner = randomUUID()
  const tries = new Map<number, number>()
  let running: Promise<void> | null = null
  let stopping = new AbortController()
  let waking = new AbortController()
  let current: { readonly key: string; readonly controller: AbortController } | null = null
  /** SQLite has one process, so a lease found at its start belongs to one that has ended. */
  let isAlone = !isPostgres(db)
  /** When this node knew that it has the lease. */
  let kept = 0

  async function loop(receiver: Receiver, beat: number, poll: number) {
    while (!stopping.signal.aborted) {
      const wasBusy = await attempt(receiver, beat, poll).catch(error => {
        log('error', 'EmailService', 'The mailbox could not be looked after', describeError(error))
        return false
      })
      if (!wasBusy) await pause(beat)
    }
  }

  /** Fetches the mailbox for as long as that works and this node may. @returns whether to look again at once */
  async function attempt(receiver: Receiver, beat: number, poll: number): Promise<boolean> {
    const watched = await find()
    if (!watched) return false
    await sharedClock.synchronise()
    const account = fingerprintOf(watched.account)
    await connectMailbox(db, clock, account)
    if (isAlone) await db.updateTable('mailboxes').set({ lease_owner: null, leased_until: null }).execute()
    isAlone = false
    const row = await leaseMailbox(db, sharedClock.now, account, owner, true)
    if (!row) return false
    kept = performance.now()
    const store = ownedMailbox(db, clock, sharedClock.now, account, owner)
    const controller = new AbortController()
    const signal = AbortSignal.any([stopping.signal, controller.signal])
    current = { key: keyOf(watched), controller }
    const timer = setInterval(() => void keep(account, controller), beat)
    try {
      const { isPrivateAllowed, address } = watched
      const mailbox = await openMailbox(watched.account, { isPrivateAllowed, clock, signal })
      if (row.failing_since) log('info', 'EmailService', 'The mailbox can be read again')
      try {
        const readRow = async () => (await readMailbox(db, account)) ?? lost()
        const session = createMailSession({
          ...receiver,
          ...{ mailbox, store, row, address, clock, log, tries, signal, readRow, isTrial },
        })
        await session.begin()
        await session.run(async time => {
          await mailbox.waitForNews(time, AbortSignal.any([signal, waking.signal]))
          if (waking.signal.aborted) waking = new AbortController()
        }, poll)
      } finally {
        await mailbox.close()
      }
    } catch (error) {
      if (signal.aborted) await store.release().catch(() => {})
      else if (!(error instanceof LeaseLost)) {
        const failure = error instanceof ImapFailure ? error : null
        if (row.failures === 0 || row.problem !== (failure?.problem ?? null))
          log('warning', 'EmailService', 'The mailbox cannot be read', describeError(error))
        await store.failed((await readMailbox(db, account)) ?? row, failure ?? describeOther(error))
      }
    } finally {
      clearInterval(timer)
      current = null
    }
    return controller.signal.aborted && !stopping.signal.aborted
  }

  /** Renews the lease, and ends the session when this node may go on no longer, or another mailbox is connected. */
  async function keep(account: string, controller: AbortController) {
    try {
      const watched = await find()
      if (!watched || keyOf(watched) !== current?.key) return controller.abort()
      const row = isPostgres(db)
        ? await leaseMailbox(db, sharedClock.now, account, owner, false)
        : await readMailbox(db, account)
      if (!row) return controller.abort()
      kept = performance.now()
      if (row.import_state === 'running') waking.abort()
    } catch {
      // Somebody else may have it by now.
      if (performance.now() - kept > seconds(15)) controller.abort()
    }
  }

  async function pause(time: number) {
    const signal = AbortSignal.any([stopping.signal, waking.signal])
    await sleep(time, undefined, { signal, ref: false }).catch(() => {})
    if (waking.signal.aborted) waking = new AbortController()
  }

  return {
    start(receiver: Receiver, { beat = RENEWAL, poll = POLL } = {}) {
      stopping = new AbortController()
      running ??= loop(receiver, beat, poll)
    },
    /** Looks at once, also after a failure or a change of the settings. */
    async wake() {
      await db.updateTable('mailboxes').set({ due_at: null }).execute()
      const watched = await find()
      if (current && (!watched || keyOf(watched) !== current.key)) current.controller.abort()
      waking.abort()
    },
    async stop() {
      stopping.abort()
      await running
      running = null
    },
  }
}

const keyOf = (watched: WatchedMailbox) => JSON.stringify(watched)

function lost(): never {
  throw new LeaseLost()
}

/** Of the database, or of a mail: the log has it, and people see what it means for them. */
function describeOther(error: unknown): ImapFailure {
  const failure = describeImapFailure(error, [])
  return new ImapFailure('A mail could not be stored', failure.problem, { cause: error })
}
