import * as z from 'zod/mini'
import { ById, Empty } from '../../../http/common-schemas.ts'
import { endpoint } from '../../../http/endpoint.ts'

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
  /**
   * `kept`: it can be downloaded. `original`: it is in the original only. `gone`: it is not kept, or was erased. `locked`: the
   * scanner has found something.
   */
  state: z.literal(['kept', 'original', 'gone', 'locked']),
  /** When the scanner has read it; null while it has not, and without one. */
  scannedAt: z.optional(z.nullable(z.string())),
  /** The name of what it found. */
  found: z.optional(z.nullable(z.string())),
})
export type Attachment = z.output<typeof Attachment>

/** Files of one reply. */
export const MAX_SENT = 20
/** Bytes of the files of one reply together: with what an email adds to them, most mail servers take as much. */
export const MAX_SENT_BYTES = 15 * 1024 * 1024

/** A file that somebody attaches to the reply that they are writing. */
export const DraftFile = z.object({
  id: z.string(),
  /** As it was given, made safe. */
  name: z.string(),
  /** Bytes. */
  size: z.number(),
  type: z.string(),
  /** Bytes that have arrived. */
  received: z.number(),
  /** `gone`: it named somebody who was erased. `locked`: the scanner has found something. */
  state: z.literal(['kept', 'uploading', 'gone', 'locked']),
})
export type DraftFile = z.output<typeof DraftFile>

const path = '/api/messages/:id/attachments'
const fileId = z.uuid('There is no such id')
const OneFile = z.extend(ById, { attachmentId: fileId })
const bytes = z.instanceof(Uint8Array)

const upload = {
  access: 'inbox:answer',
  body: 'bytes',
  bodyLimit: MAX_SENT_BYTES,
  reply: z.object({ attachment: DraftFile }),
} as const

export const attachments = {
  download: endpoint({
    method: 'GET',
    path: `${path}/:attachmentId`,
    access: 'inbox:read',
    summary: 'Download a file of a conversation; HEAD says how much of an upload has arrived',
    input: OneFile,
    reply: z.instanceof(ReadableStream<Uint8Array>),
    mediaType: 'application/octet-stream',
  }),
  preview: endpoint({
    method: 'GET',
    path: `${path}/:attachmentId/preview`,
    access: 'inbox:read',
    summary: 'Look at a picture of a conversation, drawn again from its pixels',
    input: OneFile,
    reply: z.instanceof(ReadableStream<Uint8Array>),
    mediaType: 'image/webp',
    errorStatuses: [415, 503],
  }),
  add: endpoint({
    ...upload,
    method: 'POST',
    path,
    summary: "Attach a file to the caller's draft of a reply, or begin to upload it",
    input: z.extend(ById, { bytes }),
    status: 201,
    errorStatuses: [409, 413, 422, 503],
    headers: {
      'Content-Disposition': "The name of the file, as `attachment; filename*=UTF-8''…`",
      'Content-Type': 'What the file is',
      'Upload-Length': 'Bytes of the whole file, when more of them follow',
      'Idempotency-Key': 'The same for a repeat of the same file, which is then attached once',
    },
  }),
  append: endpoint({
    ...upload,
    method: 'PATCH',
    path: `${path}/:attachmentId`,
    summary: 'Add the next bytes to an upload',
    input: z.extend(OneFile, { bytes }),
    errorStatuses: [409, 413, 503],
    headers: { 'Upload-Offset': 'Where in the file these bytes begin' },
  }),
  copy: endpoint({
    method: 'POST',
    path: `${path}/:attachmentId/copy`,
    access: 'inbox:answer',
    summary: "Attach a file of the conversation to the caller's draft of a reply",
    input: OneFile,
    reply: upload.reply,
    status: 201,
    errorStatuses: [409],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: `${path}/:attachmentId`,
    access: 'inbox:answer',
    summary: "Remove a file from the caller's draft of a reply",
    input: OneFile,
    reply: Empty,
    errorStatuses: [409],
  }),
}

/** Bytes of a picture that can be looked at: more than those of a phone have. */
export const MAX_PREVIEWED = 16 * 1024 * 1024

/** Whether a file may be a picture that can be looked at, as far as its name and size say. */
export const mayPreview = ({ name, size, state }: Pick<Attachment, 'name' | 'size' | 'state'>) =>
  state === 'kept' && size <= MAX_PREVIEWED && /\.(?:jpe?g|png|webp)$/i.test(name)

/** Where a picture is looked at. @param id of the message */
export const previewPath = (id: string, attachmentId: string) =>
  attachments.preview.path.replace(':id', id).replace(':attachmentId', attachmentId)

/** Where a file is downloaded. @param id of the message */
export const attachmentPath = (id: string, attachmentId: string) =>
  attachments.download.path.replace(':id', id).replace(':attachmentId', attachmentId)
