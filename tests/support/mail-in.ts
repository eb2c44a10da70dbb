import type { OpenMessage } from '../../src/features/inbox/contract.ts'
import { messages } from '../../src/features/inbox/contract.ts'
import { type Receipt, receiveMail } from '../../src/features/inbox/mail-in/receive.server.ts'
import { fingerprintOf } from '../../src/mail/mailboxes.ts'
import { isoAfter } from '../../src/platform/clock.ts'
import type { Browser } from './browser.ts'
import type { TestApp } from './test-app.ts'

/** The mailbox that is fetched. */
export const MAILBOX = 'info@agency.test'

let written = 0

export interface MailFields {
  readonly from?: string
  readonly to?: string
  readonly cc?: string
  readonly subject?: string
  /** Empty: without one. */
  readonly id?: string
  readonly inReplyTo?: string
  readonly references?: string
  /** Further header lines. */
  readonly headers?: readonly string[]
  readonly body?: string
}

/** A mail as it comes, each with a Message-ID of its own. */
export function composeMail(fields: MailFields = {}): Buffer {
  written++
  const { from = 'Mai Nguyen <mai@visitor.test>', to = MAILBOX, subject = 'A question' } = fields
  const { id = `<${written}.mail@visitor.test>`, body = 'Can my sister join me in Perth?' } = fields
  const lines = [
    ...[`From: ${from}`, `To: ${to}`, `Subject: ${subject}`, 'Date: Mon, 30 Nov 2026 10:00:00 +1100'],
    ...(fields.cc ? [`Cc: ${fields.cc}`] : []),
    ...(id ? [`Message-ID: ${id}`] : []),
    ...(fields.inReplyTo ? [`In-Reply-To: ${fields.inReplyTo}`] : []),
    ...(fields.references ? [`References: ${fields.references}`] : []),
    ...(fields.headers ?? ['MIME-Version: 1.0', 'Content-Type: text/plain; charset=utf-8']),
  ]
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body.replaceAll('\n', '\r\n')}\r\n`)
}

/** Connects a mailbox, whose mail the tests hand over. */
export async function connectMailbox({ services }: TestApp, plusAddresses = true) {
  const connection = {
    ...{ provider: 'imap', host: 'imap.agency.test', port: 993, security: 'tls', user: MAILBOX },
    ...{ password: 'a password', folder: 'INBOX', address: MAILBOX },
  }
  await services.settings.write('mail_in', JSON.stringify(connection))
  await services.db.deleteFrom('mailboxes').execute()
  await services.db
    .insertInto('mailboxes')
    .values({
      account: fingerprintOf(connection),
      connected_at: isoAfter(services.clock),
      plus_addresses: plusAddresses ? 1 : 0,
    })
    .execute()
  const receive = async (
    mail: MailFields | Uint8Array,
    { isEarlier = false, receivedAt = isoAfter(services.clock), omitted = 0 } = {},
  ): Promise<Receipt> => {
    const raw = mail instanceof Uint8Array ? mail : composeMail(mail)
    const fetched = { raw, receivedAt, ...(omitted > 0 && { omitted }) }
    return await receiveMail(services, fetched, { isEarlier, address: MAILBOX })
  }
  /** The id of the message where it was added. */
  const add = async (mail: MailFields | Uint8Array, options = {}): Promise<string> => {
    const { kind, messageId } = await receive(mail, options)
    if (kind !== 'added' || !messageId) throw new Error(`The mail was not added: ${kind}`)
    return messageId
  }
  /** To which a conversation is answered. */
  const addressOf = async (id: string): Promise<string> => {
    const row = services.db.selectFrom('messages').select('reply_key').where('id', '=', id)
    return MAILBOX.replace('@', `+${(await row.executeTakeFirstOrThrow()).reply_key}@`)
  }
  /** The Message-ID of a email. */
  const replyMailId = async (entryId: string): Promise<string> => {
    const row = services.db.selectFrom('mail_ids').select('mail_id').where('entry_id', '=', entryId)
    return (await row.executeTakeFirstOrThrow()).mail_id
  }
  return { receive, add, addressOf, replyMailId }
}

/** What came by mail, as staff see it. */
export async function inboundOf(browser: Browser, id: string): Promise<OpenMessage['entries']> {
  const { entries } = await browser.call(messages.read, { id })
  return entries.filter(({ kind }) => kind === 'inbound')
}
