import { recipientsOf } from '../email.ts'
import { MailboxFailure, type MailboxProblem } from '../mail-source.ts'
import { composeMime } from '../mime.ts'
import {
  type AddressedEmail,
  PermanentRejection,
  type Transport,
  TransportError,
  UnconfirmedDelivery,
} from '../transport.ts'
import { OWN_ID_HEADER } from '../trial-email.ts'
import { type Graph, readRefusal } from './graph.ts'
import { type Answer, firstLine, isBusy } from './request.ts'

/** Sends through Microsoft Graph, as the mailbox that somebody has signed in to. @param open fails while nobody has */
export function graphTransport(open: (signal: AbortSignal) => Promise<Graph>, sender: string): Transport {
  return {
    kind: 'graph',
    sender,
    async deliver(email, signal) {
      const mime = await composeMime(toRecipients(email), 'windows', OWN_ID_HEADER)
      let isHandingOver = false
      try {
        const graph = await open(signal)
        isHandingOver = true
        assertAccepted(await graph.send(mime))
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

function assertAccepted(answer: Answer) {
  if (answer.status >= 200 && answer.status < 300) return
  const { code, words } = readRefusal(answer)
  const said = `Microsoft did not take the email${firstLine(words || code, [])}`
  if (isBusy(answer)) throw new TransportError('Microsoft takes no more emails for now')
  if (answer.status === 401) throw new TransportError(said, 'consent')
  if (/^ErrorSendAsDenied$|^ErrorAccessDenied$/.test(code)) throw new PermanentRejection(said, 'sender')
  if (/Quota|ExceededMessageLimit|SubmissionQuota/i.test(code)) throw new TransportError(said, 'quota')
  if (answer.status >= 500) throw new UnconfirmedDelivery(said)
  if (answer.status === 400 || answer.status === 413) throw new PermanentRejection(said)
  throw new TransportError(said)
}

/** Of these, something is said where people read it. */
const KNOWN = ['consent', 'refused', 'timeout', 'unknown_host', 'certificate', 'certificate_name'] as const
/** After these, the email has not been handed over. */
const UNSENT: readonly MailboxProblem[] = ['consent', 'app', 'busy', 'refused', 'unknown_host']

/** Without an answer to the email, Microsoft may have accepted it. */
function explain(error: unknown, isHandingOver: boolean): unknown {
  if (error instanceof TransportError) return error
  if (!(error instanceof MailboxFailure)) {
    // Nobody waits any longer.
    if (!isHandingOver) return error
    return new UnconfirmedDelivery('Microsoft did not answer in time', 'timeout', { cause: error })
  }
  const problem = KNOWN.find(known => known === error.problem) ?? null
  const isUnsent = !isHandingOver || UNSENT.includes(error.problem)
  return new (isUnsent ? TransportError : UnconfirmedDelivery)(error.message, problem, { cause: error })
}
