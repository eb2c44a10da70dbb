import type { Database } from '../../../database/tables.ts'
import { type ApiRouter, serve } from '../../../http/api-router.ts'
import { throwHttpError } from '../../../http/http-error.ts'
import { errorResponse, type ReplyFormat, standardHeaders } from '../../../http/responses.ts'
import { formattedMailHeaders } from '../../../http/security-headers.ts'
import { minutes } from '../../../platform/clock.ts'
import { createConcurrencyLimit } from '../../../platform/turns.ts'
import { readHtml } from '../mail-in/stored-mail.server.ts'
import { type CleanHtml, cleanHtml } from './clean-html.server.ts'
import { formatting } from './contract.ts'

/** Each is up to half a megabyte, which takes some milliseconds to read. Nobody looks at so many. */
const FORMATTED_PER_USER = { name: 'formatted mails', count: 120, per: minutes(1) }
/** Of this process. */
const limitReads = createConcurrencyLimit(2)

const GONE = 'This email has no formatting any more. Open the conversation again.'

/** Serves the formatting of a mail to the frame in the conversation: decision 075. */
export function serveFormatting(router: ApiRouter): void {
  const { services } = router
  const { db, config, localRateLimiter } = services
  const headers = formattedMailHeaders(config.publicUrl)
  const page = (html: string, status: number, { requestId }: { readonly requestId: string }) =>
    new Response(html, {
      status,
      headers: { ...standardHeaders({ requestId }), ...headers, 'Content-Type': 'text/html; charset=utf-8' },
    })
  const format: ReplyFormat<typeof formatting.read.reply> = {
    reply: (_context, html, call) => page(html, 200, call),
    // What a frame shows is read by a person.
    error: (context, error, call) =>
      context.req.header('sec-fetch-dest') === 'iframe'
        ? page(toDocument({ body: `<p>${escapeText(error.message)}</p>`, styles: '' }), error.status, call)
        : errorResponse(context, error, call.requestId),
  }

  serve(
    router,
    formatting.read,
    async ({ id, entryId }, { user }) => {
      await localRateLimiter.consume(FORMATTED_PER_USER, user.id)
      return await limitReads(async () => {
        const html = await readFormatting(db, id, entryId)
        if (html === null) throwHttpError(404, GONE)
        return toDocument(await cleanHtml(html))
      })
    },
    {},
    format,
  )
}

/** Of the mail alone: it is light, as its sender has chosen its colours, also where the portal is dark. */
const BASE = [
  ':root{color-scheme:light}',
  'body{margin:12px;background:#fff;color:#1d2b32;font:15px/1.47 system-ui,sans-serif;overflow-wrap:anywhere}',
  'img{max-width:100%;height:auto}',
].join('')

export function toDocument({ body, styles }: CleanHtml): string {
  const head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
  return `<!doctype html><html lang="en"><head>${head}<title>Email</title><style>${BASE}</style><style>${styles}</style></head><body dir="auto">${body}</body></html>`
}

const escapeText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** The HTML of a mail that is shown in the conversation of a message. Null without one. */
async function readFormatting(db: Database, id: string, entryId: string): Promise<string | null> {
  const mail = db
    .selectFrom('inbound_mails')
    .innerJoin('messages', 'messages.id', 'inbound_mails.message_id')
    .select('entry_id')
    .where('entry_id', '=', entryId)
    // Also of a message that is merged into this one, which is shown with it.
    .where(eb => eb.or([eb('messages.id', '=', id), eb('messages.merged_into', '=', id)]))
  return (await mail.executeTakeFirst()) ? await readHtml(db, entryId) : null
}
