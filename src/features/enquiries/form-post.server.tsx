import { answerProblem, toProblem } from '../../http/answers.ts'
import { refuseBody, refuseForeignOrigin } from '../../http/guard.ts'
import { fieldErrors, RequestEnded, readBytes } from '../../http/input.ts'
import { type Problem, refuse } from '../../http/problem.ts'
import { type App, type AppContext, type Circumstances, circumstances } from '../../http/serve.ts'
import type { Services } from '../../services.ts'
import { ContactPage } from '../site/contact.page.tsx'
import { ReceivedPage } from '../site/received.page.tsx'
import type { PageServer } from '../site/serve-pages.server.tsx'
import { acceptEnquiry, repeatByContent } from './accept.server.ts'
import { REFUSED_PER_ADDRESS } from './api.server.ts'
import { Enquiry, type FormType, formTypes } from './contract.ts'
import type { FormState } from './form-texts.ts'
import { withWait } from './wait.ts'

const RECEIVED_PATH = '/contact/received'

/** The enquiry form without JavaScript: an ordinary post, answered with a page. */
export function serveFormPost(app: App, services: Services, pages: PageServer): void {
  app.post('/contact', async context => {
    const form = { formType: 'contact' as FormType, fields: new URLSearchParams() }
    const call = circumstances(services, context)
    try {
      const reference = await acceptPost(services, context, call, form)
      return context.redirect(`${RECEIVED_PATH}?reference=${reference}`, 303)
    } catch (error) {
      const problem = toProblem(error, call.log, context)
      // A page costs more than a connection that breaks off: nobody draws a thousand of them for nobody.
      if (error instanceof RequestEnded) return answerProblem(context, problem, call.requestId)
      return await pages.answer(correctionPage(problem, form))
    }
  })

  app.get(RECEIVED_PATH, async context => {
    const reference = context.req.query('reference') ?? ''
    if (!/^LF-[0-9A-Z]{4}-[0-9A-Z]{4}$/.test(reference)) return await pages.answerNotFound(context.req.raw)
    const content = (site: Parameters<typeof ReceivedPage>[0]['site']) => (
      <ReceivedPage site={site} reference={reference} />
    )
    return await pages.answer({ status: 200, title: 'Request submitted', content })
  })
}

interface PostedForm {
  formType: FormType
  fields: URLSearchParams
}

/** Fills `form` as it reads, so that a refusal can show what was typed. @returns the reference. */
async function acceptPost(
  services: Services,
  context: AppContext,
  { address, log }: Circumstances,
  form: PostedForm,
): Promise<string> {
  const { config, limits } = services
  refuseBody(context, 'application/x-www-form-urlencoded')
  form.fields = new URLSearchParams(Buffer.from(await readBytes(context)).toString('utf8'))
  form.formType = formTypes.find(type => type === form.fields.get('formType')) ?? 'contact'
  limits.check(REFUSED_PER_ADDRESS, address)
  refuseForeignOrigin(context, config.publicUrl, false)
  const { service, ...rest } = Object.fromEntries(form.fields)
  const result = Enquiry.safeParse(service ? { ...rest, service } : rest)
  if (!result.success) {
    await limits.spend(REFUSED_PER_ADDRESS, address)
    return refuse(400, '', { errors: fieldErrors(result.error.issues) })
  }
  const repeat = repeatByContent(form.formType, address, result.data)
  const { reference } = await acceptEnquiry(services, form.formType, result.data, { address, log, repeat })
  return reference
}

/** The contact page again, with what was typed and what to correct. */
function correctionPage(problem: Problem, { formType, fields }: PostedForm) {
  const values = Object.fromEntries(
    (['name', 'email', 'phone', 'service', 'message'] as const).map(name => [name, fields.get(name) ?? '']),
  )
  const { errors = {}, retryAfter } = problem.particulars
  const said = withWait(problem.message, retryAfter)
  const form: FormState = { formType, values, errors, ...(said && { problem: said }) }
  const status = ([400, 429, 503] as const).find(known => known === problem.status) ?? 400
  return {
    status,
    title: 'Please check your enquiry',
    headers: problem.headers,
    content: (site: Parameters<typeof ContactPage>[0]['site']) => <ContactPage site={site} form={form} />,
  }
}
