import { sql } from 'kysely'
import * as z from 'zod/mini'
import { openAttachment, readAttachments, type ScannedAttachment } from '../../../attachments/store.server.ts'
import type { Database } from '../../../database/tables.ts'
import { type ApiRouter, serve } from '../../../http/api-router.ts'
import { throwHttpError } from '../../../http/http-error.ts'
import { hasOriginal, setDownloadHeaders, toAttachments } from '../attachments/api.server.ts'
import { InboundMail, mailIn } from './contract.ts'

const Addresses = z.array(InboundMail.shape.from)
/** Bytes that an attachment has in a reply beside its name and type. */
const BESIDE_NAME = 150

/** What a step of the history has beside the text of its entry, in bytes. */
export const bytesOfMail = sql<number>`coalesce(octet_length(inbound_mails.body_quoted)
  + octet_length(inbound_mails.to_addresses) + octet_length(inbound_mails.cc_addresses)
  + octet_length(inbound_mails.subject), 0)
  + coalesce((select cast(sum(octet_length(name) + octet_length(type) + ${sql.lit(BESIDE_NAME)}) as integer)
    from attachments where attachments.entry_id = entries.id), 0)`

/** The mails of entries, and of messages that began as mail, by id. */
export async function readMails(db: Database, ids: readonly string[]): Promise<Map<string, InboundMail>> {
  if (ids.length === 0) return new Map()
  const rows = await selectMails(db).where('inbound_mails.entry_id', 'in', ids).execute()
  const attachments = await readAttachments(db, ids)
  return new Map(rows.map(row => [row.entry_id, toMail(row, attachments.get(row.entry_id) ?? [])]))
}

function selectMails(db: Database) {
  return (
    db
      .selectFrom('inbound_mails')
      .leftJoin('messages as other', 'other.id', 'inbound_mails.may_belong_to')
      .select(['entry_id', 'from_name', 'from_address', 'to_addresses', 'cc_addresses', 'subject'])
      .select(['body_quoted', 'automatic', 'sender', 'problem'])
      .select(['other.id as other_id', 'other.reference as other_reference'])
      // Half a megabyte that nobody looks at here.
      .select(sql<number>`case when html is null then 0 else 1 end`.as('has_html'))
  )
}

type Row = Awaited<ReturnType<ReturnType<typeof selectMails>['execute']>>[number]

function toMail(row: Row, attachments: readonly ScannedAttachment[]): InboundMail {
  const { other_id, other_reference } = row
  return {
    from: { name: row.from_name, address: row.from_address },
    subject: row.subject,
    recipients: {
      to: Addresses.parse(JSON.parse(row.to_addresses)),
      cc: Addresses.parse(JSON.parse(row.cc_addresses)),
    },
    quoted: row.body_quoted,
    attachments: toAttachments(attachments),
    automatic: row.automatic !== null,
    sender: row.sender,
    mayBelongTo:
      other_id !== null && other_reference !== null ? { id: other_id, reference: other_reference } : null,
    problem: row.problem,
    hasFormatting: row.has_html === 1,
    hasOriginal: hasOriginal(attachments),
  }
}

/** The HTML of a mail as it came: for a document of its own, in a sandbox, and nothing else. Null without any. */
export async function readHtml(db: Database, entryId: string): Promise<string | null> {
  const mail = db.selectFrom('inbound_mails').select('html').where('entry_id', '=', entryId)
  return (await mail.executeTakeFirst())?.html ?? null
}

export function serveMailIn(router: ApiRouter): void {
  const { services } = router
  const { db } = services

  serve(router, mailIn.original, async ({ id, entryId }, { log, setHeader }) => {
    const original = await openAttachment(db, id, { originalOf: entryId })
    if (!original) throwHttpError(404, 'The whole of this mail is not kept')
    setDownloadHeaders(setHeader, `mail-${entryId}.eml`)
    log('info', 'API', 'Mail downloaded', { messageId: id, entryId })
    return original.body
  })
}
