import * as z from 'zod/mini'
import { ById } from '../../../http/common-schemas.ts'
import { endpoint } from '../../../http/endpoint.ts'
import { Attachment } from '../attachments/contract.ts'

const Mailbox = z.object({
  /** May be empty. */
  name: z.string(),
  address: z.string(),
})

/** A mail that came from outside, beside its text. */
export const InboundMail = z.object({
  /** As the mail says: anybody can write any name and address there. Both may be empty. */
  from: Mailbox,
  subject: z.string(),
  recipients: z.object({ to: z.array(Mailbox), cc: z.array(Mailbox) }),
  /** What it quotes of earlier mails, after its own text; may be empty. */
  quoted: z.string(),
  attachments: z.array(Attachment),
  /** Whether a program wrote it. */
  automatic: z.boolean(),
  /** A stranger knows the address of the conversation and has no part in it. */
  sender: z.enum(['participant', 'stranger', 'visitor']),
  /** The message that it names, although its sender has no part in that one. */
  mayBelongTo: z.nullable(z.object({ id: z.string(), reference: z.string() })),
  /** Why it is not shown as a whole. */
  problem: z.nullable(z.string()),
  /** Whether it can be shown as its sender formatted it. */
  hasFormatting: z.boolean(),
  /** Whether the whole mail can be downloaded. */
  hasOriginal: z.boolean(),
})
export type InboundMail = z.output<typeof InboundMail>

export const mailIn = {
  original: endpoint({
    method: 'GET',
    path: '/api/messages/:id/entries/:entryId/original',
    access: 'inbox:read',
    summary: 'Download a mail as it came, with its attachments',
    input: z.extend(ById, { entryId: z.uuid('There is no such id') }),
    reply: z.instanceof(ReadableStream<Uint8Array>),
    mediaType: 'message/rfc822',
  }),
}
