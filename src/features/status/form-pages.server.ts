import type { ReactElement } from 'react'
import { type HandlerContext, serve } from '../../http/api-router.ts'
import { type Cookies, cookiesOf } from '../../http/cookies.ts'
import type { HttpError } from '../../http/http-error.ts'
import type { JsonObject } from '../../http/json.ts'
import type { AppContext, HonoApp, ReplyFormat } from '../../http/responses.ts'
import { DEFAULT_LANGUAGE, type Texts } from '../../i18n/texts.ts'
import type { Services } from '../../services.ts'
import type { PageServer, UncachedPage } from '../site/serve-pages.server.tsx'
import type { SiteSettings } from '../site/site-settings.ts'
import { REFUSED } from './api.server.ts'
import { statusForms } from './forms.ts'
import type { Typed } from './parts.tsx'

/** How the forms of the pages of an enquiry are answered: they work without a script. */

/** Nothing of it is kept, indexed, or said to another site; its forms say from where they come. */
const HEADERS = { 'X-Robots-Tag': 'noindex', 'Referrer-Policy': 'same-origin' }
const FILE_HEADERS = { 'Content-Type': 'application/octet-stream', 'Cache-Control': 'no-store' }

/** What a form leads to: a page that is drawn at once, the address of one, or a file. */
export type Outcome = FormPage | { readonly to: string } | { readonly file: ReadableStream<Uint8Array> }

export interface FormPage {
  readonly status?: 200 | 400 | 404 | 409 | 413 | 429 | 503
  /** Of the page of an enquiry unless something else is said. */
  readonly title?: (texts: Texts) => string
  readonly content: (site: SiteSettings) => ReactElement
}

type FormName = keyof typeof statusForms
type FormInput<Name extends FormName> = ReturnType<(typeof statusForms)[Name]['input']['parse']>

/** The code of a refusal: the page is of another enquiry than the one that this browser has opened since. */
export const OTHER_ENQUIRY = 'other_enquiry'

export function createFormPages(app: HonoApp, services: Services, pages: PageServer) {
  /** As every page of an enquiry is drawn. */
  const toPage = ({
    status = 200,
    title = ({ status }) => status.title,
    content,
  }: FormPage): UncachedPage => ({
    ...{ status, title, content, language: DEFAULT_LANGUAGE, styles: 'status', headers: HEADERS },
    description: ({ track }) => track.description,
  })

  async function respond(context: AppContext, outcome: Outcome): Promise<Response> {
    if ('file' in outcome) return withHeaders(context, new Response(outcome.file, { headers: FILE_HEADERS }))
    if ('to' in outcome)
      return withHeaders(context, new Response(null, { status: 303, headers: { Location: outcome.to } }))
    return withHeaders(context, await pages.respondUncached(toPage(outcome)))
  }

  return {
    respond,
    /** A page that is the same for everybody costs no more than any page. */
    respondShared: async (request: Request, path: string, page: FormPage) =>
      await pages.respondCached(request, path, toPage(page)),
    /** A form whose handler says what is shown, and what its page says when it was refused. */
    serveForm<Name extends FormName>(
      name: Name,
      work: (input: FormInput<Name>, call: HandlerContext<'public'>) => Promise<Outcome>,
      refused: (typed: Typed, cookies: Cookies) => Promise<Outcome>,
      limits: Parameters<typeof serve>[3] = {},
    ) {
      const format: ReplyFormat = {
        reply: async (context, outcome) => await respond(context, outcome as unknown as Outcome),
        async error(context, error, _call, fields) {
          const cookies = cookiesOf(context, services.config.publicUrl)
          const outcome = await refused(toTyped(error, fields), cookies)
          return await respond(
            context,
            'content' in outcome ? { ...outcome, status: statusOf(error) } : outcome,
          )
        },
      }
      serve(
        { app, services, served: [] },
        statusForms[name],
        // The format takes it as it is.
        async (input, call) =>
          (await work(input as FormInput<Name>, call)) as unknown as Record<string, never>,
        { refusals: REFUSED, ...limits },
        format as never,
      )
    },
  }
}

function toTyped({ message, details }: HttpError, fields: JsonObject | null): Typed {
  const values = Object.fromEntries(
    Object.entries(fields ?? {}).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  )
  const errors = details.errors ?? {}
  const isOther = details.code === OTHER_ENQUIRY
  return { values, errors, ...(Object.keys(errors).length === 0 && { message }), ...(isOther && { isOther }) }
}

const statusOf = ({ status }: HttpError) =>
  ([400, 404, 409, 413, 429, 503] as const).find(it => it === status) ?? 400

/** With what a handler has set: the router of the API, which adds it, is not asked for these paths. */
function withHeaders({ env }: AppContext, response: Response): Response {
  for (const [name, value] of Object.entries(env.headers ?? {}))
    if (name === 'Set-Cookie') for (const cookie of [value].flat()) response.headers.append(name, cookie)
    else if (!response.headers.has(name)) response.headers.set(name, [value].flat().join(', '))
  env.headers = {}
  return response
}
