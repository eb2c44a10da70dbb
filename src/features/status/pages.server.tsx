import { randomUUID } from 'node:crypto'
import { hashToken, newToken } from '../../auth/session.ts'
import type { MessageRow } from '../../database/tables.ts'
import { type RequestContext, requestContext } from '../../http/api-router.ts'
import { type Cookies, cookiesOf } from '../../http/cookies.ts'
import { fieldErrors } from '../../http/field-errors.ts'
import { HttpError, throwFieldError, throwHttpError } from '../../http/http-error.ts'
import { keyFromHeader } from '../../http/idempotency.ts'
import { type HonoApp, toHttpError } from '../../http/responses.ts'
import { DEFAULT_LANGUAGE, replies, type Texts } from '../../i18n/texts.ts'
import type { Services } from '../../services.ts'
import { setDownloadHeaders } from '../inbox/attachments/api.server.ts'
import { addToEnquiry, withdrawEnquiry } from '../inbox/mail-in/from-page.server.ts'
import { sha256Of, toMailFile } from '../inbox/mail-in/mail-files.ts'
import { readErasureRequest } from '../privacy/erasure-requests.server.ts'
import type { PageServer } from '../site/serve-pages.server.tsx'
import { openWithCode, requireLink } from './api.server.ts'
import { askByReference, emailCodeTo } from './codes.server.ts'
import { CODE_ENDED, EMPTY, STATUS_PATH } from './contract.ts'
import { createFormPages, type FormPage, OTHER_ENQUIRY } from './form-pages.server.ts'
import { FORM_BYTES, statusForms } from './forms.ts'
import { ErasedPage, HeldPage } from './held.page.tsx'
import { eraseOrAsk, readErasable, readHeld } from './held.server.ts'
import type { CodeAsked, Typed } from './parts.tsx'
import { headingOf, StatusPage } from './status.page.tsx'
import { endAccess, findByToken } from './tokens.server.ts'
import { CodePage, FindPage, TrackPage } from './track.page.tsx'
import { openSaidFile, readSaid, readStatus } from './visible.server.ts'

/** Serves the page of an enquiry, and the one on which its link is asked for, with all that their forms post. */
export function serveStatusPages(app: HonoApp, services: Services, pages: PageServer): void {
  const { respond, respondShared, serveForm } = createFormPages(app, services, pages)
  const texts = services.textsFor(DEFAULT_LANGUAGE).status

  async function findShown(cookies: Cookies): Promise<Shown | undefined> {
    const access = cookies.get('enquiry_access')
    const opened = access ? await findByToken(services, access, 'access') : undefined
    if (opened) return { message: opened, isOpen: true }
    const link = cookies.get('enquiry')
    const linked = link ? await findByToken(services, link, 'link') : undefined
    return linked && { message: linked, isOpen: false }
  }

  async function showStatus({ message, isOpen }: Shown, more: Partial<StatusParts> = {}): Promise<FormPage> {
    const { code = null, isAdded = false, typed } = more
    const status = await readStatus(services, message)
    const opened = isOpen
      ? {
          ...{ said: await readSaid(services.db, message), newKey: randomUUID(), isAdded },
          erasing: {
            ...(await readErasable(services.db, message)),
            request: await readErasureRequest(services.db, [message.id]),
          },
        }
      : null
    return {
      title: texts => headingOf(texts, status, opened),
      content: site => <StatusPage site={site} {...{ status, opened, code, typed }} />,
    }
  }

  const showFind = (typed: Typed = {}): FormPage => ({
    content: site => <FindPage site={site} typed={typed} />,
  })

  /** The page again, with what is wrong with what was typed there. */
  const showAgain = async (typed: Typed, cookies: Cookies): Promise<FormPage> => {
    const shown = await findShown(cookies)
    return typed.isOther || !shown ? showFind(typed) : await showStatus(shown, { typed })
  }

  /** The enquiry of a browser, if it is the one that its page was of. @throws {HttpError} 404, 409 */
  async function requireShown(cookies: Cookies, of: string) {
    const shown = (await findShown(cookies)) ?? throwHttpError(404, texts.tooLate)
    if (shown.message.reference !== of) throwHttpError(409, texts.other, { code: OTHER_ENQUIRY })
    return shown
  }

  /** Only who has typed the code sends files: others would fill the memory, or hold the places of who has. */
  async function assertMaySendFiles({ cookies }: RequestContext, length: number) {
    if (length <= FORM_BYTES) return
    const access = await findByToken(services, cookies.get('enquiry_access') ?? '', 'access')
    if (!access) throwHttpError(404, texts.tooLate)
  }

  /** Who is sending files, by the access and by the client address. */
  const sending = new Map<string, number>()
  /** Words have room at any time. Files take memory while they come. */
  function acquireSlot(_: unknown, length: number, { address, cookies }: RequestContext) {
    if (length <= FORM_BYTES) return () => {}
    const count = (key: string) => sending.get(key) ?? 0
    const access = `access ${cookies.get('enquiry_access')}`
    const isBusy = [access, address].some(key => count(key) >= MAX_SENDING_BY_ONE)
    if (isBusy || count('all') >= MAX_SENDING) throwHttpError(503, replies.unavailable, { retryAfter: 1 })
    const add = (change: number) => {
      for (const key of ['all', access, address]) sending.set(key, count(key) + change)
      for (const key of [access, address]) if (count(key) === 0) sending.delete(key)
    }
    add(1)
    return () => add(-1)
  }

  async function requireOpen(cookies: Cookies, of: string): Promise<MessageRow> {
    const { message, isOpen } = await requireShown(cookies, of)
    return isOpen ? message : throwHttpError(404, texts.tooLate)
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
      return await respondShared(context.req.raw, STATUS_PATH, showFind())
    } catch (error) {
      const { log } = requestContext(services, context)
      const { message } = toHttpError(error, log, context)
      return await respond(context, { ...showFind({ message }), status: 503 })
    }
  })

  // What a form has posted to may be opened from the history.
  for (const { path } of Object.values(statusForms))
    if (path.startsWith(`${STATUS_PATH}/`)) app.get(path, context => context.redirect(STATUS_PATH, 303))

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
    async () => showFind({ message: texts.find.gone }),
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
      // Without a link in this browser, only it can use the code.
      const token = cookies.get('enquiry') ?? newToken()
      const isSent = await emailCodeTo(services, shown.message, { token, address })
      if (cookies.get('enquiry')) cookies.clear('enquiry_code')
      else cookies.set('enquiry_code', token)
      return { to: `${STATUS_PATH}?code=${isSent ? 'sent' : 'limited'}` }
    },
    showAgain,
  )

  serveForm(
    'open',
    async ({ code }, { cookies }) => {
      const asker = cookies.get('enquiry_code') ?? cookies.get('enquiry') ?? ''
      cookies.set('enquiry_access', await openWithCode(services, hashToken(asker), code))
      cookies.clear('enquiry_code')
      return { to: `${STATUS_PATH}#said` }
    },
    async (typed, cookies) =>
      typed.errors?.code
        ? { to: `${STATUS_PATH}?code=${typed.errors.code === CODE_ENDED ? 'ended' : 'wrong'}` }
        : await showAgain(typed, cookies),
  )

  serveForm(
    'add',
    async ({ of, message: text, key, files: posted }, { cookies }) => {
      const message = await requireOpen(cookies, of)
      const files = posted.map((file, at) => toMailFile(file, `File ${at + 1}`))
      if (text === '' && files.length === 0) throwFieldError('message', EMPTY)
      const content = JSON.stringify([text, files.map(({ name, content }) => [name, content?.sha256])])
      // Who goes back and writes something else has the same key, and sends something else.
      const scope = `addition ${message.id} ${sha256Of(Buffer.from(content))}`
      await addToEnquiry(services, message, { text, files }, keyFromHeader(scope, key, content))
      return { to: `${STATUS_PATH}?added#added` }
    },
    async (typed, cookies) => {
      if (typed.values?.key) return await showAgain(typed, cookies)
      // It was refused before it was read.
      const isTooLarge = typed.message === replies.tooLarge
      const message = isTooLarge
        ? `${texts.tooLarge} ${texts.goBack}`
        : `${typed.message} ${texts.filesAgain}`
      return await showAgain({ ...typed, message }, cookies)
    },
    { assertMayBegin: assertMaySendFiles, acquireSlot },
  )

  serveForm(
    'file',
    async ({ of, id }, { cookies, setHeader }) => {
      const file = await openSaidFile(services.db, await requireOpen(cookies, of), id)
      setDownloadHeaders(setHeader, file.name)
      return { file: file.body }
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
    async (typed, cookies) =>
      // A second press may have come after all was erased.
      (await findShown(cookies)) ? await showAgain(typed, cookies) : showFind({ message: texts.find.gone }),
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

/** Lots of files on their way at the same time: each takes as much memory as the files twice. */
const MAX_SENDING = 4
/** And those of one visitor or client address. A second press on *Send* brings another while the first is being ended. */
const MAX_SENDING_BY_ONE = 2

const trackTitle = ({ track }: Texts) => track.heading

const codeAsked = (text: string | undefined) =>
  (['sent', 'limited', 'wrong', 'ended'] as const).find(asked => asked === text) ?? null

/** @throws {HttpError} 400 */
function checkAsked(asked: { readonly reference: string; readonly email: string }) {
  const checked = statusForms.track.input.safeParse(asked)
  if (checked.success) return checked.data
  throw new HttpError(400, 'Please correct what is marked', { errors: fieldErrors(checked.error.issues) })
}
