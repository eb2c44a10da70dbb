import { createHash } from 'node:crypto'
import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime'
import { MAX_MAIL } from '../../../mail/mail-source.ts'
import { automaticKind, type Headers, readReport, repeatedIds } from './automatic.ts'
import { htmlToText } from './html-text.ts'
import { sha256Of, toMailFile } from './mail-files.ts'
import {
  clean,
  cutAt,
  MAX_ADDRESSES,
  MAX_FILES,
  MAX_HTML,
  MAX_LISTED,
  MAX_MAIL_ID,
  MAX_NAME,
  MAX_NAMED,
  MAX_SHOWN,
  MAX_SUBJECT,
  type MailAddress,
  type MailFile,
  oneLine,
  type ParsedMail,
  type ParseRequest,
} from './parsed-mail.ts'
import { splitQuotes } from './quotes.ts'

/** Characters of a text in which quotes are looked for. */
const MAX_TEXT = 400_000
/** Bytes of headers of a mail that could not be read as a whole. */
const HEAD = 64 * 1024

const limits = { maxNestingDepth: 50, maxRfc822NestingDepth: 0, forceRfc822Attachments: true } as const

/** Reads a mail. Runs in a thread of its own. @throws for one that cannot be read */
export async function readMail({ raw, omitted, ownDomains, failed }: ParseRequest): Promise<ParsedMail> {
  const end = endOfHeaders(raw)
  const email = await PostalMime.parse(failed === null ? raw : raw.subarray(0, Math.min(end, HEAD)), limits)
  const headers = Map.groupBy(email.headers, ({ key }) => key)
  const values: Headers = new Map([...headers].map(([key, all]) => [key, all.map(({ value }) => value)]))
  const from = mailboxesOf(email.from ? [email.from] : [])[0] ?? { name: '', address: '' }
  const report = failed === null ? reportIn(email, values) : { isReport: false, report: null }
  const texts = failed === null ? textsOf(email) : { text: '', quoted: '', html: null, isCut: false }
  const { isCut, ...shown } = texts
  const subject = oneLine(email.subject ?? '', MAX_SUBJECT)
  const problem = problemOf(failed, omitted, isCut, email.attachments)
  // Of one whose end is missing, no file is whole.
  const attachments = failed === null && omitted === 0 ? attachmentsOf(email.attachments) : []
  const isKept = attachments.every(({ content }) => content !== null) && areExact(raw, attachments.length)
  const isWhole = problem === null && isKept
  return {
    messageId: idsOf(values.get('message-id')?.[0] ?? '')[0] ?? null,
    repeatedIds: repeatedIds(name => values.get(name)?.[0] ?? ''),
    answers: answersOf(values),
    from,
    to: mailboxesOf(email.to ?? []),
    cc: mailboxesOf(email.cc ?? []),
    sentTo: sentTo(values, email),
    subject,
    ...shown,
    attachments,
    automatic: automaticKind(values, from.address, report.isReport, ownDomains),
    report: report.report,
    problem,
    original: isWhole ? null : sha256Of(raw),
    ...hashesOf(raw, end, values, from.address),
  }
}

function problemOf(
  failed: string | null,
  omitted: number,
  isCut: boolean,
  attachments: readonly Attachment[],
) {
  if (failed !== null) return failed
  if (omitted > 0)
    return `This mail is larger than ${MAX_MAIL >> 20} MB, so only its beginning was fetched. All of it is in the mailbox.`
  if (attachments.some(({ mimeType }) => mimeType === 'multipart/encrypted' || isEncrypted(mimeType)))
    return 'This mail is encrypted, and Landfall cannot read it. Download it, and open it in a mail program.'
  if (isCut) return 'This mail is longer than what is shown. Download it to read all of it.'
  return null
}

const isEncrypted = (type: string) =>
  type === 'application/pgp-encrypted' ||
  type === 'application/pkcs7-mime' ||
  type === 'application/x-pkcs7-mime'

/** Where the body begins. */
function endOfHeaders(raw: Uint8Array): number {
  for (let at = 0; at < raw.length - 1; at++) {
    if (raw[at] !== 10) continue
    if (raw[at + 1] === 10) return at + 2
    if (raw[at + 1] === 13 && raw[at + 2] === 10) return at + 3
  }
  return raw.length
}

function hashesOf(raw: Uint8Array, end: number, headers: Headers, from: string) {
  const first = (name: string) => headers.get(name)?.[0] ?? ''
  const identity = [first('message-id'), from.toLowerCase(), first('date')].join('\n')
  // One without a name or a date is known by what it says.
  const isNamed = first('message-id') !== ''
  const content = createHash('sha256')
    .update(`${identity}\n${first('subject')}\n`)
    .update(raw.subarray(end))
    .digest('hex')
  const identityHash = isNamed ? createHash('sha256').update(identity).digest('hex') : content
  return { identityHash, contentHash: content }
}

function mailboxesOf(addresses: readonly Address[]): MailAddress[] {
  return addresses
    .slice(0, MAX_ADDRESSES)
    .flatMap(each => (each.group ? each.group.slice(0, MAX_ADDRESSES) : [each]))
    .slice(0, MAX_ADDRESSES)
    .map(({ name, address = '' }) => ({ name: oneLine(name, MAX_NAME), address: checkedAddress(address) }))
    .filter(({ name, address }) => name !== '' || address !== '')
}

/** What separates addresses, or stands around them, is in none. */
const ADDRESS = /^[^\s\p{Cc}@<>()",;:\\[\]]+@[^\s\p{Cc}@<>()",;:\\[\]]+$/u
/** Characters, as RFC 5321 allows. */
const MAX_ADDRESS = 254

/** Empty for what is no address. */
function checkedAddress(address: string): string {
  const plain = address
    .slice(0, MAX_ADDRESS + 1)
    .trim()
    .toWellFormed()
  return plain.length <= MAX_ADDRESS && ADDRESS.test(plain) ? plain : ''
}

/** Headers that may say which address a mail was sent to. */
const SENT_TO = [
  'delivered-to',
  'x-original-to',
  'envelope-to',
  'x-envelope-to',
  'apparently-to',
  'resent-to',
  'x-delivered-to',
  'x-forwarded-to',
]

function sentTo(headers: Headers, { to = [], cc = [], bcc = [] }: Email): string[] {
  const named = mailboxesOf([
    ...to.slice(0, MAX_ADDRESSES),
    ...cc.slice(0, MAX_ADDRESSES),
    ...bcc.slice(0, MAX_ADDRESSES),
  ])
  const others = SENT_TO.flatMap(name => headers.get(name)?.slice(0, 10) ?? []).flatMap(value =>
    [...value.slice(0, 2000).matchAll(/[^\s<>,;"]{1,254}@[^\s<>,;"]{1,254}/g)].map(([address]) => address),
  )
  return [
    ...new Set([...named.map(({ address }) => address), ...others].map(address => address.toLowerCase())),
  ].filter(Boolean)
}

/**
 * Message-IDs with angle brackets, in their order. One with other than visible ASCII counts as none: PostgreSQL stores no NUL, and
 * our emails repeat in their headers what they answer.
 */
function idsOf(value: string): string[] {
  return [...value.slice(-64 * 1024).matchAll(/<[!-;=?-~]{3,498}>/g)]
    .map(([id]) => id)
    .filter(id => id.length <= MAX_MAIL_ID)
}

function answersOf(headers: Headers): string[] {
  const direct = idsOf(headers.get('in-reply-to')?.[0] ?? '').slice(0, 10)
  const references = idsOf(headers.get('references')?.[0] ?? '')
  const newest = references.slice(-MAX_NAMED).reverse()
  return [...new Set([...direct, ...newest, ...references.slice(0, 1)])]
}

/** Who sends text of spaces and of what has no width beside HTML means the HTML. */
const VISIBLE = /[^\p{C}\p{Z}\p{M}\s\u115f\u1160\u2800\u3164\uffa0]/u

function textsOf({ text = '', html }: Email) {
  const source = html && !VISIBLE.test(text) ? htmlToText(html) : text
  const all = cutAt(clean(source), MAX_TEXT)
  const { written, quoted } = splitQuotes(all.trim())
  const isCut =
    source.length > MAX_TEXT ||
    written.length > MAX_SHOWN ||
    quoted.length > MAX_SHOWN ||
    (html?.length ?? 0) > MAX_HTML
  return {
    text: cutAt(written, MAX_SHOWN),
    quoted: cutAt(quoted, MAX_SHOWN),
    html: html && html.length <= MAX_HTML ? html.toWellFormed().replaceAll('\0', '') : null,
    isCut,
  }
}

/** Of a file that is sent as text, line breaks may have been changed; the whole mail has what was sent. */
function areExact(raw: Uint8Array, files: number): boolean {
  if (files === 0) return true
  const text = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString('latin1')
  return (text.match(/^content-transfer-encoding:\s*base64/gim)?.length ?? 0) >= files
}

/** Pictures in a text, such as the logo of a signature, come after what somebody has attached. */
const isInline = ({ disposition, contentId }: Attachment) =>
  disposition !== 'attachment' && Boolean(contentId)

function attachmentsOf(attachments: readonly Attachment[]): MailFile[] {
  const ordered = attachments.toSorted((one, other) => Number(isInline(one)) - Number(isInline(other)))
  return ordered.slice(0, MAX_LISTED).map(({ filename, mimeType: type, content }, at) => {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content)
    const file = toMailFile({ name: filename ?? '', type, bytes }, nameOf(type, at))
    return at < MAX_FILES ? file : { ...file, content: null }
  })
}

function nameOf(type: string, at: number): string {
  if (type === 'message/rfc822') return `Mail ${at + 1}.eml`
  if (type === 'text/calendar') return 'Invitation.ics'
  return `Attachment ${at + 1}`
}

function reportIn({ attachments, text = '' }: Email, headers: Headers) {
  const type = headers.get('content-type')?.[0]?.toLowerCase().slice(0, 500) ?? ''
  const textOf = ({ content }: Attachment) =>
    clean(
      typeof content === 'string'
        ? content.slice(0, HEAD)
        : Buffer.from(content instanceof ArrayBuffer ? new Uint8Array(content) : content)
            .subarray(0, HEAD)
            .toString(),
    )
  const some = attachments.slice(0, MAX_LISTED)
  const statuses = some.filter(({ mimeType }) => mimeType === 'message/delivery-status').map(textOf)
  const returned = some
    .filter(({ mimeType }) => mimeType === 'message/rfc822' || mimeType === 'text/rfc822-headers')
    .map(textOf)
  const isReport =
    type.startsWith('multipart/report') || statuses.length > 0 || headers.has('x-failed-recipients')
  const failedRecipients = clean(headers.get('x-failed-recipients')?.[0] ?? '')
  const named = answersOf(headers)
  const parts = { statuses, returned, text: clean(text.slice(0, HEAD)), failedRecipients, named }
  return { isReport, report: readReport(parts) }
}
