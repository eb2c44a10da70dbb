import type { Engine } from './fault.ts'

/** A line of the product that keeps a promise, and the failure that its removal must cause. */
export interface Defence {
  readonly title: string
  readonly file: string
  readonly from: string
  readonly to: string
  readonly fault: string
  readonly engine: Engine
  /** Runs in the full form, because the short form may miss it. */
  readonly isRare?: boolean
  /** Matches the line with which the fault run must fail. Another failure says nothing about this defence. */
  readonly seen: RegExp
}

/** Cycles, acknowledged, lost, duplicated, seconds. */
const LOST = / \d+ \d+ [1-9]\d* \d+ \d+ FAILED$/
const DUPLICATED = / \d+ \d+ \d+ [1-9]\d* \d+ FAILED$/

export const defences: readonly Defence[] = [
  {
    title: 'the response waits for the commit',
    file: 'src/features/enquiry-form/accept-enquiry.server.ts',
    from: 'await inTransaction(services.db, transaction =>',
    to: 'void inTransaction(services.db, transaction =>',
    fault: 'F1',
    engine: 'SQLite',
    seen: LOST,
  },
  {
    title: 'the email is written in the transaction of its enquiry',
    file: 'src/features/enquiry-form/accept-enquiry.server.ts',
    from: 'else await addNotice(services, transaction, values, { id, reference, formType, enquiry })',
    to: 'else setTimeout(() => inTransaction(services.db, later => addNotice(services, later, values, { id, reference, formType, enquiry })), 1000)',
    fault: 'F1',
    engine: 'PostgreSQL',
    seen: LOST,
  },
  {
    title: 'the response waits for the commit of the database server',
    file: 'src/features/enquiry-form/accept-enquiry.server.ts',
    from: 'insert(services, transaction, accepted, received))\n    return received',
    to: 'insert(services, transaction, accepted, received)).catch(() => {})\n    return received',
    fault: 'F2',
    engine: 'PostgreSQL',
    seen: LOST,
  },
  {
    title: 'an unavailable database is distinguished from a bug',
    file: 'src/database/unavailable.ts',
    from: 'return isRefused || isStuck',
    to: 'return isStuck',
    fault: 'F4',
    engine: 'PostgreSQL',
    seen: /a request got 500 instead of 503$/,
  },
  {
    title: 'no request waits for a database that does not respond',
    file: 'src/database/postgres/dialect.ts',
    from: 'quick: { max: 10, statement_timeout: STATEMENT_TIMEOUT, query_timeout: MAX_SILENCE }',
    to: 'quick: { max: 10 }',
    fault: 'F5',
    engine: 'PostgreSQL',
    seen: /a request got 0 instead of 503$/,
  },
  {
    title: 'an email that is rejected is tried again',
    file: 'src/mail/outbox.ts',
    from: "state: isOver ? 'failed' : 'waiting'",
    to: "state: 'failed'",
    fault: 'F6',
    engine: 'SQLite',
    seen: /emails are missing after/,
  },
  {
    title: 'an email is marked as sent only after the relay has accepted it',
    file: 'src/mail/outbox.ts',
    from: 'await mail.send(JSON.parse(row.email), DELIVERY_TIMEOUT, row.id)',
    to: "await finish(db, row.id, { state: 'sent' }); await mail.send(JSON.parse(row.email), DELIVERY_TIMEOUT, row.id)",
    fault: 'F7',
    engine: 'SQLite',
    seen: LOST,
  },
  {
    title: 'a full disk is distinguished from a bug',
    file: 'src/database/unavailable.ts',
    from: 'new Set([5, 10, 13, 14])',
    to: 'new Set([5, 10, 14])',
    fault: 'F8',
    engine: 'SQLite',
    seen: /a failed write got 500$/,
  },
  {
    title: 'a failing disk is distinguished from a bug',
    file: 'src/database/unavailable.ts',
    from: 'new Set([5, 10, 13, 14])',
    to: 'new Set([5, 13, 14])',
    fault: 'F9',
    engine: 'SQLite',
    seen: /a failed write got 500$/,
  },
  {
    title: 'a failed commit fails every request of its batch',
    file: 'src/database/sqlite/group-commit.ts',
    from: '      group.fail(error)\n      if (this.#writer.isInTransaction)',
    to: '      group.succeed()\n      if (this.#writer.isInTransaction)',
    fault: 'F8',
    engine: 'SQLite',
    isRare: true,
    seen: LOST,
  },
  {
    title: 'a due time too far in the future is ignored',
    file: 'src/mail/outbox.ts',
    from: "eb('due_at', '>', isoAfter(clock, MAX_RETRY_DELAY + MAX_CLOCK_SKEW))",
    to: "eb('due_at', '<=', now)",
    fault: 'F10',
    engine: 'SQLite',
    seen: /emails are stuck after a clock jump/,
  },
  {
    title: 'a repeated request gets the first response',
    file: 'src/features/enquiry-form/api.server.ts',
    from: 'keyFromHeader(formType, key, contentOf(enquiry))',
    to: 'keyFromHeader(formType, undefined, contentOf(enquiry))',
    fault: 'F11',
    engine: 'SQLite',
    seen: DUPLICATED,
  },
  {
    title: 'a shutdown waits for requests in progress',
    file: 'src/http/graceful-shutdown.ts',
    from: 'if (inFlight > 0) await allFinished.promise',
    to: '',
    fault: 'F12',
    engine: 'SQLite',
    seen: /^ [1-9]\d* enquiries in progress were dropped, 0 of them with a 503$/,
  },
  {
    title: 'an email in flight is leased',
    file: 'src/mail/outbox.ts',
    from: 'leased_until: isoAfter(clock, LEASE), ',
    to: '',
    fault: 'F13',
    engine: 'PostgreSQL',
    seen: /^ [1-9]\d* emails arrived more than once, after 0 kills$/,
  },
  {
    title: 'a migration is one transaction',
    file: 'src/database/sqlite/dialect.ts',
    from: 'supportsTransactionalDdl() {\n    return true',
    to: 'supportsTransactionalDdl() {\n    return false',
    fault: 'F14',
    engine: 'SQLite',
    isRare: true,
    seen: /The product did not start/,
  },
  {
    title: 'a backup is of the whole database',
    file: 'src/backup/back-up.ts',
    from: 'createReadStream(copy, { highWaterMark: 1 << 20 })',
    to: 'createReadStream(copy, { end: 1 << 20 })',
    fault: 'F15',
    engine: 'SQLite',
    seen: /was damaged when it was backed up|malformed/,
  },
  {
    title: 'changes to staff accounts are serialised',
    file: 'src/features/users/store.server.ts',
    from: 'if (isPostgres(transaction)) await sql`select pg_advisory',
    to: 'if (!isPostgres(transaction)) await sql`select pg_advisory',
    fault: 'F16',
    engine: 'PostgreSQL',
    seen: /^ 0 admins are left$/,
  },
  {
    title: 'all nodes share the rate limits',
    file: 'src/services.ts',
    from: 'isPostgres(db) ? createPostgresRateLimiter(db, clock) : localRateLimiter',
    to: 'localRateLimiter',
    fault: 'F16',
    engine: 'PostgreSQL',
    seen: /^ an address had 20 enquiries stored$/,
  },
  {
    title: 'a failing provider is not called again',
    file: 'src/circuit-breaker.ts',
    from: 'const MAX_FAILURES = 5',
    to: 'const MAX_FAILURES = 500',
    fault: 'F18',
    engine: 'SQLite',
    seen: /called 10 times, and the breaker opens after 5$/,
  },
]
