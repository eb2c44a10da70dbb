import { CallFailed, readAnswer } from '../../http/call.ts'

/** Milliseconds after which a request is given up; on a bad line people would wait for ever. */
const PATIENCE = 30_000

const DEFAULT_MESSAGE = 'There was an error submitting your request. Please try again.'
const NETWORK_MESSAGE =
  'Network error when submitting your request. Please check your connection and try again.'

type Outcome =
  | { readonly reference: string }
  | { readonly message: string; readonly errors: Readonly<Record<string, string>> }

/** Sends the fields of the form to one of the enquiry calls. Never throws: the outcome says what to tell. */
export async function sendEnquiry(path: string, fields: FormData, idempotencyKey: string): Promise<Outcome> {
  const { formType: _, service, ...rest } = Object.fromEntries(fields)
  const answer = await readAnswer<{ reference: string }>(() =>
    fetch(path, {
      method: 'POST',
      signal: AbortSignal.timeout(PATIENCE),
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': idempotencyKey },
      body: JSON.stringify({ ...rest, ...(service && { service }), recaptchaToken: 'recaptcha_disabled' }),
    }),
  )
  if (!(answer instanceof CallFailed)) return answer
  if (answer.isOffline) return { message: NETWORK_MESSAGE, errors: {} }
  return { message: answer.message || DEFAULT_MESSAGE, errors: answer.errors }
}
