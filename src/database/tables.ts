import type { Generated, Kysely, Selectable } from 'kysely'
import type { LogLevel, LogSource } from '../log/levels.ts'
import type { AccountTables, Flag } from './account-tables.ts'
import type { ContentTables } from './content-tables.ts'
import type { ConversationColumns, ConversationTables } from './conversation-tables.ts'
import type { MailInTables } from './mail-in-tables.ts'

/**
 * One schema for both engines: ids are UUIDv7 text, times ISO 8601 UTC text, booleans 0 or 1, documents JSON text, files
 * base64 text.
 */
export interface Tables extends AccountTables, ContentTables, ConversationTables, MailInTables {
  settings: {
    key: string
    value: string
    updated_at: string
  }

  /** The last results of each mail provider. */
  mail_providers: {
    kind: 'mailchimp' | 'environment' | 'settings'
    /** A keyed hash of the provider and its account; empty for what was saved before there were any. */
    fingerprint: string
    /** When the digits of its test email came back. */
    confirmed_at: string | null
    /** When it accepted its first email. */
    sent_at: string | null
    /** Null while emails come through. */
    failing_since: string | null
    /** In the words of the provider, without addresses. */
    reason: string | null
  }

  /** The last test email of a provider that waits to be used. */
  mail_tests: {
    /** Of the waiting provider. */
    id: string
    sent_to: string
    tested_at: string
    /** Null when the provider refused the email. */
    code_hash: string | null
    expires_at: string | null
    wrong_codes: number
    /** Why it failed, in the words of the provider. */
    reason: string | null
    problem: string | null
  }

  messages: ConversationColumns & {
    id: string
    reference: string
    form_type: 'contact' | 'visa-assessment' | 'tracking' | 'auth' | 'email'
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

  outbox: {
    id: string
    /**
     * A notice to staff of one enquiry, or of another mail in its conversation, a digest of several, a reply or an acknowledgement
     * to a visitor, a link or a code that a visitor asked for, or an email about an account.
     */
    kind: 'notice' | 'mail-notice' | 'digest' | 'reply' | 'acknowledgement' | 'visitor' | 'account'
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
  digest_items: {
    message_id: string
    /** The digest; null until it is written. */
    email_id: string | null
    created_at: string
  }

  idempotency_keys: {
    key: string
    request_hash: string
    reply: string
    expires_at: string
  }

  /** On PostgreSQL only: what was used of a limit in its current window, over all nodes. */
  rate_limits: {
    /** SHA-256 of the limit and of its key. */
    key: string
    used: number
    /** Attempts that the limit allows. */
    most: number
    ends_at: string
  }

  /** A log entry. It has no foreign keys, so that it outlives the rows that it mentions. */
  logs: {
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
  erased: {
    /** HMAC-SHA-256 of the kind and the address or id. */
    hash: string
    /**
     * Messages with the emails about them, or everything that came from an address until then. What has expired is deleted
     * from the local mailbox, and a restore does not leave it out. A mail is not received again.
     */
    kind: 'message' | 'email' | 'address' | 'expired' | 'mail'
    /** Names the key of the hash. */
    key_id: string
    erased_at: string
  }

  pictures: {
    /** Random: 128 bits in hexadecimal. */
    id: string
    /** Pixels of the largest size. */
    width: number
    height: number
    /** Of all its files. */
    bytes: number
    /** The name at that time, which outlives the account. */
    uploaded_by: string
    created_at: string
  }

  /** A picture in one size and format. */
  picture_files: {
    /** As in its address: `<id>-480.avif`. */
    name: string
    picture_id: string
    /** Base64. */
    body: string
  }

  /** Which upload became which picture. It outlives the picture: the same file again is the picture that versions name. */
  picture_hashes: {
    /** Of the file that was uploaded, in hexadecimal. Nobody outside of the server learns it. */
    sha256: string
    picture_id: string
    /** 1 for a picture whose address was its hash. */
    was_address: number
  }

  /** The pictures that a draft names. Some may be missing. */
  content_draft_pictures: {
    document_id: string
    picture_id: string
  }

  /** The pictures that a version names. Once it is out of date, they may be deleted. */
  content_version_pictures: {
    version_id: string
    picture_id: string
  }
}

export type Database = Kysely<Tables>

export type UserRow = Selectable<Tables['users']>
export type MessageRow = Selectable<Tables['messages']>
/** An enquiry as it is stored, before anybody does anything with it. */
export type EnquiryRow = Omit<
  MessageRow,
  Exclude<keyof ConversationColumns, 'due_at' | 'due_rule' | 'reply_key'>
>
export type StoredReplyRow = Selectable<Tables['idempotency_keys']>
export type RateLimitRow = Selectable<Tables['rate_limits']>
export type OutboxRow = Selectable<Tables['outbox']>
export type LogRow = Selectable<Tables['logs']>
export type ErasedRow = Selectable<Tables['erased']>

export type PictureRow = Selectable<Tables['pictures']>
