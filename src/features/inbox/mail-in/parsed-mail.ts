import type { AutomaticMail, FileWarning } from '../../../database/mail-in-tables.ts'

/** Characters of a text that are shown; the rest is in the original. */
export const MAX_SHOWN = 20_000
/** Characters of HTML that are kept for *Show formatting*. */
export const MAX_HTML = 512 * 1024
export const MAX_ADDRESSES = 200
/** Files that are listed, and of which the first ones are kept. */
export const MAX_LISTED = 100
export const MAX_FILES = 20
/** Message-IDs that a mail answers, of which the newest count. */
export const MAX_NAMED = 100
/** Characters of a name, a subject, and a Message-ID. */
export const MAX_NAME = 100
export const MAX_SUBJECT = 500
export const MAX_MAIL_ID = 500

/** What no text shows, but changes what is shown around it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it removes
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

export const clean = (text: string) => text.replace(/\r\n?/g, '\n').toWellFormed().replace(CONTROLS, '')

/** Bidirectional controls are for texts: a name or a subject that has them lies about what is around it. */
export function oneLine(text: string, most: number): string {
  const shown = text.slice(0, 4 * most).replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
  return cutAt(clean(shown.replace(/[\s\u0085\u2028\u2029]+/gu, ' ')).trim(), most)
}

/** Never ends within a character. */
export function cutAt(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, most).replace(/[\ud800-\udbff]$/, '')
}

export interface MailAddress {
  readonly name: string
  readonly address: string
}

/** A mail as it is stored: everything in it is bounded, and its names are on one line. */
export interface ParsedMail {
  /** With angle brackets; null without one. */
  readonly messageId: string | null
  /** The Message-IDs that it had if it is one of ours: anybody can write any there. */
  readonly repeatedIds: readonly string[]
  /** The Message-IDs that it answers, the nearest first. */
  readonly answers: readonly string[]
  readonly from: MailAddress
  readonly to: readonly MailAddress[]
  readonly cc: readonly MailAddress[]
  /** All that may say to which address it was sent, in lower case. */
  readonly sentTo: readonly string[]
  readonly subject: string
  readonly text: string
  readonly quoted: string
  readonly html: string | null
  readonly attachments: readonly MailFile[]
  readonly automatic: AutomaticMail | null
  readonly report: DeliveryReport | null
  /** Why it is not shown as a whole. */
  readonly problem: string | null
  /** SHA-256 of all of it, in hex, where not all of it is shown; null where nothing is missing. */
  readonly original: string | null
  /** Names the mail again when it is fetched another time: its id, sender and date. */
  readonly identityHash: string
  /** The same with all that it says, for another mail with the same id. */
  readonly contentHash: string
}

/** A file in a mail. */
export interface MailFile {
  readonly name: string
  /** Bytes. */
  readonly size: number
  /** As the mail says. */
  readonly type: string
  readonly warning: FileWarning | null
  /** Its bytes and their hash, in hex. Null for what is in the whole mail only. */
  readonly content: { readonly bytes: Uint8Array<ArrayBuffer>; readonly sha256: string } | null
}

/** A mail server says that an email was not delivered. */
export interface DeliveryReport {
  /** Message-IDs that it names. */
  readonly emails: readonly string[]
  /** Canonical addresses, with the status code, such as `5.1.1`, and the words of the server. */
  readonly failed: readonly { readonly address: string; readonly status: string; readonly words: string }[]
}

/** What the thread that parses gets. */
export interface ParseRequest {
  readonly raw: Uint8Array
  /** Bytes that were not fetched. */
  readonly omitted: number
  /** Domains of the agency: a list of its own hands mail on, and is no newsletter. */
  readonly ownDomains: readonly string[]
  /** Only the headers, of what could not be read otherwise, with the reason. */
  readonly failed: string | null
}
