import * as z from 'zod/mini'
import { automaticHeaders, LOGO_CID, recipientsOf } from './email.ts'
import { breakEncodedWords, encodeName } from './mime.ts'
import {
  type AddressedEmail,
  PartialDelivery,
  PermanentRejection,
  type Transport,
  UnconfirmedDelivery,
} from './transport.ts'
import { OWN_ID_HEADER } from './trial-email.ts'

/** Sends through the Mailchimp Transactional API, with one request for each email. */
export function mailchimpTransport(apiUrl: string, key: string): Transport {
  return {
    kind: 'mailchimp',
    async deliver(email, signal) {
      const response = await post(`${apiUrl}/messages/send.json`, { key, message: toMessage(email) }, signal)
      const body = await response.json().catch(() => null)
      signal.throwIfAborted()
      // The message is shown to admins and logged, so it must not contain the key.
      if (!response.ok) throw new Error(describeFailure(response.status, body).replaceAll(key, '…'))
      const receipts = Receipts.safeParse(body)
      if (!receipts.success)
        throw new UnconfirmedDelivery('Mailchimp Transactional sent an unexpected response')
      assertAccepted(receipts.data, recipientsOf(email))
    },
  }
}

const Failure = z.object({ status: z.literal('error'), name: z.string(), message: z.string() })

/** One for each recipient. */
const Receipts = z
  .array(
    z.object({
      email: z.optional(z.string()),
      status: z.enum(['sent', 'queued', 'scheduled', 'rejected', 'invalid']),
      reject_reason: z.nullish(z.string()),
    }),
  )
  .check(z.minLength(1))

/** The email as it is, without tracking, rewriting, merge fields or a stored copy. */
function toMessage(email: AddressedEmail) {
  const {
    from,
    fromName,
    to,
    cc = [],
    replyTo,
    subject,
    text,
    html,
    logo,
    attachments = [],
    messageId,
    references = [],
  } = email
  const recipients = recipientsOf(email)
  return {
    from_email: from,
    from_name: breakEncodedWords(fromName),
    to: recipients.map(address => ({
      email: address,
      // A message of copies alone is none.
      type: address === to || !recipients.includes(to) ? 'to' : 'cc',
    })),
    subject: breakEncodedWords(subject),
    text,
    ...(html !== undefined && { html }),
    ...(logo && { images: [{ type: 'image/png', name: LOGO_CID, content: logo.toString('base64') }] }),
    ...(attachments.length > 0 && {
      attachments: attachments.map(({ name, type, content }) => ({
        type,
        name,
        content: content.toString('base64'),
      })),
    }),
    headers: {
      'Message-ID': messageId,
      [OWN_ID_HEADER]: messageId,
      ...automaticHeaders(email),
      ...(references.length > 0 && {
        'In-Reply-To': references.at(-1),
        References: references.join(' '),
      }),
      ...(replyTo && { 'Reply-To': `${encodeName(replyTo.name)} <${replyTo.address}>` }),
    },
    track_opens: false,
    track_clicks: false,
    auto_text: false,
    auto_html: false,
    inline_css: false,
    // Everybody sees who gets a copy.
    preserve_recipients: cc.length > 0,
    // Or a visitor's `*|…|*` would be taken for a field to fill in.
    merge: false,
    // Or a sign-in code could be read in the account's activity log.
    view_content_link: false,
  }
}

async function post(url: string, body: object, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      // The key goes to the configured address and to no other.
      redirect: 'error',
      signal,
    })
  } catch (error) {
    const { cause } = error instanceof Error ? error : {}
    const reason = cause instanceof Error ? cause.message : String(error)
    const words = `Mailchimp Transactional cannot be reached: ${reason}`
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
    throw UNSENT.includes(code)
      ? new Error(words, { cause: error })
      : new UnconfirmedDelivery(words, null, { cause: error })
  }
}

/** Without a connection, nothing was sent. After any other failure, the request may have been read. */
const UNSENT = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]

function describeFailure(status: number, body: unknown): string {
  const failure = Failure.safeParse(body)
  return failure.success
    ? `${failure.data.name}: ${failure.data.message}`
    : `Mailchimp Transactional answered with status ${status}`
}

/** Reasons for which it rejects every email of the account. */
const ABOUT_SENDER = ['invalid-sender', 'unsigned', 'test-mode-limit']

function assertAccepted(receipts: z.output<typeof Receipts>, recipients: readonly string[]) {
  const rejected = receipts.filter(({ status }) => status === 'rejected' || status === 'invalid')
  if (rejected.length === 0) return
  const reasons = rejected.map(({ email, status, reject_reason: reason }) => {
    const words = reason ? `${status}: ${reason}` : status
    return receipts.length > 1 ? `${email}: ${words}` : words
  })
  const isAboutSender = rejected.some(({ reject_reason: reason }) => ABOUT_SENDER.includes(reason ?? ''))
  const [words, problem] = [reasons.join('; '), isAboutSender ? ('sender' as const) : null]
  if (rejected.length === receipts.length) throw new PermanentRejection(words, problem)
  const named = new Set(rejected.map(({ email = '' }) => email.toLowerCase()))
  const lacking = recipients.filter(address => named.has(address.toLowerCase()))
  throw new PartialDelivery(`Sent, but not to all: ${words}`, lacking, problem)
}
