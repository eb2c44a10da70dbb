import type { Tables } from '../database/tables.ts'

/** The oldest schema whose rows can be copied: no release had an earlier one. */
const OLDEST_SCHEMA = '0014-standard-names'

const CONTENT = '0018-content'
const REVIEWS = '0019-reviews'
const PICTURES = '0021-pictures'
const PASSWORD_LINKS = '0024-password-links'
const CONVERSATIONS = '0025-conversations'
const ACKNOWLEDGEMENTS = '0030-acknowledgements'
const PICTURE_IDS = '0041-picture-ids'
const FORMER_USERS = '0044-former-users'
const MAIL_PROVIDERS = '0047-mail-providers'
const ORIGINS = '0050-old-addresses'
const MAIL_IN = '0051-mail-in'
const MAILBOXES = '0052-mailboxes'
const ATTACHMENTS = '0054-attachments'
const SAVED_VIEWS = '0055-saved-views'
const NOTICES = '0057-notices'
const FOLLOWERS = '0059-followers'
const SCHEDULED_REPLIES = '0060-scheduled-replies'
const VISITOR_PAGES = '0062-visitor-pages'
const ERASURE_REQUESTS = '0063-erasure-requests'

/** A table as it is copied: in the order of its key, which is the same on both engines. */
export interface CopiedTable {
  readonly name: keyof Tables | 'inbound_raw'
  readonly key: readonly string[]
  /** The key is a number. All others are texts. */
  readonly isNumbered?: true
  /** Its rows have hundreds of kilobytes each, so only a few are in memory at a time. */
  readonly isLarge?: true
  /** The migration that created it, if that came after the oldest schema. */
  readonly since?: string
  /** The migration that dropped it. */
  readonly until?: string
}

/**
 * Every table, each after those that it refers to. Left out is what belongs to one installation only: dummy login
 * attempts, rate limits, changes and codes that expire within the hour, and presence and requests for links, which last
 * for seconds. So are the words of the search, which a start makes again.
 */
export const copiedTables: readonly CopiedTable[] = [
  { name: 'erased', key: ['hash'] },
  { name: 'users', key: ['id'] },
  { name: 'former_users', key: ['id'], since: FORMER_USERS },
  { name: 'sessions', key: ['id'] },
  { name: 'pending_sign_ins', key: ['token_hash'] },
  { name: 'trusted_devices', key: ['token_hash'] },
  { name: 'known_browsers', key: ['user_id', 'token_hash'] },
  { name: 'browser_login_attempts', key: ['user_id', 'token_hash'] },
  { name: 'email_verifications', key: ['token_hash'] },
  { name: 'password_links', key: ['token_hash'], since: PASSWORD_LINKS },
  { name: 'api_tokens', key: ['id'] },
  { name: 'console_codes', key: ['user_id'] },
  { name: 'settings', key: ['key'] },
  { name: 'mail_providers', key: ['kind'], since: MAIL_PROVIDERS },
  { name: 'mail_tests', key: ['id'], since: MAIL_PROVIDERS },
  { name: 'mailboxes', key: ['account'], since: MAILBOXES },
  { name: 'messages', key: ['id'] },
  { name: 'entries', key: ['id'], since: '0016' },
  { name: 'notes', key: ['id'], since: CONVERSATIONS },
  { name: 'drafts', key: ['message_id', 'user_id', 'kind'], since: CONVERSATIONS },
  { name: 'scheduled_replies', key: ['message_id', 'user_id'], since: SCHEDULED_REPLIES },
  { name: 'message_tags', key: ['message_id', 'tag'], since: CONVERSATIONS },
  { name: 'erasure_requests', key: ['message_id'], since: ERASURE_REQUESTS },
  { name: 'visitor_tokens', key: ['token_hash'], since: VISITOR_PAGES },
  { name: 'mail_ids', key: ['mail_id'], since: CONVERSATIONS },
  { name: 'inbound_mails', key: ['entry_id'], isLarge: true, since: MAIL_IN },
  { name: 'inbound_raw', key: ['id'], isLarge: true, since: MAIL_IN, until: ATTACHMENTS },
  { name: 'blobs', key: ['sha256'], since: ATTACHMENTS },
  { name: 'blob_chunks', key: ['id'], isLarge: true, since: ATTACHMENTS },
  { name: 'attachments', key: ['id'], since: ATTACHMENTS },
  { name: 'participants', key: ['message_id', 'address'], since: MAIL_IN },
  { name: 'undeliverable', key: ['address_hash'], since: MAIL_IN },
  { name: 'acknowledgements', key: ['message_id'], since: ACKNOWLEDGEMENTS },
  { name: 'canned_replies', key: ['id'], since: ACKNOWLEDGEMENTS },
  { name: 'saved_views', key: ['id'], since: SAVED_VIEWS },
  { name: 'followers', key: ['message_id', 'user_id'], since: FOLLOWERS },
  { name: 'notices', key: ['user_id', 'message_id', 'kind'], since: NOTICES },
  { name: 'outbox', key: ['id'] },
  { name: 'digest_items', key: ['message_id'] },
  { name: 'idempotency_keys', key: ['key'] },
  { name: 'logs', key: ['id'] },
  { name: 'content_documents', key: ['id'], since: CONTENT },
  { name: 'content_versions', key: ['id'], since: CONTENT },
  { name: 'content_drafts', key: ['document_id'], since: CONTENT },
  { name: 'content_publications', key: ['id'], isNumbered: true, since: CONTENT },
  { name: 'content_redirects', key: ['language', 'from_path'], since: CONTENT },
  { name: 'content_origins', key: ['origin'], since: ORIGINS },
  { name: 'facts', key: ['id'], isNumbered: true, since: CONTENT },
  { name: 'content_draft_editors', key: ['document_id', 'user_id'], since: REVIEWS },
  { name: 'content_reviews', key: ['id'], since: REVIEWS },
  { name: 'fact_proposals', key: ['id'], since: REVIEWS },
  { name: 'pictures', key: ['id'], since: PICTURES },
  { name: 'picture_files', key: ['name'], isLarge: true, since: PICTURES },
  { name: 'picture_hashes', key: ['sha256'], since: PICTURE_IDS },
  { name: 'content_draft_pictures', key: ['document_id', 'picture_id'], since: PICTURES },
  { name: 'content_version_pictures', key: ['version_id', 'picture_id'], since: PICTURES },
]

/** The tables of a schema. @throws {Error} when the schema is too old to be copied */
export function tablesIn(migration: string): readonly CopiedTable[] {
  if (migration < OLDEST_SCHEMA)
    throw new Error(
      `The rows have the schema ${migration}, which is too old. Start Landfall with that database once, then copy it.`,
    )
  return copiedTables.filter(({ since = OLDEST_SCHEMA, until }) => {
    return migration >= since && (until === undefined || migration < until)
  })
}
