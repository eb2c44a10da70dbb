import * as z from 'zod/mini'
import { ById } from '../../../http/common-schemas.ts'
import { endpoint } from '../../../http/endpoint.ts'

const Mailbox = z.object({
  /** May be empty. */
  name: z.string(),
  address: z.string(),
})

export const Attachment = z.object({
  id: z.string(),
  /** As it was sent, made safe. */
  name: z.string(),
  /** Bytes. */
  size: z.number(),
  /** As its sender says. */
  type: z.string(),
  /** Why somebody should think twice before they open it. */
  warning: z.nullable(z.literal(['program', 'page', 'script', 'disguised'])),
  /** `kept`: it can be downloaded. `original`: it is in the original only. `gone`: it is not kept, or was erased. */
  state: z.literal(['kept', 'original', 'gone']),
})
export type Attachment = z.output<typeof Attachment>

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
  attachment: endpoint({
    method: 'GET',
    path: '/api/messages/:id/attachments/:attachmentId',
    access: 'inbox:read',
    summary: 'Download a file that came with a mail',
    input: z.extend(ById, { attachmentId: z.uuid('There is no such id') }),
    reply: z.instanceof(ReadableStream<Uint8Array>),
    mediaType: 'application/octet-stream',
  }),
}

/** Where a file is downloaded. @param id of the message */
export const attachmentPath = (id: string, attachmentId: string) =>
  mailIn.attachment.path.replace(':id', id).replace(':attachmentId', attachmentId)
