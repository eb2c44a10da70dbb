import * as z from 'zod/mini'
import { breakEncodedWords, encodeName } from './mime.ts'
import { type AddressedEmail, PermanentRejection, type Transport } from './transport.ts'

/** Sends through the Mailchimp Transactional API, with one request for each email. */
export function mailchimpTransport(apiUrl: string, key: string): Transport {
  return {
    kind: 'mailchimp',
    async deliver(email, signal) {
      const response = await post(`${apiUrl}/messages/send.json`, { key, message: toMessage(email) }, signal)
      const body = await response.json().catch(() => null)
      signal.throwIfAborted()
      if (!response.ok) throw new Error(withoutKey(describeFailure(response.status, body), key))
      const receipts = Receipts.safeParse(body)
      if (!receipts.success) throw new Error('Mailchimp Transactional sent an unexpected response')
      assertAccepted(receipts.data[0])
    },
  }
}

const Failure = z.object({ status: z.literal('error'), name: z.string(), message: z.string() })

/** One for each recipient, and there is only one. */
const Receipts = z.tuple([
  z.object({
    status: z.enum(['sent', 'queued', 'scheduled', 'rejected', 'invalid']),
    reject_reason: z.nullish(z.string()),
  }),
])

/** The email as it is, without tracking, rewriting, merge fields or a stored copy. */
function toMessage({ from, fromName, to, replyTo, subject, text, html, messageId }: AddressedEmail) {
  return {
    from_email: from,
    from_name: breakEncodedWords(fromName),
    to: [{ email: to, type: 'to' }],
    subject: breakEncodedWords(subject),
    text,
    html,
    headers: {
      'Message-ID': messageId,
      ...(replyTo && { 'Reply-To': `${encodeName(replyTo.name)} <${replyTo.address}>` }),
    },
    track_opens: false,
    track_clicks: false,
    auto_text: false,
    auto_html: false,
    inline_css: false,
    preserve_recipients: false,
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
    throw new Error(`Mailchimp Transactional cannot be reached: ${reason}`, { cause: error })
  }
}

function describeFailure(status: number, body: unknown): string {
  const failure = Failure.safeParse(body)
  return failure.success
    ? `${failure.data.name}: ${failure.data.message}`
    : `Mailchimp Transactional answered with status ${status}`
}

/** The message is shown to admins and logged, so it must not contain the key. */
function withoutKey(words: string, key: string): string {
  return words.replaceAll(key, '…')
}

function assertAccepted({ status, reject_reason: reason }: z.output<typeof Receipts>[0]) {
  if (status !== 'rejected' && status !== 'invalid') return
  throw new PermanentRejection(reason ? `${status}: ${reason}` : status)
}
