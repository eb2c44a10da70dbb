import {
  type AppContext,
  consumeRefusal,
  type HonoApp,
  type RequestContext,
  requestContext,
} from '../../http/api-router.ts'
import { fieldErrors } from '../../http/field-errors.ts'
import { type HttpError, throwHttpError } from '../../http/http-error.ts'
import { RequestAborted, readBytes } from '../../http/input.ts'
import { assertBody, assertSameOrigin } from '../../http/request-checks.ts'
import { errorResponse, toHttpError } from '../../http/responses.ts'
import type { Services } from '../../services.ts'
import { ContactPage } from '../site/contact.page.tsx'
import { ReceivedPage } from '../site/received.page.tsx'
import type { PageServer } from '../site/serve-pages.server.tsx'
import { acceptEnquiry, keyFromContent } from './accept-enquiry.server.ts'
import { REFUSED_PER_ADDRESS } from './api.server.ts'
import { Enquiry, type FormType, formTypes } from './contract.ts'
import type { FormState } from './form-texts.ts'
import { retryMessage } from './retry-message.ts'

const RECEIVED_PATH = '/contact/received'

/** In the cached page that all received enquiries share; each reply replaces it with the real reference. */
const PLACEHOLDER_REFERENCE = 'LF-0000-0000'

/** The enquiry form without JavaScript: an ordinary POST, answered with a page. */
export function serveFormPost(app: HonoApp, services: Services, pages: PageServer): void {
  app.post('/contact', async context => {
    const form: PostedForm = { formType: 'contact', fields: null }
    const call = requestContext(services, context)
    try {
      const reference = await acceptPost(services, context, call, form)
      return context.redirect(`${RECEIVED_PATH}?reference=${reference}`, 303)
    } catch (error) {
      return await respondWithErrors(services, pages, context, call, form, error)
    }
  })

  app.get(RECEIVED_PATH, async context => {
    const reference = context.req.query('reference') ?? ''
    if (!/^LF-[0-9A-Z]{4}-[0-9A-Z]{4}$/.test(reference)) return await pages.respondNotFound(context.req.raw)
    const content = (site: Parameters<typeof ReceivedPage>[0]['site']) => (
      <ReceivedPage site={site} reference={PLACEHOLDER_REFERENCE} />
    )
    const page = { status: 200, title: 'Request submitted', content } as const
    return await pages.respondFilled(RECEIVED_PATH, page, { replace: PLACEHOLDER_REFERENCE, by: reference })
  })
}

interface PostedForm {
  formType: FormType
  /** Null until the body has been read. */
  fields: URLSearchParams | null
}

/** Fills `form` as it reads, so that an error page can show what was typed. @returns the reference. */
async function acceptPost(
  services: Services,
  context: AppContext,
  { address, log }: RequestContext,
  form: PostedForm,
): Promise<string> {
  const { config, rateLimiter } = services
  assertBody(context, 'application/x-www-form-urlencoded')
  rateLimiter.check(REFUSED_PER_ADDRESS, address)
  assertSameOrigin(context, config.publicUrl, false)
  const fields = new URLSearchParams(Buffer.from(await readBytes(context)).toString('utf8'))
  form.fields = fields
  form.formType = formTypes.find(type => type === fields.get('formType')) ?? 'contact'
  const { service, ...rest } = Object.fromEntries(fields)
  const result = Enquiry.safeParse(service ? { ...rest, service } : rest)
  if (!result.success) return throwHttpError(400, '', { errors: fieldErrors(result.error.issues) })
  const idempotencyKey = keyFromContent(form.formType, address, result.data)
  const origin = { address, log, idempotencyKey }
  const { reference } = await acceptEnquiry(services, form.formType, result.data, origin)
  return reference
}

/** Every refusal counts against the limit: this page costs more than an API reply. */
async function respondWithErrors(
  services: Services,
  pages: PageServer,
  context: AppContext,
  call: RequestContext,
  form: PostedForm,
  error: unknown,
): Promise<Response> {
  const overrun = await consumeRefusal(services, REFUSED_PER_ADDRESS, call)
  const httpError = toHttpError(overrun ?? error, call.log, context)
  // The client is gone: rendering a page for it would only help an attacker.
  if (error instanceof RequestAborted) return errorResponse(context, httpError, call.requestId)
  if (form.fields && !overrun)
    return await pages.respondUncached(correctionPage(httpError, form.formType, form.fields))
  // Without what was typed the page is the same for everyone, so it comes from the cache.
  const page = correctionPage(httpError, 'contact', new URLSearchParams())
  return await pages.respondCached(context.req.raw, `refused ${page.message}`, page)
}

/** The contact page again, with what was typed and what to correct. */
function correctionPage(error: HttpError, formType: FormType, fields: URLSearchParams) {
  const values = Object.fromEntries(
    (['name', 'email', 'phone', 'service', 'message'] as const).map(name => [name, fields.get(name) ?? '']),
  )
  const { errors = {}, retryAfter } = error.details
  const message = retryMessage(error.message, retryAfter)
  const form: FormState = { formType, values, errors, ...(message && { error: message }) }
  const status = ([400, 429, 503] as const).find(status => status === error.status) ?? 400
  return {
    message,
    status,
    title: 'Please check your enquiry',
    headers: error.headers,
    content: (site: Parameters<typeof ContactPage>[0]['site']) => <ContactPage site={site} form={form} />,
  }
}
