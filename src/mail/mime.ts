import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import MailComposer from 'nodemailer/lib/mail-composer'
import { encodeWord } from 'nodemailer/lib/mime-funcs'
import type { Clock } from '../platform/clock.ts'
import { escapeControls } from '../platform/terminal.ts'
import { automaticHeaders, LOGO_CID } from './email.ts'
import type { AddressedEmail, EmailFile, Transport } from './transport.ts'
import { OWN_ID_HEADER } from './trial-email.ts'

/** Bytes of an encoded word, so that a line stays within what every mail server takes. */
const MAX_WORD = 52

/** A mail reader may decode a word that begins like this (RFC 2047), and show something else. */
const ENCODED_WORD = '=?'

/**
 * An email as it is sent. Addresses go as objects, so no text can add a recipient.
 * Some providers replace the Message-ID, so a header of our own repeats it: by that we know our emails when they come back.
 * @param isReplaced whether the provider is known to do so: then the id stands among the references too, where answers keep it
 */
export async function composeMime(
  email: AddressedEmail,
  newline: 'unix' | 'windows',
  isReplaced = false,
): Promise<Buffer> {
  const composed = new MailComposer({
    messageId: email.messageId,
    from: { name: email.fromName, address: email.from },
    to: { name: '', address: email.to },
    cc: (email.cc ?? []).map(address => ({ name: '', address })),
    ...(email.replyTo && { replyTo: email.replyTo }),
    ...threadOf(email, isReplaced),
    headers: { ...automaticHeaders(email), [OWN_ID_HEADER]: email.messageId },
    subject: encodeSubject(email.subject),
    text: email.text,
    ...(email.html !== undefined && { html: email.html }),
    attachments: [...(email.logo ? [logoPart(email.logo)] : []), ...(email.attachments ?? []).map(filePart)],
    newline,
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile()
  // By itself it puts a name that looks encoded into quotes, and many readers decode it all the same.
  return await Object.assign(composed, { _encodeAddressName: encodeName }).build()
}

/** Beside the HTML that shows it, and no file that somebody could save. */
function logoPart(content: Buffer) {
  return {
    cid: LOGO_CID,
    content,
    contentType: 'image/png',
    contentDisposition: 'inline' as const,
    filename: 'logo.png',
  }
}

/** As base64, whatever its type is: no server on the way changes a line break of it. */
function filePart({ name, type, content }: EmailFile) {
  return {
    filename: name,
    content,
    contentType: type,
    contentDisposition: 'attachment' as const,
    contentTransferEncoding: 'base64' as const,
  }
}

/** The headers that thread an email with the one it answers, and what answers it with the email. */
function threadOf({ references = [], messageId }: AddressedEmail, hasOwnId: boolean) {
  const inReplyTo = references.at(-1)
  const all = hasOwnId ? [...references, messageId] : [...references]
  return { ...(inReplyTo && { inReplyTo }), ...(all.length > 0 && { references: all }) }
}

/** A display name for a header, so that a mail reader shows what was written: in quotes, or encoded as a whole. */
export function encodeName(name: string): string {
  const isPlain = /^[ -~]*$/.test(name) && !name.includes(ENCODED_WORD)
  return isPlain ? `"${name.replace(/["\\]/g, '\\$&')}"` : encodeWord(name, 'B', MAX_WORD)
}

/** The rest the composer encodes by itself. */
function encodeSubject(subject: string): string {
  return subject.includes(ENCODED_WORD) ? encodeWord(subject, 'B', MAX_WORD) : subject
}

/** Invisible, and no part of ASCII. */
const WORD_JOINER = '\u2060'

/**
 * A text for a provider who writes the headers itself and may leave ASCII as it is: what looks encoded no longer does,
 * and has to be encoded by the provider like any other alphabet.
 */
export function breakEncodedWords(text: string): string {
  return text.replaceAll(ENCODED_WORD, `=${WORD_JOINER}?`)
}

/**
 * Stores emails as `.eml` files, for an installation without a mail provider, and prints each subject, so that a
 * newcomer can sign in with nothing configured. That line also holds a sign-in code; nowhere else is one printed.
 */
export function mailboxTransport(folder: string, clock: Clock, print: (line: string) => void): Transport {
  return {
    kind: 'mailbox',
    async deliver(email) {
      // The whole id: its beginning is the time, which several emails share.
      const id = email.messageId.slice(1, email.messageId.indexOf('@'))
      const name = `${clock().toISOString().replaceAll(':', '-')}-${id}.eml`
      await mkdir(folder, { recursive: true })
      await writeFile(join(folder, name), await composeMime(email, 'unix'))
      const code = email.code ? ` — code ${email.code}` : ''
      print(escapeControls(`Email to ${email.to}: ${email.subject}${code}`))
    },
  }
}
