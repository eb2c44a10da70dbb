import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { isPostgres } from '../database/engine.ts'
import type { MailboxRow } from '../database/mail-in-tables.ts'
import type { SharedClock } from '../database/shared-clock.ts'
import type { Database } from '../database/tables.ts'
import { describeError, type Log } from '../log/logger.ts'
import { type Clock, minutes, seconds } from '../platform/clock.ts'
import { describeImapFailure } from './imap-failure.ts'
import { createMailSession, type Receiver, type SessionMemory } from './mail-session.ts'
import { MailboxFailure, type MailSource } from './mail-source.ts'
import {
  connectMailbox,
  fingerprintOf,
  LeaseLost,
  leaseMailbox,
  type Mailboxes,
  type MailboxName,
  ownedMailbox,
  readMailbox,
} from './mailboxes.ts'

/** The mailbox that is fetched. */
export interface WatchedMailbox {
  readonly name: MailboxName
  /** To which visitors answer. */
  readonly address: string
  /** Another one after a change of how it is reached. A rotated token is none. */
  readonly revision: string
  /** Signs in. @throws {MailboxFailure} */
  open(place: MailboxPlace): Promise<MailSource>
}

/** Where a mailbox keeps how far it is fetched. */
export interface MailboxPlace {
  readonly store: Pick<Mailboxes, 'begin' | 'saveLast' | 'update'>
  readonly row: MailboxRow
  readonly signal?: AbortSignal
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
  const memory: SessionMemory = {
    tries: new Map(),
    stored: { news: new Set(), earlier: new Set() },
  }
  let running: Promise<void> | null = null
  let stopping = new AbortController()
  let waking = new AbortController()
  let current: { readonly revision: string; readonly controller: AbortController } | null = null
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
    const account = fingerprintOf(watched.name)
    await connectMailbox(db, clock, account)
    if (isAlone) await db.updateTable('mailboxes').set({ lease_owner: null, leased_until: null }).execute()
    isAlone = false
    const row = await leaseMailbox(db, sharedClock.now, account, owner, true)
    if (!row) return false
    kept = performance.now()
    const store = ownedMailbox(db, clock, sharedClock.now, account, owner)
    const controller = new AbortController()
    const signal = AbortSignal.any([stopping.signal, controller.signal])
    current = { revision: watched.revision, controller }
    const timer = setInterval(() => void keep(account, controller), beat)
    try {
      const { address } = watched
      const source = await watched.open({ store, row, signal })
      if (row.failing_since) log('info', 'EmailService', 'The mailbox can be read again')
      try {
        const readRow = async () => (await readMailbox(db, account)) ?? lost()
        const session = createMailSession({
          ...receiver,
          ...{ source, store, row, address, clock, log, memory, signal, readRow, isTrial },
        })
        await session.run(async time => {
          await source.waitForNews(time, AbortSignal.any([signal, waking.signal]))
          if (waking.signal.aborted) waking = new AbortController()
        }, poll)
      } finally {
        await source.close()
      }
    } catch (error) {
      if (signal.aborted) await store.release().catch(() => {})
      else if (!(error instanceof LeaseLost)) {
        const failure = error instanceof MailboxFailure ? error : null
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
      if (!watched || watched.revision !== current?.revision) return controller.abort()
      const row = isPostgres(db)
        ? await leaseMailbox(db, sharedClock.now, account, owner, false)
        : await readMailbox(db, account)
      if (!row) return controller.abort()
      kept = performance.now()
      if (row.import_state === 'running') waking.abort()
    } catch {
      // Somebody else may have it by now.
      if (performance.now() - kept > seconds(10)) controller.abort()
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
      if (current && (!watched || watched.revision !== current.revision)) current.controller.abort()
      waking.abort()
    },
    async stop() {
      stopping.abort()
      await running
      running = null
    },
  }
}

function lost(): never {
  throw new LeaseLost()
}

/** Of the database, or of a mail: the log has it, and people see what it means for them. */
function describeOther(error: unknown): MailboxFailure {
  const failure = describeImapFailure(error, [])
  return new MailboxFailure('A mail could not be stored', failure.problem, { cause: error })
}
