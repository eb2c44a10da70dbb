import type { Engine } from './fault.ts'

/** A line of the product that keeps a promise, and what is seen when it is not there. */
export interface Defence {
  readonly title: string
  readonly file: string
  readonly from: string
  readonly to: string
  readonly fault: string
  readonly engine: Engine
  /** The short form may miss what happens once in ten times. */
  readonly isRare?: boolean
  /** The line with which the proof must fail: another failure would say nothing of this defence. */
  readonly seen: RegExp
}

/** Cycles, acknowledged, lost, duplicated, seconds. */
const LOST = / \d+ \d+ [1-9]\d* \d+ \d+ NOT PROVEN$/
const DUPLICATED = / \d+ \d+ \d+ [1-9]\d* \d+ NOT PROVEN$/

export const defences: readonly Defence[] = [
  {
    title: 'the answer waits for the commit',
    file: 'src/features/enquiry-form/accept-enquiry.server.ts',
    from: 'const printLogEntry = await store(',
    to: 'const printLogEntry = () => {}; void store(',
    fault: 'F1',
    engine: 'SQLite',
    seen: LOST,
  },
  {
    title: 'the letter is in the transaction of its enquiry',
    file: 'src/features/enquiry-form/accept-enquiry.server.ts',
    from: 'else await addNotice(services, transaction, values, { id, reference, formType, enquiry })',
    to: 'else setTimeout(() => addNotice(services, db, values, { id, reference, formType, enquiry }), 1000)',
    fault: 'F1',
    engine: 'PostgreSQL',
    seen: LOST,
  },
  {
    title: 'the answer waits for the commit of the server',
    file: 'src/features/enquiry-form/accept-enquiry.server.ts',
    from: 'const printLogEntry = await store(services, accepted, received)',
    to: 'const printLogEntry = () => {}; store(services, accepted, received).catch(() => {})',
    fault: 'F2',
    engine: 'PostgreSQL',
    seen: LOST,
  },
  {
    title: 'a database that is away is told from a bug',
    file: 'src/database/unavailable.ts',
    from: 'return isRefused || isStuck',
    to: 'return isStuck',
    fault: 'F4',
    engine: 'PostgreSQL',
    seen: /a post was answered 500 instead of 503$/,
  },
  {
    title: 'nobody waits for a database that says nothing',
    file: 'src/database/postgres/dialect.ts',
    from: 'quick: { max: 10, statement_timeout: STATEMENT_TIMEOUT, query_timeout: MAX_SILENCE }',
    to: 'quick: { max: 10 }',
    fault: 'F5',
    engine: 'PostgreSQL',
    seen: /a post was answered 0 instead of 503$/,
  },
  {
    title: 'a letter that is refused is tried again',
    file: 'src/mail/outbox.ts',
    from: "state: isOver ? 'failed' : 'waiting'",
    to: "state: 'failed'",
    fault: 'F6',
    engine: 'SQLite',
    seen: /letters stay away after/,
  },
  {
    title: 'a letter counts as sent only once it is',
    file: 'src/mail/outbox.ts',
    from: 'await mail.send(JSON.parse(row.email), DELIVERY_TIMEOUT, row.id)',
    to: "await finish(db, row.id, { state: 'sent' }); await mail.send(JSON.parse(row.email), DELIVERY_TIMEOUT, row.id)",
    fault: 'F7',
    engine: 'SQLite',
    seen: LOST,
  },
  {
    title: 'a full disk is told from a bug',
    file: 'src/database/unavailable.ts',
    from: 'new Set([5, 10, 13, 14])',
    to: 'new Set([5, 10, 14])',
    fault: 'F8',
    engine: 'SQLite',
    seen: /a failed write was answered 500$/,
  },
  {
    title: 'a disk that fails is told from a bug',
    file: 'src/database/unavailable.ts',
    from: 'new Set([5, 10, 13, 14])',
    to: 'new Set([5, 13, 14])',
    fault: 'F9',
    engine: 'SQLite',
    seen: /a failed write was answered 500$/,
  },
  {
    title: 'a failed commit is heard by those whom it was for',
    file: 'src/database/sqlite/group-commit.ts',
    from: '      group.fail(error)\n      if (this.#writer.isInTransaction)',
    to: '      group.succeed()\n      if (this.#writer.isInTransaction)',
    fault: 'F8',
    engine: 'SQLite',
    isRare: true,
    seen: LOST,
  },
  {
    title: 'a time too far ahead is none',
    file: 'src/mail/outbox.ts',
    from: "eb('due_at', '>', isoAfter(clock, MAX_RETRY_DELAY + MAX_CLOCK_SKEW))",
    to: "eb('due_at', '<=', now)",
    fault: 'F10',
    engine: 'SQLite',
    seen: /letters stay after a jump/,
  },
  {
    title: 'a repeat gets the first answer',
    file: 'src/features/enquiry-form/api.server.ts',
    from: 'key ? keyFromHeader(formType, key) : null',
    to: 'key ? null : null',
    fault: 'F11',
    engine: 'SQLite',
    seen: DUPLICATED,
  },
  {
    title: 'an end waits for what is in hand',
    file: 'src/http/graceful-shutdown.ts',
    from: 'if (inFlight > 0) await allDone.promise',
    to: '',
    fault: 'F12',
    engine: 'SQLite',
    seen: /^ [1-9]\d* enquiries in hand were dropped, 0 of them with a 503$/,
  },
  {
    title: 'a letter in hand is leased',
    file: 'src/mail/outbox.ts',
    from: 'leased_until: isoAfter(clock, LEASE), ',
    to: '',
    fault: 'F13',
    engine: 'PostgreSQL',
    seen: /^ [1-9]\d* letters came more than once, after 0 kills$/,
  },
  {
    title: 'the schema changes as a whole',
    file: 'src/database/sqlite/dialect.ts',
    from: 'supportsTransactionalDdl() {\n    return true',
    to: 'supportsTransactionalDdl() {\n    return false',
    fault: 'F14',
    engine: 'SQLite',
    isRare: true,
    seen: /The product does not start/,
  },
  {
    title: 'a backup is of one moment',
    file: 'src/backup/snapshot.ts',
    from: "db.exec('begin')",
    to: '',
    fault: 'F15',
    engine: 'SQLite',
    seen: /FOREIGN KEY constraint failed|enquiries without what was stored with them$/,
  },
  {
    title: 'changes of the staff take turns',
    file: 'src/features/users/store.server.ts',
    from: 'if (isPostgres(transaction)) await sql`select pg_advisory',
    to: 'if (!isPostgres(transaction)) await sql`select pg_advisory',
    fault: 'F16',
    engine: 'PostgreSQL',
    seen: /^ 0 admins are left$/,
  },
  {
    title: 'nodes count together',
    file: 'src/services.ts',
    from: 'isPostgres(db) ? createPostgresRateLimiter(db, clock) : ownLimits',
    to: 'ownLimits',
    fault: 'F16',
    engine: 'PostgreSQL',
    seen: /^ an address had 20 enquiries stored$/,
  },
  {
    title: 'a provider that fails is left alone',
    file: 'src/circuit-breaker.ts',
    from: 'const MAX_FAILURES = 5',
    to: 'const MAX_FAILURES = 500',
    fault: 'F18',
    engine: 'SQLite',
    seen: /asked 10 times, and the breaker opens after 5$/,
  },
]
