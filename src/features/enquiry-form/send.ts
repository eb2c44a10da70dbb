import { ApiError, readReply } from '../../http/api-client.ts'
import type { FieldErrors, FieldValues, SendTexts } from './form-texts.ts'
import { nestDetails } from './nest-details.ts'
import { retryMessage } from './retry-message.ts'
import { translateErrors } from './translate-errors.ts'

/** Milliseconds. Without it people on a bad connection would wait for ever. */
const SEND_TIMEOUT = 30_000

type Outcome = { readonly reference: string } | { readonly message: string; readonly errors: FieldErrors }

/** Sends an enquiry to one of the three calls. Never throws: the outcome has the message to show. */
export async function sendEnquiry(
  texts: SendTexts,
  path: string,
  values: FieldValues,
  recaptchaToken: string,
  idempotencyKey: string,
): Promise<Outcome> {
  const { service, ...rest } = values
  const reply = await readReply<{ reference?: string }>(() =>
    fetch(path, {
      method: 'POST',
      signal: AbortSignal.timeout(SEND_TIMEOUT),
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': idempotencyKey },
      body: JSON.stringify(nestDetails({ ...rest, ...(service && { service }), recaptchaToken })),
    }),
  )
  if (reply instanceof ApiError) return failed(texts, reply)
  const { reference } = reply
  // A truncated reply proves nothing; sending the enquiry again does not store it twice.
  return reference ? { reference } : { message: texts.labels.networkMessage, errors: {} }
}

function failed({ lang, labels, translated }: SendTexts, reply: ApiError): Outcome {
  const errors = translateErrors(translated, reply.errors)
  if (reply.isOffline) return { message: labels.networkMessage, errors }
  const message = translated[reply.message] ?? (reply.message || labels.failedMessage)
  return { message: retryMessage(message, reply.retryAfter, { lang, retry: labels.retry }), errors }
}
