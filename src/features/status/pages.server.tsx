import { randomUUID } from 'node:crypto'
import type { ReactElement } from 'react'
import { hashToken, newToken } from '../../auth/session.ts'
import type { MessageRow } from '../../database/tables.ts'
import { type HandlerContext, requestContext, serve } from '../../http/api-router.ts'
import { type Cookies, cookiesOf } from '../../http/cookies.ts'
import { fieldErrors } from '../../http/field-errors.ts'
import { HttpError, throwHttpError } from '../../http/http-error.ts'
import { keyFromHeader } from '../../http/idempotency.ts'
import type { JsonObject } from '../../http/json.ts'
import { type AppContext, type HonoApp, type ReplyFormat, toHttpError } from '../../http/responses.ts'
import { DEFAULT_LANGUAGE, type Texts } from '../../i18n/texts.ts'
import type { Services } from '../../services.ts'
import { addToEnquiry, withdrawEnquiry } from '../inbox/mail-in/from-page.server.ts'
import { readErasureRequest } from '../privacy/erasure-requests.server.ts'
import type { PageServer } from '../site/serve-pages.server.tsx'
import type { SiteSettings } from '../site/site-settings.ts'
import { openWithCode, REFUSED, requireLink } from './api.server.ts'
import { askByReference, emailCodeTo } from './codes.server.ts'
import { CODE_ENDED, STATUS_PATH } from './contract.ts'
import { statusForms } from './forms.ts'
import { ErasedPage, HeldPage } from './held.page.tsx'
import { eraseOrAsk, readErasable, readHeld } from './held.server.ts'
import type { CodeAsked, Typed } from './parts.tsx'
import { StatusPage } from './status.page.tsx'
import { endAccess, findByToken } from './tokens.server.ts'
import { CodePage, FindPage, TrackPage } from './track.page.tsx'
import { readSaid, readStatus } from './visible.server.ts'

/** Nothing of it is kept, indexed, or said to another site; its forms say from where they come. */
const HEADERS = { 'X-Robots-Tag': 'noindex', 'Referrer-Policy': 'same-origin' }

/** What a form leads to: a page that is drawn at once, or the address of one. */
type Outcome = ReactPage | { readonly to: string }

interface ReactPage {
  readonly status?: 200 | 400 | 404 | 409 | 429 | 503
  readonly title?: (texts: Texts) => string
  readonly content: (site: SiteSettings) => ReactElement
}

/** Serves the page of an enquiry, and the one on which its link is asked for, with all that their forms post. */
export function serveStatusPages(app: HonoApp, services: Services, pages: PageServer): void {
  const router = { app, services, served: [] }

  async function respond(
    context: AppContext,
    { status = 200, title, content }: ReactPage,
  ): Promise<Response> {
    const page = {
      status,
      language: DEFAULT_LANGUAGE,
      title: title ?? statusTitle,
      content,
    }
    return withCookies(context, await pages.respondUncached({ ...page, headers: HEADERS }))
  }

  /** A form whose handler says what is shown, and what its page says when it was refused. */
  function serveForm<Name extends keyof typeof statusForms>(
    name: Name,
    work: (input: FormInput<Name>, call: HandlerContext<'public'>) => Promise<Outcome>,
    refused: (typed: Typed, cookies: Cookies) => Promise<Outcome>,
  ) {
    async function reply(context: AppContext, outcome: Outcome) {
      if (!('to' in outcome)) return await respond(context, outcome)
      return withCookies(context, new Response(null, { status: 303, headers: { Location: outcome.to } }))
    }
    const format: ReplyFormat = {
      reply: async (context, outcome) => await reply(context, outcome as unknown as Outcome),
      async error(context, error, _call, fields) {
        const cookies = cookiesOf(context, services.config.publicUrl)
        const outcome = await refused(toTyped(error, fields), cookies)
        return await reply(context, 'to' in outcome ? outcome : { ...outcome, status: statusOf(error) })
      },
    }
    serve(
      router,
      statusForms[name],
      // The format below takes it as it is.
      async (input, call) => (await work(input as FormInput<Name>, call)) as unknown as Record<string, never>,
      { refusals: REFUSED },
      format as never,
    )
  }

  async function findShown(cookies: Cookies): Promise<Shown | undefined> {
    const access = cookies.get('enquiry_access')
    const opened = access ? await findByToken(services, access, 'access') : undefined
    if (opened) return { message: opened, isOpen: true }
    const link = cookies.get('enquiry')
    const linked = link ? await findByToken(services, link, 'link') : undefined
    return linked && { message: linked, isOpen: false }
  }

  async function showStatus({ message, isOpen }: Shown, more: Partial<StatusParts> = {}): Promise<ReactPage> {
    const { code = null, isAdded = false, typed } = more
    const status = await readStatus(services, message)
    const opened = isOpen
      ? {
          ...{ said: await readSaid(services.db, message), newKey: randomUUID(), isAdded },
          erasing: {
            ...(await readErasable(services.db, message)),
            request: await readErasureRequest(services.db, message.id),
          },
        }
      : null
    return {
      title: texts => texts.status.states[status.state].heading,
      content: site => <StatusPage site={site} {...{ status, opened, code, typed }} />,
    }
  }

  const showFind = (typed: Typed = {}): ReactPage => ({
    content: site => <FindPage site={site} typed={typed} />,
  })

  /** The page again, with what is wrong with what was typed there. */
  const showAgain = async (typed: Typed, cookies: Cookies): Promise<ReactPage> => {
    const shown = await findShown(cookies)
    return typed.isOther || !shown ? showFind(typed) : await showStatus(shown, { typed })
  }

  /** The enquiry of a browser, if it is the one that its page was of. @throws {HttpError} 404, 409 */
  async function requireShown(cookies: Cookies, of: string) {
    const texts = services.textsFor(DEFAULT_LANGUAGE).status
    const shown = (await findShown(cookies)) ?? throwHttpError(404, texts.find.gone)
    if (shown.message.reference !== of) throwHttpError(409, texts.other, { code: OTHER })
    return shown
  }

  async function requireOpen(cookies: Cookies, of: string): Promise<MessageRow> {
    const { message, isOpen } = await requireShown(cookies, of)
    return isOpen ? message : throwHttpError(404, services.textsFor(DEFAULT_LANGUAGE).status.locked)
  }

  app.get(STATUS_PATH, async context => {
    const cookies = cookiesOf(context, services.config.publicUrl)
    try {
      const shown = await findShown(cookies)
      const code = codeAsked(context.req.query('code'))
      const isAdded = context.req.query('added') !== undefined
      if (shown) return await respond(context, await showStatus(shown, { code, isAdded }))
      if (code && cookies.get('enquiry_code'))
        return await respond(context, { content: site => <CodePage site={site} asked={code} /> })
      // The same for everybody: it costs no more than any page.
      const page = { status: 200, language: DEFAULT_LANGUAGE, title: statusTitle, ...showFind() } as const
      return await pages.respondCached(context.req.raw, STATUS_PATH, { ...page, headers: HEADERS })
    } catch (error) {
      const { log } = requestContext(services, context)
      const { message } = toHttpError(error, log, context)
      return await respond(context, { ...showFind({ message }), status: 503 })
    }
  })

  serveForm(
    'track',
    async (asked, { address }) => {
      await askByReference(services, 'link', asked, { address })
      return { title: trackTitle, content: site => <TrackPage site={site} isSent /> }
    },
    async typed => ({ title: trackTitle, content: site => <TrackPage site={site} typed={typed} /> }),
  )

  serveForm(
    'link',
    async ({ token }, { cookies }) => {
      const { id } = await requireLink(services, token)
      cookies.set('enquiry', token)
      cookies.clear('enquiry_code')
      const shown = await findShown(cookies)
      // What was opened may be another enquiry.
      if (shown?.message.id !== id) cookies.clear('enquiry_access')
      return { to: STATUS_PATH }
    },
    async () => showFind({ message: services.textsFor(DEFAULT_LANGUAGE).status.find.gone }),
  )

  serveForm(
    'code',
    async ({ of, ...asked }, { address, cookies }) => {
      if (of === '') {
        // Only this browser can use the code, and nobody else uses up its tries.
        const nonce = newToken()
        await askByReference(services, 'code', checkAsked(asked), { address, asker: hashToken(nonce) })
        cookies.set('enquiry_code', nonce)
        return { to: `${STATUS_PATH}?code=sent` }
      }
      const shown = await requireShown(cookies, of)
      const token = cookies.get('enquiry') ?? ''
      await emailCodeTo(services, shown.message, { token, address })
      cookies.clear('enquiry_code')
      return { to: `${STATUS_PATH}?code=sent` }
    },
    showAgain,
  )

  serveForm(
    'open',
    async ({ code }, { cookies }) => {
      const asker = cookies.get('enquiry_code') ?? cookies.get('enquiry') ?? ''
      cookies.set('enquiry_access', await openWithCode(services, hashToken(asker), code))
      cookies.clear('enquiry_code')
      return { to: STATUS_PATH }
    },
    async (typed, cookies) =>
      typed.errors?.code
        ? { to: `${STATUS_PATH}?code=${typed.errors.code === CODE_ENDED ? 'ended' : 'wrong'}` }
        : await showAgain(typed, cookies),
  )

  serveForm(
    'add',
    async ({ of, message: text, key }, { cookies }) => {
      const message = await requireOpen(cookies, of)
      await addToEnquiry(services, message, text, keyFromHeader(`addition ${message.id}`, key, text))
      return { to: `${STATUS_PATH}?added#added` }
    },
    showAgain,
  )

  serveForm(
    'held',
    async ({ of }, { cookies }) => {
      const held = await readHeld(services.db, await requireOpen(cookies, of))
      return {
        title: texts => texts.status.held.heading,
        content: site => <HeldPage site={site} held={held} />,
      }
    },
    showAgain,
  )

  serveForm(
    'erase',
    async ({ of }, { cookies }) => {
      const message = await requireOpen(cookies, of)
      const certificate = await eraseOrAsk(services, message, cookies.get('enquiry_access') ?? '')
      if (!certificate) return { to: `${STATUS_PATH}#erase` }
      for (const name of ['enquiry', 'enquiry_access'] as const) cookies.clear(name)
      return {
        title: texts => texts.status.erased.heading,
        content: site => <ErasedPage site={site} certificate={certificate} />,
      }
    },
    showAgain,
  )

  serveForm(
    'withdraw',
    async ({ of }, { cookies }) => {
      await withdrawEnquiry(services, await requireOpen(cookies, of))
      return { to: STATUS_PATH }
    },
    showAgain,
  )

  serveForm(
    'leave',
    async (_, { cookies }) => {
      await endAccess(services.db, cookies.get('enquiry_access') ?? '')
      for (const name of ['enquiry', 'enquiry_access', 'enquiry_code'] as const) cookies.clear(name)
      return { to: '/' }
    },
    showAgain,
  )
}

/** The enquiry of a browser, and whether its code was typed there. */
interface Shown {
  readonly message: MessageRow
  readonly isOpen: boolean
}

interface StatusParts {
  readonly code: CodeAsked | null
  readonly isAdded: boolean
  readonly typed: Typed
}

type FormInput<Name extends keyof typeof statusForms> = ReturnType<
  (typeof statusForms)[Name]['input']['parse']
>

/** The code of a refusal: the page is of another enquiry than the one that this browser has opened since. */
const OTHER = 'other_enquiry'

const statusTitle = ({ status }: Texts) => status.title
const trackTitle = ({ track }: Texts) => track.heading

const codeAsked = (text: string | undefined) =>
  (['sent', 'wrong', 'ended'] as const).find(asked => asked === text) ?? null

/** @throws {HttpError} 400 */
function checkAsked(asked: { readonly reference: string; readonly email: string }) {
  const checked = statusForms.track.input.safeParse(asked)
  if (checked.success) return checked.data
  throw new HttpError(400, 'Please correct what is marked', { errors: fieldErrors(checked.error.issues) })
}

function toTyped({ message, details }: HttpError, fields: JsonObject | null): Typed {
  const values = Object.fromEntries(
    Object.entries(fields ?? {}).map(([name, value]) => [name, String(value)]),
  )
  const errors = details.errors ?? {}
  const isOther = details.code === OTHER
  return { values, errors, ...(Object.keys(errors).length === 0 && { message }), ...(isOther && { isOther }) }
}

const statusOf = ({ status }: HttpError) =>
  ([400, 404, 409, 429, 503] as const).find(it => it === status) ?? 400

/** The cookies that a handler has set: the router of the API, which adds them, is not asked for these paths. */
function withCookies({ env }: AppContext, response: Response): Response {
  const set = env.headers?.['Set-Cookie'] ?? []
  for (const cookie of typeof set === 'string' ? [set] : set) response.headers.append('Set-Cookie', cookie)
  env.headers = {}
  return response
}
