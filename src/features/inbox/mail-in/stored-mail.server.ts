import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { Database } from '../../../database/tables.ts'
import { type ApiRouter, serve } from '../../../http/api-router.ts'
import { throwHttpError } from '../../../http/http-error.ts'
import { InboundMail, mailIn } from './contract.ts'

const Addresses = z.array(InboundMail.shape.from)
const Attachments = z.array(z.object({ name: z.string(), size: z.number(), type: z.string() }))

/** What a step of the history has beside the text of its entry, in bytes. */
export const bytesOfMail = sql<number>`coalesce(octet_length(inbound_mails.body_quoted)
  + octet_length(inbound_mails.to_addresses) + octet_length(inbound_mails.cc_addresses)
  + octet_length(inbound_mails.attachments) + octet_length(inbound_mails.subject), 0)`

/** The mails of entries, and of messages that began as mail, by id. */
export async function readMails(db: Database, ids: readonly string[]): Promise<Map<string, InboundMail>> {
  if (ids.length === 0) return new Map()
  const rows = await selectMails(db).where('inbound_mails.entry_id', 'in', ids).execute()
  return new Map(rows.map(row => [row.entry_id, toMail(row)]))
}

function selectMails(db: Database) {
  return (
    db
      .selectFrom('inbound_mails')
      .leftJoin('messages as other', 'other.id', 'inbound_mails.may_belong_to')
      .select(['entry_id', 'from_name', 'from_address', 'to_addresses', 'cc_addresses', 'subject'])
      .select(['body_quoted', 'automatic', 'sender', 'problem', 'attachments'])
      .select(['other.id as other_id', 'other.reference as other_reference'])
      // Half a megabyte that nobody looks at here.
      .select(sql<number>`case when html is null then 0 else 1 end`.as('has_html'))
      .select(eb =>
        eb
          .selectFrom('inbound_raw')
          .select('inbound_raw.id')
          .where('inbound_raw.id', '=', sql<string>`inbound_mails.entry_id || '-0000'`)
          .as('original'),
      )
  )
}

type Row = Awaited<ReturnType<ReturnType<typeof selectMails>['execute']>>[number]

function toMail(row: Row): InboundMail {
  const { entry_id, other_id, other_reference } = row
  return {
    from: { name: row.from_name, address: row.from_address },
    subject: row.subject,
    recipients: {
      to: Addresses.parse(JSON.parse(row.to_addresses)),
      cc: Addresses.parse(JSON.parse(row.cc_addresses)),
    },
    quoted: row.body_quoted,
    attachments: Attachments.parse(JSON.parse(row.attachments)).map((attachment, at) => ({
      ...attachment,
      id: `${entry_id}-${at}`,
      state: 'kept',
    })),
    automatic: row.automatic !== null,
    sender: row.sender,
    mayBelongTo:
      other_id !== null && other_reference !== null ? { id: other_id, reference: other_reference } : null,
    problem: row.problem,
    hasFormatting: row.has_html === 1,
    hasOriginal: row.original !== null,
  }
}

/** The HTML of a mail as it came: for a document of its own, in a sandbox, and nothing else. Null without any. */
export async function readHtml(db: Database, entryId: string): Promise<string | null> {
  const mail = db.selectFrom('inbound_mails').select('html').where('entry_id', '=', entryId)
  return (await mail.executeTakeFirst())?.html ?? null
}

/** The key of a part of a mail. */
export const partId = (entryId: string, position: number) => `${entryId}-${String(position).padStart(4, '0')}`

/** A whole mail, part by part; undefined when it is not kept. */
async function openOriginal(db: Database, id: string, entryId: string) {
  const parts = db
    .selectFrom('inbound_raw')
    .innerJoin('messages', 'messages.id', 'inbound_raw.message_id')
    .select('body')
    // Also of a message that is merged into this one, which is shown with it.
    .where(eb => eb.or([eb('messages.id', '=', id), eb('messages.merged_into', '=', id)]))
  const read = async (position: number) => {
    const part = await parts.where('inbound_raw.id', '=', partId(entryId, position)).executeTakeFirst()
    return part && Buffer.from(part.body, 'base64')
  }
  let next = await read(0)
  if (!next) return
  let position = 0
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (!next) return controller.close()
        controller.enqueue(next)
        position += 1
        next = await read(position)
      },
    },
    // Nothing is read before somebody asks: a HEAD request never does.
    { highWaterMark: 0 },
  )
}

export function serveMailIn(router: ApiRouter): void {
  const { services } = router

  serve(router, mailIn.original, async ({ id, entryId }, { log, setHeader }) => {
    const original = await openOriginal(services.db, id, entryId)
    if (!original) throwHttpError(404, 'The whole of this mail is not kept')
    // It is what a stranger has sent: no browser may show it, or run what is in it.
    setHeader('Content-Disposition', `attachment; filename="mail-${entryId}.eml"`)
    setHeader('Content-Security-Policy', "sandbox; default-src 'none'")
    setHeader('X-Content-Type-Options', 'nosniff')
    log('info', 'API', 'Mail downloaded', { messageId: id, entryId })
    return original
  })
}
