import { createConcurrencyLimit } from '../../platform/turns.ts'
import { recipientsOf } from '../email.ts'
import { MailboxFailure, type MailboxProblem } from '../mail-source.ts'
import { composeMime } from '../mime.ts'
import {
  type AddressedEmail,
  PermanentRejection,
  ThrottledDelivery,
  type Transport,
  TransportError,
  UnconfirmedDelivery,
} from '../transport.ts'
import { type Graph, readRefusal } from './graph.ts'
import { type Answer, firstLine, untilAborted } from './request.ts'

/** Graph takes four requests at a time for a mailbox, and one of them may fetch mail. */
const AT_ONCE = 3
/** Graph takes requests of 4 MB, in which a file is almost twice as long. More would need the right to change all mail. */
const MAX_FILE_BYTES = 2 * 1024 * 1024

/** Sends through Microsoft Graph, as the mailbox that somebody has signed in to. @param open fails while nobody has */
export function graphTransport(open: (signal: AbortSignal) => Promise<Graph>, sender: string): Transport {
  const limit = createConcurrencyLimit(AT_ONCE)
  return {
    kind: 'graph',
    sender,
    atOnce: AT_ONCE,
    maxFileBytes: MAX_FILE_BYTES,
    async deliver(email, signal) {
      const mime = await composeMime(toRecipients(email), 'windows', true)
      let isHandingOver = false
      async function handOver() {
        signal.throwIfAborted()
        const graph = await open(signal)
        const answer = await graph.send(mime, isAsking => {
          isHandingOver = isAsking
        })
        assertAccepted(answer)
      }
      try {
        await untilAborted(limit(handOver), signal)
      } catch (error) {
        throw explain(error, isHandingOver)
      }
    },
  }
}

/** There is no envelope: who gets an email is who stands in it. */
function toRecipients(email: AddressedEmail): AddressedEmail {
  const [to = email.to, ...cc] = recipientsOf(email)
  return { ...email, to, cc }
}

/** Only a 202 says that the email was taken, and only a 4xx that it was not: of any other answer, nobody knows. */
function assertAccepted(answer: Answer) {
  if (answer.status === 202) return
  const { code, words } = readRefusal(answer)
  const detail = firstLine(words || code, answer)
  if (answer.status < 400 || answer.status >= 500)
    throw new UnconfirmedDelivery(`Microsoft answered the email with status ${answer.status}${detail}`)
  const said = `Microsoft did not take the email${detail}`
  if (answer.status === 401) throw new TransportError(said, 'consent')
  if (/^ErrorSendAsDenied$|^ErrorAccessDenied$/.test(code)) throw new PermanentRejection(said, 'sender')
  if (/Quota|ExceededMessageLimit|SubmissionQuota/i.test(code)) throw new TransportError(said, 'quota')
  if (answer.status === 400 || answer.status === 413) throw new PermanentRejection(said)
  throw new TransportError(said)
}

/** Of these, something is said where people read it. */
const KNOWN = ['consent', 'refused', 'timeout', 'unknown_host', 'certificate', 'certificate_name'] as const
/** After these, there was no connection. */
const UNSENT: readonly MailboxProblem[] = ['refused', 'unknown_host', 'certificate', 'certificate_name']

/** Without an answer to the email, Microsoft may have accepted it. */
function explain(error: unknown, isHandingOver: boolean): unknown {
  if (error instanceof TransportError) return error
  if (!(error instanceof MailboxFailure)) {
    // Nobody waits any longer.
    if (!isHandingOver) return error
    return new UnconfirmedDelivery('Microsoft did not answer in time', 'timeout', { cause: error })
  }
  if (error.problem === 'busy') return new ThrottledDelivery(error.message, error.retryAfter)
  const problem = KNOWN.find(known => known === error.problem) ?? null
  const isUnsent = !isHandingOver || UNSENT.includes(error.problem)
  return new (isUnsent ? TransportError : UnconfirmedDelivery)(error.message, problem, { cause: error })
}
