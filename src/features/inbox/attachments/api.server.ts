import { openAttachment, type ScannedAttachment } from '../../../attachments/store.server.ts'
import { type ApiRouter, serve } from '../../../http/api-router.ts'
import { throwFieldError, throwHttpError } from '../../../http/http-error.ts'
import { keyFromHeader } from '../../../http/idempotency.ts'
import { replies } from '../../../i18n/texts.ts'
import { inspectPicture, MAX_PIXELS, MAX_PROPORTION } from '../../../pictures/inspect-picture.ts'
import type { Services } from '../../../services.ts'
import { nameOfFile, typeOfFile } from '../mail-in/mail-files.ts'
import { type Attachment, attachments, MAX_PREVIEWED, MAX_SENT_BYTES } from './contract.ts'
import { addUpload, append, copyToDraft, listDraftFiles, removeDraftFile } from './draft-files.server.ts'

/** Bytes of uploads that are in memory at the same time: two whole ones, or many parts. */
const MAX_ARRIVING = 2 * MAX_SENT_BYTES

/** Attachments as the contract has them: what is not kept by itself may be in the whole mail. */
export function toAttachments(rows: readonly ScannedAttachment[]): Attachment[] {
  const isWhole = hasOriginal(rows)
  return rows
    .filter(({ kind }) => kind === 'file')
    .map(row => {
      const { id, name, size, type, warning, scanned_at: scannedAt, found } = row
      return { id, name, size, type, warning, state: stateOf(row, isWhole), scannedAt, found }
    })
}

function stateOf({ sha256, found }: ScannedAttachment, isWhole: boolean): Attachment['state'] {
  if (found !== null) return 'locked'
  if (sha256 !== null) return 'kept'
  return isWhole ? 'original' : 'gone'
}

export const hasOriginal = (rows: readonly ScannedAttachment[]) =>
  rows.some(({ kind, found }) => kind === 'original' && found === null)

/** Serves the files of conversations, and how staff attach some to a reply. */
export function serveAttachments(router: ApiRouter): void {
  const { services } = router
  const { db } = services
  let arriving = 0

  function acquireSlot(_: unknown, length: number) {
    if (arriving + length > MAX_ARRIVING) throwHttpError(503, replies.unavailable, { retryAfter: 1 })
    arriving += length
    return () => {
      arriving -= length
    }
  }

  serve(router, attachments.download, async ({ id, attachmentId }, { user, method, log, setHeader }) => {
    if (method === 'HEAD') {
      const drafted = (await listDraftFiles(db, { messageId: id, userId: user.id })).find(
        it => it.id === attachmentId,
      )
      if (drafted) {
        setHeader('Upload-Offset', `${drafted.received}`)
        setHeader('Upload-Length', `${drafted.size}`)
        return new ReadableStream<Uint8Array>()
      }
    }
    const attachment = await openAttachment(db, id, { id: attachmentId, userId: user.id })
    if (!attachment) throwHttpError(404, 'This file is not kept')
    setDownloadHeaders(setHeader, attachment.name)
    if (method !== 'HEAD') log('info', 'API', 'Attachment downloaded', { messageId: id, attachmentId })
    return attachment.body
  })

  serve(router, attachments.preview, async ({ id, attachmentId }, { user, setHeader }) => {
    const attachment = await openAttachment(db, id, { id: attachmentId, userId: user.id })
    if (!attachment) throwHttpError(404, 'This file is not kept')
    setSandboxHeaders(setHeader)
    return await drawPreview(services.pictures, attachment, user.id)
  })

  serve(
    router,
    attachments.add,
    async ({ id, bytes }, { user, log, header }) => {
      const file = { ...readHead(header), size: lengthOf(header('upload-length')) ?? bytes.length }
      const content = JSON.stringify([id, file])
      const key = keyFromHeader(`attachment ${user.id}`, header('idempotency-key'), content)
      const attachment = await addUpload(
        services,
        { messageId: id, userId: user.id },
        { ...file, bytes },
        key,
      )
      log('info', 'API', 'File attached to a draft', { messageId: id, attachmentId: attachment.id })
      return { attachment }
    },
    { acquireSlot },
  )

  serve(
    router,
    attachments.append,
    async ({ id, attachmentId, bytes }, { user, header }) => {
      const offset = lengthOf(header('upload-offset')) ?? throwFieldError('bytes', 'Give Upload-Offset')
      const drafting = { messageId: id, userId: user.id }
      return { attachment: await append(services, drafting, attachmentId, { offset, bytes }) }
    },
    { acquireSlot },
  )

  serve(router, attachments.copy, async ({ id, attachmentId }, { user, log }) => {
    const attachment = await copyToDraft(services, { messageId: id, userId: user.id }, attachmentId)
    log('info', 'API', 'File attached to a draft', { messageId: id, attachmentId: attachment.id })
    return { attachment }
  })

  serve(router, attachments.remove, async ({ id, attachmentId }, { user }) => {
    await removeDraftFile(services, { messageId: id, userId: user.id }, attachmentId)
    return {}
  })
}

type Opened = NonNullable<Awaited<ReturnType<typeof openAttachment>>>

const NO_PICTURE = 'This cannot be looked at here. Download it.'

/**
 * Draws a picture again: what a browser shows of a file of a stranger comes from our encoder, in a process of its own, and has
 * nothing of the file but its pixels. @throws {HttpError} 415 for what is no picture, or a very large one; 503
 */
async function drawPreview(
  { encoder }: Pick<Services['pictures'], 'encoder'>,
  { size, body }: Opened,
  userId: string,
): Promise<ReadableStream<Uint8Array>> {
  if (size > MAX_PREVIEWED) throwHttpError(415, NO_PICTURE)
  const leavePlace = encoder.acquireSlot(userId)
  if (!leavePlace) throwHttpError(503, replies.unavailable, { retryAfter: 5 })
  try {
    const bytes = new Uint8Array(await new Response(body).arrayBuffer())
    const inspected = inspectPicture(bytes)
    if (inspected === null || typeof inspected === 'string') throwHttpError(415, NO_PICTURE)
    const { width, height } = inspected
    const isThin = Math.max(width, height) > MAX_PROPORTION * Math.min(width, height)
    if (width * height > MAX_PIXELS || isThin) throwHttpError(415, NO_PICTURE)
    const outcome = await encoder.encode(bytes, 'preview').catch(() => null)
    const [file] = outcome && !('refused' in outcome) ? outcome.files : []
    if (!file) throwHttpError(415, NO_PICTURE)
    return new Blob([new Uint8Array(file.bytes)]).stream()
  } finally {
    leavePlace()
  }
}

/** @throws {HttpError} 400 */
function readHead(header: (name: string) => string | undefined) {
  const name = nameOfFile(fileNameIn(header('content-disposition') ?? ''))
  if (!name) throwFieldError('bytes', 'Give the name of the file in Content-Disposition')
  return { name, type: typeOfFile(header('content-type') ?? '') }
}

/** As RFC 6266 has it. */
function fileNameIn(disposition: string): string {
  const parameters = new Map<string, string>()
  const parameter = /\s*;\s*([\w*-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/y
  parameter.lastIndex = /^\s*[\w-]*/.exec(disposition)?.[0].length ?? 0
  for (let found = parameter.exec(disposition); found; found = parameter.exec(disposition)) {
    const [, name = '', quoted, token = ''] = found
    parameters.set(name.toLowerCase(), quoted?.replace(/\\(.)/g, '$1') ?? token)
  }
  const [, encoded] = /^utf-8'[^']*'(.+)$/i.exec(parameters.get('filename*') ?? '') ?? []
  try {
    if (encoded !== undefined) return decodeURIComponent(encoded)
  } catch {
    // It has the plain name as well, or none.
  }
  return parameters.get('filename') ?? ''
}

/** @throws {HttpError} 400 */
function lengthOf(header: string | undefined): number | undefined {
  if (header === undefined) return undefined
  return /^\d{1,10}$/.test(header)
    ? Number(header)
    : throwFieldError('bytes', 'A length is a number of bytes')
}

/** A stranger has sent it: no browser may show it, or run what is in it. */
export function setDownloadHeaders(setHeader: (name: string, value: string) => void, name: string) {
  const plain = name.replace(/[^ -~]|["\\%]/g, '_')
  setHeader('Content-Disposition', `attachment; filename="${plain}"; filename*=UTF-8''${encodeName(name)}`)
  setSandboxHeaders(setHeader)
}

function setSandboxHeaders(setHeader: (name: string, value: string) => void) {
  setHeader('Content-Security-Policy', "sandbox; default-src 'none'")
  setHeader('X-Content-Type-Options', 'nosniff')
}

/** As RFC 8187 wants it, which leaves fewer characters as they are. */
const encodeName = (name: string) =>
  encodeURIComponent(name).replace(/['()*]/g, it => `%${it.charCodeAt(0).toString(16).toUpperCase()}`)
