import * as z from 'zod/mini'
import { roles } from '../../auth/permissions.ts'
import { SearchWords } from '../../http/common-schemas.ts'
import { endpoint } from '../../http/endpoint.ts'
import { type LogLevel, logLevels, logSources } from '../../log/levels.ts'

export const levelLabels: Record<LogLevel, string> = {
  debug: 'Debug',
  info: 'Info',
  warning: 'Warning',
  error: 'Error',
  critical: 'Critical',
}

/** Days after which a line is old enough to be deleted by hand. */
export const OLD_AFTER_DAYS = 30

const LogEntry = z.object({
  id: z.string(),
  level: z.enum(logLevels),
  source: z.enum(logSources),
  message: z.string(),
  details: z.record(z.string(), z.unknown()),
  ipAddress: z.nullable(z.string()),
  userId: z.nullable(z.string()),
  /** The user as they are now; null when there was none, or they have been deleted since. */
  user: z.nullable(z.object({ name: z.string(), email: z.string(), role: z.enum(roles) })),
  /** The name of a user who has been deleted since. */
  formerUser: z.nullable(z.string()),
  userAgent: z.nullable(z.string()),
  createdAt: z.string(),
})
export type LogEntry = z.output<typeof LogEntry>

const LogQuery = z.strictObject({
  /** Words that must all occur in the message, the details or the address. */
  q: z.optional(SearchWords),
  /** Entries about what this user did. */
  userId: z.optional(z.uuid()),
  level: z.optional(z.enum(logLevels)),
  source: z.optional(z.enum(logSources)),
  /** There is one environment; whatever else is asked for is refused rather than found empty. */
  environment: z._default(z.literal('production'), 'production'),
  limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(200)), 100),
  /** The `nextCursor` of the page before. */
  cursor: z.optional(z.uuid()),
})
export type LogQuery = z.output<typeof LogQuery>

const LogPage = z.object({
  logs: z.array(LogEntry),
  /** Null at the end of the list only. A long search may return few entries, or none, and continues from here. */
  nextCursor: z.nullable(z.string()),
})
export type LogPage = z.output<typeof LogPage>

export const logs = {
  list: endpoint({
    method: 'GET',
    path: '/api/logs',
    access: 'logs',
    summary: 'List log entries, newest first',
    input: LogQuery,
    reply: LogPage,
  }),
  deleteOld: endpoint({
    method: 'DELETE',
    path: '/api/logs',
    access: 'logs',
    summary: 'Delete the log entries that are older than 30 days',
    // Nothing that is sent changes what is old.
    input: z.strictObject({}),
    reply: z.object({ count: z.number() }),
  }),
}
