import {
  type AppContext,
  consumeRefusal,
  type HonoApp,
  type RequestContext,
  requestContext,
} from '../../http/api-router.ts'
import { type HttpError, throwHttpError } from '../../http/http-error.ts'
import { fieldErrors, RequestAborted, readBytes } from '../../http/input.ts'
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

/** Stands in the page that all received enquiries share, where each has its reference. */
const SAMPLE_REFERENCE = 'LF-0000-0000'

/** The enquiry form without JavaScript: an ordinary post, answered with a page. */
export function serveFormPost(app: HonoApp, services: Services, pages: PageServer): void {
  app.post('/contact', async context => {
    const form: PostedForm = { formType: 'contact', fields: null }
    const call = requestContext(services, context)
    try {
      const reference = await acceptPost(services, context, call, form)
      return context.redirect(`${RECEIVED_PATH}?reference=${reference}`, 303)
    } catch (error) {
      return await answerRefusal(services, pages, context, call, form, error)
    }
  })

  app.get(RECEIVED_PATH, async context => {
    const reference = context.req.query('reference') ?? ''
    if (!/^LF-[0-9A-Z]{4}-[0-9A-Z]{4}$/.test(reference)) return await pages.respondNotFound(context.req.raw)
    const content = (site: Parameters<typeof ReceivedPage>[0]['site']) => (
      <ReceivedPage site={site} reference={SAMPLE_REFERENCE} />
    )
    const page = { status: 200, title: 'Request submitted', content } as const
    return await pages.answerKept(RECEIVED_PATH, page, { replace: SAMPLE_REFERENCE, by: reference })
  })
}

interface PostedForm {
  formType: FormType
  /** Null until they are read. */
  fields: URLSearchParams | null
}

/** Fills `form` as it reads, so that a refusal can show what was typed. @returns the reference. */
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
  const repeat = keyFromContent(form.formType, address, result.data)
  const { reference } = await acceptEnquiry(services, form.formType, result.data, { address, log, repeat })
  return reference
}

/** Every refusal counts: the page for it costs more than a call's reply. */
async function answerRefusal(
  services: Services,
  pages: PageServer,
  context: AppContext,
  call: RequestContext,
  form: PostedForm,
  error: unknown,
): Promise<Response> {
  const overrun = await consumeRefusal(services, REFUSED_PER_ADDRESS, call)
  const problem = toHttpError(overrun ?? error, call.log, context)
  // A page costs more than a connection that breaks off: nobody draws a thousand of them for nobody.
  if (error instanceof RequestAborted) return errorResponse(context, problem, call.requestId)
  if (form.fields && !overrun)
    return await pages.respondUncached(correctionPage(problem, form.formType, form.fields))
  // Without what was typed it is the same for everyone: at once, however many ask.
  const page = correctionPage(problem, 'contact', new URLSearchParams())
  return await pages.answerKept(`refused ${page.said}`, page)
}

/** The contact page again, with what was typed and what to correct. */
function correctionPage(error: HttpError, formType: FormType, fields: URLSearchParams) {
  const values = Object.fromEntries(
    (['name', 'email', 'phone', 'service', 'message'] as const).map(name => [name, fields.get(name) ?? '']),
  )
  const { errors = {}, retryAfter } = error.details
  const said = retryMessage(error.message, retryAfter)
  const form: FormState = { formType, values, errors, ...(said && { error: said }) }
  const status = ([400, 429, 503] as const).find(known => known === error.status) ?? 400
  return {
    said,
    status,
    title: 'Please check your enquiry',
    headers: error.headers,
    content: (site: Parameters<typeof ContactPage>[0]['site']) => <ContactPage site={site} form={form} />,
  }
}
