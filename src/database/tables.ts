import type { Generated, Kysely, Selectable } from 'kysely'
import type { InboxGrant, Role } from '../auth/permissions.ts'
import type { LogLevel, LogSource } from '../log/levels.ts'
import type { ContentTables } from './content-tables.ts'
import type { ConversationColumns, ConversationTables } from './conversation-tables.ts'
import type { PictureTables } from './picture-tables.ts'

/**
 * One schema for both engines: ids are UUIDv7 text, times ISO 8601 UTC text, booleans 0 or 1, documents JSON text, files
 * base64 text.
 */
export interface Tables extends ContentTables, ConversationTables, PictureTables {
  users: UsersTable
  sessions: SessionsTable
  pending_sign_ins: PendingSignInsTable
  trusted_devices: TrustedDevicesTable
  console_codes: ConsoleCodesTable
  email_verifications: EmailVerificationsTable
  password_links: PasswordLinksTable
  password_requests: PasswordRequestsTable
  known_browsers: KnownBrowsersTable
  browser_login_attempts: BrowserLoginAttemptsTable
  settings: SettingsTable
  messages: MessagesTable
  outbox: OutboxTable
  digest_items: DigestItemsTable
  idempotency_keys: IdempotencyKeysTable
  api_tokens: ApiTokensTable
  rate_limits: RateLimitsTable
  logs: LogsTable
  dummy_login_attempts: DummyLoginAttemptsTable
  erased: ErasedTable
}

export type Database = Kysely<Tables>
export type Flag = 0 | 1

interface UsersTable {
  id: string
  /** Canonical form, unique. */
  email: string
  name: string
  role: Role
  /** What the role allows of it is in effect: see `auth/permissions.ts`. */
  inbox: Generated<InboxGrant>
  /** Empty while the person has not accepted their invitation: no password matches it. */
  password_hash: string
  /** The first admin: cannot be deleted, nor its e-mail or role changed in the portal. */
  is_default: Flag
  email_verified: Flag
  /** Wrong passwords in a row, from browsers that this account does not know. */
  failed_sign_ins: Generated<number>
  locked_until: string | null
  /** When the last of them came. */
  last_failed_at: Generated<string | null>
  /** Wrong sign-in codes since the last right one. */
  wrong_codes: Generated<number>
  /** When the email about a locked account is due; null once it is sent, or when the account was not locked. */
  lock_email_due_at: Generated<string | null>
  created_at: string
}

interface SessionsTable {
  id: string
  /** SHA-256 of the cookie's value. */
  token_hash: string
  user_id: string
  user_agent: string
  created_at: string
  last_seen_at: string
}

interface PendingSignInsTable {
  token_hash: string
  user_id: string
  code_hash: string
  code_expires_at: string
  code_sent_at: string
  failures: number
  created_at: string
}

interface TrustedDevicesTable {
  token_hash: string
  user_id: string
  expires_at: string
}

/** A sign-in code that was printed on the server because emails do not arrive; one for each user. */
interface ConsoleCodesTable {
  user_id: string
  code_hash: string
  expires_at: string
}

/** A link that was sent to prove an address; it counts only while that is still the user's. */
interface EmailVerificationsTable {
  token_hash: string
  user_id: string
  email: string
  expires_at: string
}

/** A link with which a person sets a password; it counts only while address and password are those of then. */
interface PasswordLinksTable {
  /** SHA-256 of the link's token. */
  token_hash: string
  user_id: string
  purpose: 'reset' | 'invitation'
  email: string
  /** SHA-256 of the user's `password_hash`. */
  password_fingerprint: string
  expires_at: string
}

/** An address for which somebody asked for a link; deleted within seconds, whether or not it belongs to a user. */
interface PasswordRequestsTable {
  /** Canonical form. */
  email: string
  requested_at: string
}

/** A browser in which a user has signed in before. */
interface KnownBrowsersTable {
  user_id: string
  token_hash: string
  seen_at: string
}

/** Wrong passwords in a row from one browser that the account knows or trusts. */
interface BrowserLoginAttemptsTable {
  user_id: string
  /** SHA-256 of the cookie by which the browser is known. */
  token_hash: string
  failed_sign_ins: number
  locked_until: string | null
  last_failed_at: string
}

interface SettingsTable {
  key: string
  value: string
  updated_at: string
}

interface MessagesTable extends ConversationColumns {
  id: string
  reference: string
  form_type: 'contact' | 'visa-assessment' | 'tracking' | 'auth'
  name: string
  email: string
  phone: string | null
  service: 'family' | 'skilled' | 'business' | 'investor' | 'other' | null
  message: string
  is_read: Flag
  verification: string
  created_at: string
  /** JSON of further answers; null without any. */
  details: Generated<string | null>
}

interface DummyLoginAttemptsTable {
  /** The first byte of the hash of an address. */
  id: number
  tries: number
}

interface OutboxTable {
  id: string
  /** A notice to staff of one enquiry, a digest of several, a reply or an acknowledgement to a visitor, or an email about an account. */
  kind: 'notice' | 'digest' | 'reply' | 'acknowledgement' | 'account'
  /** The enquiry that the email is about; null for digests and for emails about an account. */
  message_id: string | null
  /** An `Email` as JSON. */
  email: string
  state: 'waiting' | 'sent' | 'failed'
  attempts: number
  /** Not attempted before this time. */
  due_at: string
  /** While in the future, one dispatcher has claimed it. */
  leased_until: string | null
  last_error: string | null
  created_at: string
  sent_at: string | null
}

/** A message that staff are notified of in a digest. */
interface DigestItemsTable {
  message_id: string
  /** The digest; null until it is written. */
  email_id: string | null
  created_at: string
}

interface IdempotencyKeysTable {
  key: string
  request_hash: string
  reply: string
  expires_at: string
}

interface ApiTokensTable {
  id: string
  /** SHA-256 of the token. */
  token_hash: string
  /** Whose permissions it has. */
  user_id: string
  description: string
  /** `legacy` is for old clients of unknown kind; no new token has it. */
  token_type: 'api' | 'mobile' | 'web' | 'integration' | 'legacy'
  created_at: string
  expires_at: string
  last_used_at: string | null
}

/** A log entry. It has no foreign keys, so that it outlives the rows that it mentions. */
interface LogsTable {
  /** Holds the entry's time, so that it also gives its order and its age. */
  id: string
  level: LogLevel
  source: LogSource
  message: string
  /** A JSON object, clipped; the id of the request is in it. */
  details: string
  ip_address: string | null
  user_id: string | null
  user_agent: string | null
  created_at: string
}

/** The erase-again list: what a restore must leave out. */
interface ErasedTable {
  /** HMAC-SHA-256 of the kind and the address or id. */
  hash: string
  /** Messages with the emails about them, or everything that came from an address until then. */
  kind: 'message' | 'email' | 'address'
  /** Names the key of the hash. */
  key_id: string
  erased_at: string
}

/** On PostgreSQL only: what was used of a limit in its current window, over all nodes. */
interface RateLimitsTable {
  /** SHA-256 of the limit and of its key. */
  key: string
  used: number
  /** What the limit allows. */
  most: number
  ends_at: string
}

export type UserRow = Selectable<UsersTable>
export type MessageRow = Selectable<MessagesTable>
/** An enquiry as it is stored, before anybody does anything with it. */
export type EnquiryRow = Omit<MessageRow, Exclude<keyof ConversationColumns, 'due_at' | 'due_rule'>>
export type StoredReplyRow = Selectable<IdempotencyKeysTable>
export type RateLimitRow = Selectable<RateLimitsTable>
export type OutboxRow = Selectable<OutboxTable>
export type LogRow = Selectable<LogsTable>
export type ErasedRow = Selectable<ErasedTable>
