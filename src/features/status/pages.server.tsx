import { randomUUID } from 'node:crypto'
import type { ReactElement } from 'react'
import type { MessageRow } from '../../database/tables.ts'
import { type HandlerContext, requestContext, serve } from '../../http/api-router.ts'
import { type Cookies, cookiesOf } from '../../http/cookies.ts'
import { HttpError, throwHttpError } from '../../http/http-error.ts'
import { keyFromContent } from '../../http/idempotency.ts'
import type { JsonObject } from '../../http/json.ts'
import { type AppContext, type HonoApp, type ReplyFormat, toHttpError } from '../../http/responses.ts'
import { DEFAULT_LANGUAGE, type Texts } from '../../i18n/texts.ts'
import type { Services } from '../../services.ts'
import { addToEnquiry, withdrawEnquiry } from '../inbox/mail-in/from-page.server.ts'
import type { PageServer } from '../site/serve-pages.server.tsx'
import type { SiteSettings } from '../site/site-settings.ts'
import { emailCode, openWithCode, REFUSED, requireLink } from './api.server.ts'
import { askByReference, findAsked } from './codes.server.ts'
import { CODE_MESSAGE, STATUS_PATH } from './contract.ts'
import { statusForms } from './forms.ts'
import { ErasedPage, HeldPage } from './held.page.tsx'
import { eraseUnanswered, isAnswered, readHeld } from './held.server.ts'
import { StatusPage } from './status.page.tsx'
import { findByToken } from './tokens.server.ts'
import { CodePage, FindPage, TrackPage, type Typed } from './track.page.tsx'
import { readSaid, readStatus } from './visible.server.ts'

/** Nothing of it is kept, indexed, or said to another site; its forms say from where they come. */
const HEADERS = { 'X-Robots-Tag': 'noindex', 'Referrer-Policy': 'same-origin' }

/** What a form leads to: a page that is drawn at once, or the address of one. */
type Outcome = ReactPage | { readonly to: string }

interface ReactPage {
  readonly status?: 200 | 400 | 404 | 429 | 503
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
    refused: (typed: Typed, cookies: Cookies) => Promise<ReactPage>,
  ) {
    const outcomes = new WeakMap<object, Outcome>()
    const format: ReplyFormat = {
      async reply(context, reply) {
        const outcome = outcomes.get(reply) ?? { to: STATUS_PATH }
        if (!('to' in outcome)) return await respond(context, outcome)
        return withCookies(context, new Response(null, { status: 303, headers: { Location: outcome.to } }))
      },
      async error(context, error, _call, fields) {
        const cookies = cookiesOf(context, services.config.publicUrl)
        const page = await refused(toTyped(error, fields), cookies)
        return await respond(context, { ...page, status: statusOf(error) })
      },
    }
    serve(
      router,
      statusForms[name],
      async (input, call) => {
        const reply = {}
        outcomes.set(reply, await work(input as FormInput<Name>, call))
        return reply
      },
      { refusals: REFUSED },
      format as never,
    )
  }

  /** The enquiry of a browser, and whether its code was typed there. */
  async function findShown(cookies: Cookies) {
    const access = cookies.get('enquiry_access')
    const opened = access ? await findByToken(services, access, 'access') : undefined
    if (opened) return { message: opened, isOpen: true }
    const link = cookies.get('enquiry')
    const linked = link ? await findByToken(services, link, 'link') : undefined
    return linked && { message: linked, isOpen: false }
  }

  async function showStatus(
    { message, isOpen }: { readonly message: MessageRow; readonly isOpen: boolean },
    more: Partial<Parameters<typeof StatusPage>[0]> = {},
  ): Promise<ReactPage> {
    const status = await readStatus(services, message)
    const said = isOpen ? await readSaid(services.db, message) : null
    const mayErase = isOpen && !(await isAnswered(services.db, message.email))
    const shown = { status, said, isCodeSent: false, newKey: randomUUID(), mayErase, ...more }
    return {
      title: texts => texts.status.states[status.state].heading,
      content: site => <StatusPage site={site} {...shown} />,
    }
  }

  const showFind = (typed: Typed = {}): ReactPage => ({
    content: site => <FindPage site={site} typed={typed} />,
  })

  /** The page again, with what is wrong with what was typed there. */
  const showAgain = async (typed: Typed, cookies: Cookies): Promise<ReactPage> => {
    const shown = await findShown(cookies)
    if (!shown) return typed.values?.code === undefined ? showFind(typed) : showCode(typed)
    return await showStatus(shown, { typed, isCodeSent: typed.values?.code !== undefined })
  }

  const showCode = (typed: Typed): ReactPage => ({ content: site => <CodePage site={site} typed={typed} /> })

  async function requireOpen(cookies: Cookies): Promise<MessageRow> {
    const shown = await findShown(cookies)
    return shown?.isOpen
      ? shown.message
      : throwHttpError(404, services.textsFor(DEFAULT_LANGUAGE).status.locked)
  }

  app.get(STATUS_PATH, async context => {
    const cookies = cookiesOf(context, services.config.publicUrl)
    try {
      const shown = await findShown(cookies)
      const done = doneOf(context.req.query('done'))
      if (shown) return await respond(context, await showStatus(shown, { done }))
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
      await askByReference(services, 'link', asked, address)
      return { title: trackTitle, content: site => <TrackPage site={site} isSent /> }
    },
    async typed => ({ title: trackTitle, content: site => <TrackPage site={site} typed={typed} /> }),
  )

  serveForm(
    'link',
    async ({ token }, { cookies }) => {
      await requireLink(services, token)
      cookies.set('enquiry', token)
      // What another link has opened is another enquiry.
      cookies.clear('enquiry_access')
      return { to: STATUS_PATH }
    },
    async () => showFind({ message: services.textsFor(DEFAULT_LANGUAGE).status.find.gone }),
  )

  serveForm(
    'code',
    async (asked, { address, cookies }) => {
      const isAsked = asked.reference !== '' || asked.email !== ''
      if (isAsked) {
        await askByReference(services, 'code', checkAsked(asked), address)
        return showCode({ values: { ...asked } })
      }
      const shown = await findShown(cookies)
      if (!shown) throwHttpError(404, services.textsFor(DEFAULT_LANGUAGE).status.find.gone)
      await emailCode(services, shown.message)
      return await showStatus(shown, { isCodeSent: true })
    },
    showAgain,
  )

  serveForm(
    'open',
    async ({ code, ...asked }, { cookies }) => {
      const message =
        asked.reference === '' && asked.email === ''
          ? (await findShown(cookies))?.message
          : await findAsked(services, services.db, asked)
      // As for a wrong code: nobody learns whether there is such an enquiry.
      if (!message) throwWrongCode()
      cookies.set('enquiry_access', await openWithCode(services, message, code))
      return { to: STATUS_PATH }
    },
    showAgain,
  )

  serveForm(
    'add',
    async ({ message: text, key }, { address, cookies }) => {
      const message = await requireOpen(cookies)
      await addToEnquiry(
        services,
        message,
        text,
        keyFromContent(`addition ${message.id}`, address, key + text),
      )
      return { to: `${STATUS_PATH}?done=added` }
    },
    showAgain,
  )

  serveForm(
    'held',
    async (_, { cookies }) => {
      const held = await readHeld(services.db, await requireOpen(cookies))
      return {
        title: texts => texts.status.held.heading,
        content: site => <HeldPage site={site} held={held} />,
      }
    },
    showAgain,
  )

  serveForm(
    'erase',
    async ({ isSure }, { cookies }) => {
      const message = await requireOpen(cookies)
      if (!isSure) return await showStatus({ message, isOpen: true }, { isErasing: true })
      const certificate = await eraseUnanswered(services, message)
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
    async (_, { cookies }) => {
      await withdrawEnquiry(services, await requireOpen(cookies))
      return { to: `${STATUS_PATH}?done=withdrawn` }
    },
    showAgain,
  )

  serveForm(
    'leave',
    async (_, { cookies }) => {
      for (const name of ['enquiry', 'enquiry_access'] as const) cookies.clear(name)
      return { to: '/' }
    },
    showAgain,
  )
}

type FormInput<Name extends keyof typeof statusForms> = ReturnType<
  (typeof statusForms)[Name]['input']['parse']
>

const statusTitle = ({ status }: Texts) => status.title
const trackTitle = ({ track }: Texts) => track.heading

const doneOf = (text: string | undefined) => (['added', 'withdrawn'] as const).find(done => done === text)

function throwWrongCode(): never {
  throw new HttpError(400, CODE_MESSAGE, { errors: { code: CODE_MESSAGE } })
}

/** @throws {HttpError} 400 */
function checkAsked(asked: { readonly reference: string; readonly email: string }) {
  const checked = statusForms.track.input.safeParse(asked)
  if (checked.success) return checked.data
  const errors = Object.fromEntries(
    checked.error.issues.map(({ path, message }) => [String(path[0]), message]),
  )
  throw new HttpError(400, 'Please correct what is marked', { errors })
}

function toTyped({ message, details }: HttpError, fields: JsonObject | null): Typed {
  const values = Object.fromEntries(
    Object.entries(fields ?? {}).map(([name, value]) => [name, String(value)]),
  )
  const errors = details.errors ?? {}
  return { values, errors, ...(Object.keys(errors).length === 0 && { message }) }
}

const statusOf = ({ status }: HttpError) => ([400, 404, 429, 503] as const).find(it => it === status) ?? 400

/** The cookies that a handler has set: the router of the API, which adds them, is not asked for these paths. */
function withCookies({ env }: AppContext, response: Response): Response {
  const set = env.headers?.['Set-Cookie'] ?? []
  for (const cookie of typeof set === 'string' ? [set] : set) response.headers.append('Set-Cookie', cookie)
  env.headers = {}
  return response
}
