import { ApiError, readReply } from '../../http/api-client.ts'
import type { FieldErrors, FieldValues } from './form-texts.ts'
import { retryMessage } from './retry-message.ts'

/** Milliseconds. Without it people on a bad connection would wait for ever. */
const SEND_TIMEOUT = 30_000

const DEFAULT_MESSAGE = 'There was an error submitting your request. Please try again.'
const NETWORK_MESSAGE =
  'Network error when submitting your request. Please check your connection and try again.'

type Outcome = { readonly reference: string } | { readonly message: string; readonly errors: FieldErrors }

/** Sends an enquiry to one of the three calls. Never throws: the outcome has the message to show. */
export async function sendEnquiry(
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
      body: JSON.stringify({ ...rest, ...(service && { service }), recaptchaToken }),
    }),
  )
  if (reply instanceof ApiError) return failed(reply)
  const { reference } = reply
  // A truncated reply proves nothing; sending the enquiry again does not store it twice.
  return reference ? { reference } : { message: NETWORK_MESSAGE, errors: {} }
}

function failed({ isOffline, message, retryAfter, errors }: ApiError): Outcome {
  if (isOffline) return { message: NETWORK_MESSAGE, errors }
  return { message: retryMessage(message || DEFAULT_MESSAGE, retryAfter), errors }
}
