import { setTimeout as sleep } from 'node:timers/promises'
import { type SqlBool, sql } from 'kysely'
import { isPostgres } from '../database/engine.ts'
import { newId } from '../database/id.ts'
import { type Param, prepare } from '../database/prepare.ts'
import type { Database, OutboxRow } from '../database/tables.ts'
import { inTransaction, type Transaction } from '../database/transaction.ts'
import { describeError } from '../log/logger.ts'
import { type Clock, isoAfter, MAX_CLOCK_SKEW, minutes, seconds } from '../platform/clock.ts'
import { dispatch, MAX_RETRY_DELAY, recordFailure, type Sender, sentOnce } from './dispatch.ts'
import type { Email } from './email.ts'
import type { Mail } from './mail.ts'

/** How often to poll for emails that another node wrote or that have become due. */
const POLL = seconds(5)
const MAX_CONCURRENT = 10
/** Of these, the ones with files: each is in memory, several times as long as they are, and takes its time. */
const MAX_WITH_FILES = 2
/** While emails are written faster than they are sent, writers have priority: at most 40 emails a second are sent. */
const THROTTLE = seconds(0.25)

export type Outbox = ReturnType<typeof createOutbox>

type FailureHook = Sender['onFailure']

/**
 * Delivers at least once: an email is marked as sent only after its provider accepted it, and one that was in flight when
 * the process died is sent again when its lease ends, with the same Message-ID. An email to a visitor is delivered at most
 * once: when it is not known whether the provider accepted it, it counts as failed, and staff decide.
 */
export function createOutbox(services: Omit<Sender, 'isStopped' | 'onFailure'>) {
  const { db, mail, sharedClock, log } = services
  let draining: Promise<void> | null = null
  const inFlight = new Map<string, Promise<void>>()
  /** The ids of those with files. */
  const withFiles = new Set<string>()
  let isWanted = false
  let written = 0
  const preparations: (() => Promise<void>)[] = []
  const failureHooks: FailureHook[] = []
  let timer: NodeJS.Timeout | null = null

  const sender = {
    ...services,
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
      await sharedClock.synchronise()
      await failUnconfirmed(sender, { ids: [...inFlight.keys()] })
      const max = await countAdmitted(mail, inFlight.size, withFiles.size)
      const claim = async (places: number, only: Only) =>
        places > 0
          ? await claimDue(db, sharedClock.now, places, { inFlight: [...inFlight.keys()], only })
          : []
      // One that takes minutes says little of a provider that is on trial.
      const first = max === 1 ? await claim(max, 'others') : []
      const forLarge = Math.min(max - first.length, MAX_WITH_FILES - withFiles.size)
      const ids = forLarge > 0 ? await listWithFiles(db) : []
      const large = ids.length > 0 ? await claim(forLarge, { ids }) : []
      const others = [...first, ...(await claim(max - first.length - large.length, 'others'))]
      const mayBeMore =
        withFiles.size + large.length === MAX_WITH_FILES || large.length + others.length === max
      for (const row of large) withFiles.add(row.id)
      for (const row of [...large, ...others]) track(row, mayBeMore)
      if (written > MAX_CONCURRENT) await sleep(THROTTLE)
    }
  }

  /** Tracks an email until it is sent or released; a slow one delays no other. */
  function track(row: OutboxRow, mayBeMore: boolean) {
    const done = dispatch(sender, row)
      .catch(error => report('Email could not be released for another attempt', error))
      .finally(() => {
        inFlight.delete(row.id)
        withFiles.delete(row.id)
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
    /** Writes an email in the transaction that it reports on; after the commit it is sent. @returns its id. */
    async add(transaction: Transaction, email: Email, about: Subject): Promise<string> {
      written++
      transaction.afterCommit(wakeIfStarted)
      const row = newRow(email, about, services)
      await insertRow(transaction, row)
      return row.id
    },
    /** Runs `work` before each poll, to write emails that have fallen due. */
    beforePoll: (work: () => Promise<void>) => void preparations.push(work),
    /** Runs `work` in the transaction that records that an email was given up. */
    afterFailure: (work: FailureHook) => void failureHooks.push(work),
    /** Sends what is due now, without waiting for the next poll. */
    wake: wakeIfStarted,
    async start() {
      // SQLite has one process, so a lease found at start belongs to a process that has ended.
      if (!isPostgres(db)) await failUnconfirmed(sender, 'all')
      if (!isPostgres(db)) await releaseLeases(db)
      timer = setInterval(wake, POLL)
      wake()
    },
    /** Stops after the emails in flight are finished. */
    async stop() {
      if (timer) clearInterval(timer)
      timer = null
      await draining
      await Promise.all(inFlight.values())
    },
  }
}

/** The number of emails that may be claimed now. None while the circuit breaker is open, so that no attempt is wasted. */
async function countAdmitted(mail: Mail, inFlight: number, withFiles: number): Promise<number> {
  const state = await mail.state()
  if (state === 'open') return 0
  return state === 'trial'
    ? Math.max(0, 1 - (inFlight - withFiles))
    : Math.min(MAX_CONCURRENT, await mail.atOnce()) - inFlight
}

/** The subject of an email. Null: an account. */
type Subject =
  | { readonly kind: 'notice' | 'mail-notice' | 'visitor'; readonly messageId: string }
  | { readonly kind: 'digest' }
  /** Its id is that of its entry, and until `dueAt` it can be undone. */
  | { readonly kind: 'reply'; readonly id: string; readonly messageId: string; readonly dueAt: string }
  /** Its id is that of its entry. */
  | { readonly kind: 'acknowledgement'; readonly id: string; readonly messageId: string }
  | null

const insertRow = prepare((db, value: Param<OutboxRow>) =>
  db.insertInto('outbox').values({
    id: value('id'),
    kind: value('kind'),
    message_id: value('message_id'),
    email: value('email'),
    state: value('state'),
    attempts: value('attempts'),
    due_at: value('due_at'),
    leased_until: value('leased_until'),
    last_error: value('last_error'),
    created_at: value('created_at'),
    sent_at: value('sent_at'),
  }),
)

function newRow(
  email: Email,
  about: Subject,
  { clock, sharedClock }: Pick<Sender, 'clock' | 'sharedClock'>,
): OutboxRow {
  return {
    id: about && 'id' in about ? about.id : newId(clock()),
    kind: about?.kind ?? 'account',
    message_id: about && 'messageId' in about ? about.messageId : null,
    email: JSON.stringify(email),
    state: 'waiting',
    attempts: 0,
    due_at: about?.kind === 'reply' ? about.dueAt : isoAfter(sharedClock.now),
    leased_until: null,
    last_error: null,
    created_at: isoAfter(clock),
    sent_at: null,
  }
}

/** A dispatcher leases an email for this long, by the shared clock; then another may claim it. */
const LEASE = seconds(10)
/** One with files takes longer. */
const LEASE_WITH_FILES = minutes(4)

/** The lease of an email to a visitor that waited in a backup: over on any clock. */
export const RESTORED = ''
const IN_BACKUP =
  'This was waiting when the backup was made. It may have been sent: ask before you send it again.'

/** Why an email to a visitor counts as failed although it may have arrived. */
const NOT_RECORDED = {
  reply: 'Landfall was interrupted while it sent this reply, so it may have arrived. Ask, or send it again.',
  acknowledgement: 'Landfall was interrupted while it sent this email, so it may have arrived.',
}

async function releaseLeases(db: Database): Promise<void> {
  const leased = db.updateTable('outbox').where('state', '=', 'waiting').where('leased_until', 'is not', null)
  await leased.set({ leased_until: null }).execute()
}

/** As JSON has it; within a text, the quotation mark after the name would be escaped. */
const WITH_FILES = '%"attachments":[%'

/**
 * Replies with files that wait. They are looked for by themselves: in the order in which emails are due, each claim would read
 * the texts of all that wait.
 */
async function listWithFiles(db: Database): Promise<string[]> {
  const replies = db
    .selectFrom('outbox')
    .select('id')
    .where('state', '=', 'waiting')
    .where('kind', '=', 'reply')
  return (await replies.where('email', 'like', WITH_FILES).execute()).map(({ id }) => id)
}

/** Which emails are claimed: some of these with files, or those without any. */
type Only = 'others' | { readonly ids: readonly string[] }

/** Claims emails that are due. One to a visitor is claimed once for each time that it is known not to be sent. */
async function claimDue(
  db: Database,
  clock: Clock,
  max: number,
  { inFlight, only }: { readonly inFlight: readonly string[]; readonly only: Only },
) {
  const now = isoAfter(clock)
  const lease = only === 'others' ? LEASE : LEASE_WITH_FILES
  // A due time further ahead than any retry delay was written before the clock was set back, and the email must not wait.
  const due = db
    .selectFrom('outbox')
    .select('id')
    .where('state', '=', 'waiting')
    .where(eb =>
      only === 'others'
        ? eb.or([eb('kind', '!=', 'reply'), eb('email', 'not like', WITH_FILES)])
        : eb('id', 'in', only.ids),
    )
    .where(eb =>
      eb.or([eb('due_at', '<=', now), eb('due_at', '>', isoAfter(clock, MAX_RETRY_DELAY + MAX_CLOCK_SKEW))]),
    )
    .where(eb =>
      eb.or([eb('leased_until', 'is', null), eb.and([eb('kind', 'not in', sentOnce), hasExpired(clock)])]),
    )
    // If the clock jumps ahead, their leases seem to have expired.
    .$if(inFlight.length > 0, query => query.where('id', 'not in', inFlight))
    .orderBy('due_at')
    .limit(max)
    // Two nodes that poll concurrently claim different emails; SQLite has one writer and no such clause.
    .$if(isPostgres(db), query => query.forUpdate().skipLocked())
  return await db
    .updateTable('outbox')
    .set(eb => ({ leased_until: isoAfter(clock, lease), attempts: eb('attempts', '+', 1) }))
    .where('id', 'in', due)
    .returningAll()
    .execute()
}

/** A lease is over, or was written before the clock was set back. */
function hasExpired(clock: Clock) {
  const latest = isoAfter(clock, LEASE_WITH_FILES + MAX_CLOCK_SKEW)
  return sql<SqlBool>`(leased_until <= ${isoAfter(clock)} or leased_until > ${latest})`
}

/**
 * Gives up emails to visitors whose attempt has no recorded outcome: the process that sent them has died or lost the database, and
 * another attempt could be a second email. @param which all that are leased, or those whose lease is over, except `ids`
 */
async function failUnconfirmed(sender: Sender, which: 'all' | { readonly ids: readonly string[] }) {
  const { db, sharedClock } = sender
  const rows = await db
    .selectFrom('outbox')
    .selectAll()
    .where('state', '=', 'waiting')
    .where('kind', 'in', sentOnce)
    .where('leased_until', 'is not', null)
    .$if(which !== 'all', query => query.where(hasExpired(sharedClock.now)))
    .execute()
  const ownIds = which === 'all' ? [] : which.ids
  for (const row of rows.filter(({ id }) => !ownIds.includes(id)))
    await inTransaction(db, async transaction => {
      const unrecorded = NOT_RECORDED[row.kind === 'reply' ? row.kind : 'acknowledgement']
      const words = row.leased_until === RESTORED ? IN_BACKUP : unrecorded
      await recordFailure(sender, transaction, row, words)
    })
}
