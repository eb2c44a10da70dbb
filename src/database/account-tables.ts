import type { Generated } from 'kysely'
import type { InboxGrant, Role } from '../auth/permissions.ts'

export type Flag = 0 | 1

/** Accounts, sign-ins, sessions and tokens. */
export interface AccountTables {
  users: {
    id: string
    /** Canonical form, unique. */
    email: string
    name: string
    role: Role
    /** The role limits it: see `auth/permissions.ts`. */
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
    /** What stands under their replies, on one or more lines; null while that is their name. */
    signature: Generated<string | null>
    /** Whether an email says what colleagues have left for them in the inbox. */
    notice_emails: Generated<Flag>
    created_at: string
  }

  /** The names of deleted users, for the history of their work. Nothing else of theirs is kept. */
  former_users: {
    id: string
    name: string
    deleted_at: string
  }

  sessions: {
    id: string
    /** SHA-256 of the cookie's value. */
    token_hash: string
    user_id: string
    user_agent: string
    created_at: string
    last_seen_at: string
  }

  pending_sign_ins: {
    token_hash: string
    user_id: string
    code_hash: string
    code_expires_at: string
    code_sent_at: string
    failures: number
    created_at: string
  }

  trusted_devices: {
    token_hash: string
    user_id: string
    expires_at: string
  }

  /** A sign-in code that was printed on the server because emails do not arrive; one for each user. */
  console_codes: {
    user_id: string
    code_hash: string
    expires_at: string
  }

  /** A link that was sent to prove an address; it counts only while that is still the user's. */
  email_verifications: {
    token_hash: string
    user_id: string
    email: string
    expires_at: string
  }

  /** A link with which a person sets a password; it counts only while address and password are those of then. */
  password_links: {
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
  password_requests: {
    /** Canonical form. */
    email: string
    requested_at: string
  }

  /** A browser in which a user has signed in before. */
  known_browsers: {
    user_id: string
    token_hash: string
    seen_at: string
  }

  /** Wrong passwords in a row from one browser that the account knows or trusts. */
  browser_login_attempts: {
    user_id: string
    /** SHA-256 of the cookie by which the browser is known. */
    token_hash: string
    failed_sign_ins: number
    locked_until: string | null
    last_failed_at: string
  }

  api_tokens: {
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

  dummy_login_attempts: {
    /** The first byte of the hash of an address. */
    id: number
    tries: number
  }
}
