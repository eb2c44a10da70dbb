import type { Generated, Selectable } from 'kysely'
import type { Flag } from './account-tables.ts'

/** The tables of what staff do with a message: decision 039. */
export interface ConversationTables {
  /** The history of a message. */
  entries: {
    id: string
    message_id: string
    /** Counts the entries of a message from 1. */
    seq: number
    kind: EntryKind
    /** A user, who may have been deleted since. Null also for what nobody did. */
    author_id: string | null
    /** What was said. Of an event its action again, for nodes of the previous version. */
    body: string
    /** What was done; null for what was said. */
    action: string | null
    /** The status that this changed, and the new one. Of events from before there were such columns, where it is known. */
    status_before: MessageStatus | null
    status_after: MessageStatus | null
    /** Of an event: the new value, the id of the user whom it concerns, or why it happened. Of a reply that nobody wrote: what it is. */
    detail: string | null
    /** Of a reply: the addresses of the copies, as a JSON list. */
    cc: string | null
    /** Of a phone call, as the next two; null for one from before they were asked for. */
    call_direction: CallDirection | null
    /** Null for a call from before, which counts as reached. */
    call_outcome: CallOutcome | null
    call_minutes: number | null
    created_at: string
  }

  /** What staff write for each other. Nothing that writes emails may read this table: `notes.test.ts`. */
  notes: {
    id: string
    message_id: string
    /** A user, who may have been deleted since. */
    author_id: string | null
    body: string
    /** Its author is who the mail names as its sender, which anybody can forge. */
    came_by_mail: Generated<Flag>
    created_at: string
  }

  /** Drafts of staff: one of each kind for each person and message. */
  drafts: {
    message_id: string
    user_id: string
    kind: DraftKind
    body: string
    /** One more with each change. */
    version: number
    updated_at: string
  }

  /** Drafts of replies that are sent at a time. A row goes when that is done, or when it could not be. */
  scheduled_replies: {
    message_id: string
    user_id: string
    /** By the shared clock. */
    sends_at: string
    /** SHA-256 of the draft, in hex: one that was changed since then is not sent. */
    body_hash: string
    /** JSON: the addresses of the copies. */
    cc: string | null
    /** JSON: the ids of the files. */
    attachments: string
    /** The number of the last entry that its writer saw. */
    last_seq: number
    status_after: Exclude<MessageStatus, 'spam'> | null
    /** Why it is not sent any more, in words; null while it will be. */
    held_because: string | null
    created_at: string
  }

  /** What lets a visitor see the page of an enquiry: the link of an email, or a browser in which its code was typed. */
  visitor_tokens: {
    /** SHA-256, in hex. */
    token_hash: string
    message_id: string
    kind: 'link' | 'access'
    created_at: string
  }

  /** A code that was emailed about an enquiry, for the one browser or link that has asked for it. */
  visitor_codes: {
    /** SHA-256 of the token of the link, or of what the browser got when it asked; in hex. */
    asker: string
    /** Null where there is no such enquiry: its code was emailed to nobody, and costs the same to try. */
    message_id: string | null
    /** HMAC-SHA-256, in hex. */
    code_hash: string
    created_at: string
    /** Wrong codes since. */
    tries: number
  }

  /** What somebody asked for by reference and address; deleted within seconds, whether or not there is such an enquiry. */
  visitor_requests: {
    /** Of a code, its `asker`. */
    id: string
    kind: 'link' | 'code'
    reference: string
    email: string
    created_at: string
  }

  /** Visitors who ask to be erased although somebody has answered them. */
  erasure_requests: {
    message_id: string
    requested_at: string
    /** Null while nobody has decided. */
    refused_at: string | null
    /** For the visitor. */
    reason: string | null
  }

  message_tags: {
    message_id: string
    tag: string
  }

  /** Message-IDs of emails to and from the visitor, so that an answer finds what it answers. */
  mail_ids: {
    /** With its angle brackets. */
    mail_id: string
    message_id: string
    /** Or a note, or the message itself where it began as mail. */
    entry_id: string
    /** Of what came: by which it is known again once it is deleted, and by which another mail with the same id is not lost. */
    identity_hash: string | null
    content_hash: string | null
    created_at: string
  }

  /** Which messages staff have changed: what the event stream sends. Kept for an hour. Decision 042. */
  changes: {
    /** In the order of the commits. */
    id: number
    message_id: string
    kind: 'changed' | 'deleted' | 'writing'
    created_at: string
  }

  /** The people who have a message open. */
  presence: {
    message_id: string
    user_id: string
    expires_at: string
    /** Until when they count as writing about it; null while they do not. */
    writing_until: string | null
  }

  /** Enquiries whose sender may get an acknowledgement, and for a day who got one. It outlives the message for that day. */
  acknowledgements: {
    message_id: string
    /** HMAC-SHA-256 of the canonical address; null until it is decided that an email is sent. */
    recipient_hash: string | null
    created_at: string
    /** When the email was written; null until then. */
    decided_at: string | null
  }

  /** Texts that staff insert into replies. */
  canned_replies: {
    id: string
    title: string
    /** With placeholders such as `{name}`. */
    body: string
    /** The same in further languages, as JSON: a list of objects with `language` and `body`. */
    variants: Generated<string>
    /** Counts from 0, in the order of the list. */
    position: number
    /** How often staff inserted it. */
    uses: Generated<number>
    updated_at: string
  }

  /** Filters of the inbox that one person has saved. Nobody else reads them. */
  saved_views: {
    id: string
    user_id: string
    name: string
    /** What the address of the list has, as an object in JSON. */
    filter: string
    updated_at: string
  }

  /** Who gets a notice of each new email, also while the message is not theirs. */
  followers: {
    message_id: string
    user_id: string
  }

  /** What waits for somebody to look at it. A row goes when they have. */
  notices: {
    user_id: string
    message_id: string
    /** Assigned to them, named in a note, a new email of the visitor or of others, the end of a snooze, a scheduled reply not sent. */
    kind: 'assigned' | 'mentioned' | 'answered' | 'snoozed' | 'unsent'
    /** The colleague; null for one who was deleted, and where no colleague has done it. */
    by_id: string | null
    /** Of one about a snooze, when that ends. */
    created_at: string
    /** When the email that says it was written; null before that, and for who wants none. */
    emailed_at: string | null
  }

  /** The words of a message, its replies, calls and tags, as the search of the inbox compares them: decision 052. */
  search_words: ConversationTables['note_words'] & {
    /** Set by triggers when one of the texts changes; the words are empty then, and the texts are read themselves. */
    is_stale: Generated<Flag>
    /** Raised by the same triggers, so that words which were read before a change are not written after it. */
    version: Generated<number>
  }

  /** The words of the notes about a message. Nothing but the search of the inbox may read this table: `notes.test.ts`. */
  note_words: {
    message_id: string
    words: string
    /** Texts that match by any part: email address, reference, digits of phone numbers. */
    parts: string
  }
}

export type MessageStatus = 'open' | 'waiting' | 'closed' | 'spam'
export type EntryKind = 'reply' | 'inbound' | 'call' | 'event'
/** `in`: the visitor called. `out`: the office called. */
export type CallDirection = 'in' | 'out'
export type CallOutcome = 'reached' | 'no-answer' | 'left-message'
export type DraftKind = 'reply' | 'note'

/** The columns that make a message a conversation. An enquiry is stored without them. */
export interface ConversationColumns {
  status: Generated<MessageStatus>
  /** Null while it has the status that it came with. */
  status_since: string | null
  assignee_id: string | null
  snoozed_until: string | null
  /** When the first reply is due; null while nobody waits for one. */
  due_at: string | null
  /** By which office hours that was worked out; null for messages from before there were any. */
  due_rule: string | null
  /** The part of the Reply-To address by which an answer finds its conversation. */
  reply_key: string | null
  /** Counts the changes of status, assignee, tags and snooze. */
  version: Generated<number>
  /** Null until somebody has said something after the enquiry. */
  last_activity_at: string | null
  /** The visitor's latest words, shortened; null while that is the enquiry. */
  excerpt: string | null
  /** The Monday that began the office's week of the first answer that did not fail; null without one. */
  first_reply_week: string | null
  /** Working minutes of the office from the enquiry to that answer. */
  first_reply_minutes: number | null
  /** The message in whose conversation this one is shown; that one is never merged itself. */
  merged_into: string | null
}

export type CannedReplyRow = Selectable<ConversationTables['canned_replies']>
export type EntryRow = Selectable<ConversationTables['entries']>
export type NoteRow = Selectable<ConversationTables['notes']>
export type SavedViewRow = Selectable<ConversationTables['saved_views']>
