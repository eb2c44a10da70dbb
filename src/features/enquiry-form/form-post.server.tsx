import { answerBy } from '../../content/office/working-time.ts'
import { serve } from '../../http/api-router.ts'
import type { HttpError } from '../../http/http-error.ts'
import { keyFromContent } from '../../http/idempotency.ts'
import { RequestAborted } from '../../http/input.ts'
import type { JsonObject } from '../../http/json.ts'
import { errorResponse, type HonoApp, type ReplyFormat } from '../../http/responses.ts'
import { DEFAULT_LANGUAGE, type Texts } from '../../i18n/texts.ts'
import { translateReplies } from '../../i18n/translate-replies.ts'
import { minutes } from '../../platform/clock.ts'
import type { Services } from '../../services.ts'
import { ContactPage, ReceivedPage } from '../site/contact/contact.page.tsx'
import type { PageServer } from '../site/serve-pages.server.tsx'
import { acceptEnquiry, contentOf } from './accept-enquiry.server.ts'
import { REFUSED_PER_ADDRESS } from './api.server.ts'
import { enquiryPost, formTypes, type Received } from './contract.ts'
import { DETAILS } from './details/nest-details.ts'
import { describeLength, translateErrors } from './field-errors.ts'
import { errorTexts, fieldGroups } from './form-fields.ts'
import type { FieldErrors, FieldValues, FormState } from './form-texts.ts'
import { retryMessage } from './retry-message.ts'

const RECEIVED_PATH = '/contact/received'

/** Time zones differ by quarters of an hour. */
const ANSWER_STEP = minutes(15)

/** In the cached page that all received enquiries share; each reply replaces it with the real reference. */
const PLACEHOLDER_REFERENCE = 'LF-0000-0000'

/** The enquiry form without JavaScript: an ordinary POST, answered with a page. */
export function serveFormPost(app: HonoApp, services: Services, pages: PageServer): void {
  // It is no call of the API, so the router's list of those does not get it.
  serve(
    { app, services, served: [] },
    enquiryPost,
    async ({ formType, ...enquiry }, { address, log }) => {
      const idempotencyKey = keyFromContent(formType, address, contentOf(enquiry))
      return await acceptEnquiry(services, formType, enquiry, { address, log, idempotencyKey })
    },
    { refusals: REFUSED_PER_ADDRESS },
    pageFormat(services, pages),
  )

  app.get(RECEIVED_PATH, async context => {
    const reference = context.req.query('reference') ?? ''
    if (!/^LF-[0-9A-Z]{4}-[0-9A-Z]{4}$/.test(reference)) return await pages.respondNotFound(context.req.raw)
    const due = roundedAnswer(services)
    const content = (site: Parameters<typeof ReceivedPage>[0]['site']) => (
      <ReceivedPage site={site} reference={PLACEHOLDER_REFERENCE} answerBy={due} />
    )
    const title = ({ received }: Texts) => received.title
    const page = { status: 200, language: DEFAULT_LANGUAGE, title, content } as const
    const key = `${RECEIVED_PATH} ${due?.getTime()}`
    return await pages.respondFilled(key, page, { replace: PLACEHOLDER_REFERENCE, by: reference })
  })
}

/**
 * When somebody who writes now gets an answer. Rounded up, because nobody answers to the minute, and so that few pages differ:
 * each is kept until others need its room.
 */
function roundedAnswer({ content, clock }: Services): Date | null {
  const { site, hidden } = content.read()
  const due = hidden.has('officeHours') ? null : answerBy(site, clock())
  return due && new Date(Math.ceil(due.getTime() / ANSWER_STEP) * ANSWER_STEP)
}

function pageFormat(services: Services, pages: PageServer): ReplyFormat<typeof Received> {
  const texts = services.textsFor(DEFAULT_LANGUAGE)
  const translated = translateReplies(texts)
  return {
    reply: (context, { reference }) => context.redirect(`${RECEIVED_PATH}?reference=${reference}`, 303),
    async error(context, error, { requestId }, fields) {
      // The client is gone: rendering a page for it would only help an attacker.
      if (error instanceof RequestAborted) return errorResponse(context, error, requestId)
      const page = correctionPage(texts, translated, error, fields ?? {})
      if (fields) return await pages.respondUncached(page)
      // Without what was typed the page is the same for everyone, so it comes from the cache.
      return await pages.respondCached(context.req.raw, `refused ${page.message}`, page)
    },
  }
}

/** What the API refused, in the words of the page where a field is empty or too long. */
function describeErrors(texts: Texts, refused: FieldErrors, values: FieldValues): FieldErrors {
  const own = errorTexts(texts)
  const entries = Object.entries(refused).map(([name, error]) => {
    const field = Object.hasOwn(values, name) ? name : DETAILS + name
    return [name, describeLength(field, values[field] ?? '', own) ?? error] as const
  })
  return Object.fromEntries(entries)
}

/** The contact page again, with what was typed and what to correct. */
function correctionPage(
  texts: Texts,
  translated: Readonly<Record<string, string>>,
  error: HttpError,
  fields: JsonObject,
) {
  const formType = formTypes.find(type => type === fields.formType) ?? 'contact'
  const names = fieldGroups(texts).flatMap(group => group.fields.map(({ name }) => name))
  const values = Object.fromEntries(names.map(name => [name, String(fields[name] ?? '')]))
  const refused = translateErrors(translated, error.details.errors ?? {})
  const errors = describeErrors(texts, refused, values)
  const { lang, enquiryForm } = texts
  const { retry } = enquiryForm.sendLabels
  const reply = translated[error.message] ?? error.message
  // What the error of a field says is said there.
  const message = Object.values(refused).includes(reply)
    ? ''
    : retryMessage(reply, error.details.retryAfter, { lang, retry })
  const form: FormState = { formType, values, errors, ...(message && { error: message }) }
  const status = ([400, 429, 503] as const).find(status => status === error.status) ?? 400
  return {
    message,
    status,
    language: DEFAULT_LANGUAGE,
    title: ({ enquiryForm }: Texts) => enquiryForm.check,
    headers: error.headers,
    content: (site: Parameters<typeof ContactPage>[0]['site']) => <ContactPage site={site} form={form} />,
  }
}
