import type { Context } from 'hono'
import type * as z from 'zod/mini'
import { replies } from '../i18n/texts.ts'
import { nextTurn } from '../platform/turns.ts'
import type { Access, BodyType, Endpoint, Schema } from './endpoint.ts'
import { fieldErrors } from './field-errors.ts'
import { HttpError, throwHttpError } from './http-error.ts'
import { type JsonObject, parseJsonObject } from './json.ts'

/** Bytes; larger than any form of the product can be. */
const DEFAULT_BODY_LIMIT = 64 * 1024

/** More than any form has: each costs some microseconds, for which everybody else waits. */
const MAX_FIELDS = 100

export const bodyLimitOf = ({ bodyLimit = DEFAULT_BODY_LIMIT }: Endpoint) => bodyLimit

/** Bytes that a request announces; as many as there may be when it does not. */
export const bodyLengthOf = (context: Context, contract: Endpoint) =>
  Number(context.req.header('content-length') ?? bodyLimitOf(contract))

/** The query, or the body as its contract says. @throws {HttpError} 400 or 413 */
export async function readFields(context: Context, contract: Endpoint): Promise<JsonObject> {
  if (contract.method === 'GET') return readQuery(context)
  const bytes = await readBytes(context, bodyLimitOf(contract))
  const { body = 'json' } = contract
  const fields =
    body === 'multipart'
      ? await parseMultipart(bytes, context.req.header('content-type') ?? '')
      : decoders[body](bytes, contract.maxKeys)
  // Reading a large one takes long enough for a turn of its own.
  if (bytes.length > DEFAULT_BODY_LIMIT) await nextTurn()
  return fields
}

/** Validates fields and path parameters as the endpoint's input. @throws {HttpError} 400 with the first error of each field */
export function parseInput<Input extends Schema>(
  context: Context,
  contract: Endpoint<Access, Input>,
  fields: JsonObject,
): z.output<Input> {
  const parts = context.req.param() as Record<string, string>
  for (const name of Object.keys(parts))
    if (name in fields) throwHttpError(400, `"${name}" belongs in the address only`)
  const result = contract.input.safeParse({ ...fields, ...parts })
  if (result.success) return result.data
  return throwHttpError(400, result.error.issues[0]?.message ?? 'Please correct the fields', {
    errors: fieldErrors(result.error.issues),
  })
}

function readQuery(context: Context): JsonObject {
  // Without a prototype, so that `__proto__` is rejected like any other unknown name.
  const query: JsonObject = Object.create(null)
  for (const [name, values] of Object.entries(context.req.queries())) {
    if (values.length > 1)
      throwHttpError(400, `"${name}" is given twice`, { errors: { [name]: 'Give this once' } })
    // No field has this character, and PostgreSQL would reject the whole statement.
    if (values[0]?.includes('\0'))
      throwHttpError(400, `"${name}" has a character that cannot be read`, {
        errors: { [name]: 'Remove the characters that cannot be read' },
      })
    query[name] = values[0]
  }
  return query
}

const decoders: Readonly<
  Record<Exclude<BodyType, 'multipart'>, (bytes: Uint8Array, maxKeys?: number) => JsonObject>
> = {
  json: (bytes, maxKeys) => (bytes.length > 0 ? parseJsonObject(bytes, maxKeys) : {}),
  form: parseForm,
  bytes: bytes => ({ bytes }),
}

/** Browsers send what is left empty, too: that counts as not given. */
function parseForm(bytes: Uint8Array): JsonObject {
  const fields = new URLSearchParams(Buffer.from(bytes).toString('utf8'))
  if (fields.size > MAX_FIELDS) throwTooMany()
  return Object.fromEntries([...fields].filter(([, value]) => value !== ''))
}

/** A file that a form has posted. */
export interface PostedFile {
  /** As the browser says; not safe yet. */
  readonly name: string
  readonly type: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Fields and files together: more than any form has, and few enough to look for in no time. */
const MAX_PARTS = 60
/** What a boundary may be, so that everybody who reads it finds the same: https://www.rfc-editor.org/rfc/rfc2046#section-5.1.1 */
const BOUNDARY = /^multipart\/form-data;\s*boundary=("?)([\w'()+,./:=?-]{1,70})\1\s*$/i

/**
 * Reads what a form with files posts: each text by its name, and the files of a name in their order. As in other forms, what is left
 * empty counts as not given. @throws {HttpError} 400; 413 for texts that are longer than those of other forms
 */
export async function parseMultipart(
  bytes: Uint8Array<ArrayBuffer>,
  contentType: string,
): Promise<JsonObject> {
  const boundary = BOUNDARY.exec(contentType)?.[2] ?? throwUnreadable()
  // Each part begins with it, so there are not more.
  if (countUpTo(bytes, `--${boundary}`, MAX_PARTS + 2) > MAX_PARTS + 1) throwTooMany()
  const headers = { 'Content-Type': `multipart/form-data; boundary="${boundary}"` }
  const parts = [...(await new Response(bytes, { headers }).formData().catch(throwUnreadable))]
  const texts = parts.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : []))
  if (texts.reduce((sum, [, text]) => sum + text.length, 0) > DEFAULT_BODY_LIMIT) throwTooLarge()
  const files: Record<string, PostedFile[]> = Object.create(null)
  for (const [name, value] of parts) {
    // A field for files in which none was chosen comes as an empty one without a name.
    if (typeof value === 'string' || (value.name === '' && value.size === 0)) continue
    files[name] ??= []
    const bytes = new Uint8Array(await value.arrayBuffer())
    files[name].push({ name: value.name, type: value.type, bytes })
  }
  return Object.assign(
    Object.create(null),
    Object.fromEntries(texts.filter(([, text]) => text !== '')),
    files,
  )
}

function throwUnreadable(): never {
  throwHttpError(400, 'The form cannot be read')
}

function throwTooMany(): never {
  throwHttpError(400, 'The form has too many fields')
}

function countUpTo(bytes: Uint8Array, text: string, most: number): number {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let count = 0
  for (let at = buffer.indexOf(text); at >= 0 && count < most; at = buffer.indexOf(text, at + 1)) count++
  return count
}

/** The client disconnected or was too slow, so nobody will read the response. */
export class RequestAborted extends HttpError {
  constructor() {
    super(400, 'The request ended before its body did')
  }
}

/** Reads at most `limit` bytes, whatever length the request declared. @throws {RequestAborted} */
async function readBytes(context: Context, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  // Node reads no more than the declared length, and `assertBody` has checked that it is not too large.
  const isLengthKnown = context.req.header('content-length') !== undefined
  try {
    return await (isLengthKnown ? readWhole(context, limit) : readChunks(context, limit))
  } catch (error) {
    if (error instanceof HttpError) throw error
    // It must not look like an error of ours, such as a lost connection to the database.
    throw new RequestAborted()
  }
}

async function readChunks(context: Context, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of context.req.raw.body ?? []) {
    length += chunk.length
    if (length > limit) throwTooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

async function readWhole(context: Context, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(await context.req.raw.arrayBuffer())
  return bytes.length > limit ? throwTooLarge() : bytes
}

export function throwTooLarge(): never {
  throwHttpError(413, replies.tooLarge)
}
