import type { Generated, Selectable } from 'kysely'
import type { Flag } from './account-tables.ts'

/** The tables of what comes by mail: decision 073. */
export interface MailInTables {
  /** A mail from outside. Its text is that of its entry, or of its message where that began as mail. */
  inbound_mails: {
    /** The id of its entry, or of its message. */
    entry_id: string
    message_id: string
    /** Its Message-ID, with angle brackets. */
    mail_id: string
    /** As the mail says, which anybody can forge; both may be empty. */
    from_name: string
    from_address: string
    /** JSON of a list of `MailAddress`, as the next. */
    to_addresses: string
    cc_addresses: string
    subject: string
    /** What it quotes of earlier mails at its end; may be empty. */
    body_quoted: string
    /** As it came, for a document of its own in a sandbox, and nowhere else. */
    html: string | null
    /** What kind of program sent it; null for a person. */
    automatic: AutomaticMail | null
    sender: MailSender
    /** The id of the message that it names without its sender being part of that conversation. It may be gone. */
    may_belong_to: string | null
    /** Why it is not shown as a whole, in words for staff. */
    problem: string | null
    /** When the mailbox got it. */
    mailbox_time: string
  }

  /** A file that is part of a conversation, or a whole mail that is not shown as a whole: decision 077. */
  attachments: {
    id: string
    message_id: string
    /** The id of what it came with, or went out with: an entry, a note, or the message. Of a draft, the user who writes it. */
    entry_id: string
    kind: 'file' | 'original' | 'draft'
    /** From 0, in the order in which they came. */
    position: number
    /** As it was sent, made safe. */
    name: string
    /** As its sender says: anybody can write anything there. */
    type: string
    /** Bytes. */
    size: number
    /** Why somebody should think twice before they open it. */
    warning: FileWarning | null
    /** The key of the blob that it has; null for what is not kept. */
    sha256: string | null
    /** Bytes of an upload that have arrived; null once it is complete. */
    received: number | null
    created_at: string
  }

  /** The bytes of attachments, each content once. */
  blobs: {
    /** Its key: the hash of its bytes, or the id of the attachment as which it was uploaded. */
    sha256: string
    /** Of its bytes, in hex; null while they are not all there. A node of an earlier version sets none: its key is the hash. */
    hash: string | null
    size: number
    created_at: string
    /** When the scanner has read them; null while it has not. */
    scanned_at: string | null
    /** The name of what it found, for which they are locked; null for nothing. */
    found: string | null
  }

  blob_chunks: {
    /** The key of the blob, and four digits that count from 0. */
    id: string
    sha256: string
    /** Base64 of at most 256 KiB. */
    body: string
  }

  /** Who has a part in a conversation: their mail is added to it. Nobody gets mail because of this. */
  participants: {
    message_id: string
    /** In its canonical form. */
    address: string
    name: string
    created_at: string
  }

  /** A mailbox that is fetched, or was: decision 074. Numbers of mails are texts, because they have 32 bits without a sign. */
  mailboxes: {
    /** SHA-256 of server, user and folder. */
    account: string
    connected_at: string
    /** Null before the first sign-in. With another one, the numbers of all mails are others. */
    uid_validity: string | null
    /** The lowest number that a mail can have which came after the mailbox was connected, or after its numbers changed. */
    first_uid: string | null
    /** Whether they have changed since it was connected: of lower ones, only the time says then what came after that. */
    is_renumbered: Generated<Flag>
    /** All mails up to this number are stored. */
    last_uid: string | null
    /** Of a mailbox without numbers: the link to what has changed since, below the address of its server. */
    delta_link: string | null
    /** Whether the mailbox has begun its changes again, so that all mail since the connection is compared with what is stored. */
    is_restarted: Generated<Flag>
    /** The node that fetches it, until then by the shared clock. */
    lease_owner: string | null
    leased_until: string | null
    /** Not tried before this time, after a failure. */
    due_at: string | null
    /** Tries that failed since the last one that did not. */
    failures: Generated<number>
    /** Mails that could not be stored; they stay in the mailbox. */
    passed_over: Generated<number>
    last_fetched_at: string | null
    /** Null while it works. */
    failing_since: string | null
    problem: string | null
    /** In words that are safe to show. */
    reason: string | null
    /** When the last days were compared with what is stored. */
    reconciled_at: string | null
    /** Of the import of earlier mail; null while there was none. */
    import_state: 'running' | 'stopped' | 'done' | null
    /** Mails from before it are left out; empty for all. */
    import_from: string | null
    /** All mails up to this number are imported; without numbers, up to this time. */
    import_uid: string | null
    import_total: Generated<number>
    import_done: Generated<number>
    /** Whether mail to `name+anything@` arrives; null before it was tried. */
    plus_addresses: Flag | null
    /** The last test of the whole way, as JSON. */
    trial: string | null
  }

  /** Addresses that a mail server has reported as unknown: they get no automatic email for a while. */
  undeliverable: {
    /** HMAC-SHA-256 of the canonical address. */
    address_hash: string
    reported_at: string
  }
}

/** An answer of a program, a report about the delivery of a letter, or mail to a list. */
export type AutomaticMail = 'reply' | 'report' | 'list'
/**
 * Of a conversation's mail, whether its sender has a part in it, or knows its address and is a stranger. `visitor`: began the
 * conversation.
 */
export type MailSender = 'participant' | 'stranger' | 'visitor'

/**
 * What a file is by its bytes or its name: a program, a page that a browser runs, a document with a script, or not what its name
 * says.
 */
export type FileWarning = 'program' | 'page' | 'script' | 'disguised'

export type AttachmentRow = Selectable<MailInTables['attachments']>
export type MailboxRow = Selectable<MailInTables['mailboxes']>
