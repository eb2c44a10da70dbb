import { ApiError, readReply } from '../../http/api-client.ts'
import type { FieldErrors, FieldValues } from './form-texts.ts'
import { retryMessage } from './retry-message.ts'

/** Milliseconds after which a request is given up; on a bad line people would wait for ever. */
const SEND_TIMEOUT = 30_000

const DEFAULT_MESSAGE = 'There was an error submitting your request. Please try again.'
const NETWORK_MESSAGE =
  'Network error when submitting your request. Please check your connection and try again.'

type Outcome = { readonly reference: string } | { readonly message: string; readonly errors: FieldErrors }

/** Sends an enquiry to one of the three calls. Never throws: the outcome says what to tell. */
export async function sendEnquiry(
  path: string,
  values: FieldValues,
  recaptchaToken: string,
  idempotencyKey: string,
): Promise<Outcome> {
  const { service, ...rest } = values
  const answer = await readReply<{ reference?: string }>(() =>
    fetch(path, {
      method: 'POST',
      signal: AbortSignal.timeout(SEND_TIMEOUT),
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': idempotencyKey },
      body: JSON.stringify({ ...rest, ...(service && { service }), recaptchaToken }),
    }),
  )
  if (answer instanceof ApiError) return failed(answer)
  const { reference } = answer
  // An answer that broke off says nothing for certain; sending it again stores nothing twice.
  return reference ? { reference } : { message: NETWORK_MESSAGE, errors: {} }
}

function failed({ isOffline, message, retryAfter, errors }: ApiError): Outcome {
  if (isOffline) return { message: NETWORK_MESSAGE, errors }
  return { message: retryMessage(message || DEFAULT_MESSAGE, retryAfter), errors }
}
