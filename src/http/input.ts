import type { Context } from 'hono'
import type * as z from 'zod/mini'
import type { Access, Endpoint, Schema } from './endpoint.ts'
import { fieldErrors } from './field-errors.ts'
import { HttpError, throwHttpError } from './http-error.ts'
import { type JsonObject, parseJsonObject } from './json.ts'
import { MAX_BODY_BYTES, throwTooLarge } from './request-checks.ts'

/** Reads query or body, and the path parameters, as the endpoint's input. @throws {HttpError} 400 with the first error of each field. */
export async function readInput<Input extends Schema>(
  context: Context,
  contract: Endpoint<Access, Input>,
): Promise<z.output<Input>> {
  const fields =
    contract.method === 'GET' ? readQuery(context) : await readBody(context, contract.maxBodyBytes)
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
    query[name] = values[0]
  }
  return query
}

async function readBody(context: Context, maxBytes?: number): Promise<JsonObject> {
  const bytes = await readBytes(context, maxBytes)
  return bytes.length > 0 ? parseJsonObject(bytes) : {}
}

/** The client disconnected or was too slow, so nobody will read the response. */
export class RequestAborted extends HttpError {
  constructor() {
    super(400, 'The request ended before its body did')
  }
}

/** Reads at most `maxBytes`, whatever length the request declared. @throws {RequestAborted} */
export async function readBytes(context: Context, maxBytes = MAX_BODY_BYTES): Promise<Uint8Array> {
  // Node reads no more than the declared length, and `assertBody` has checked that it is not too large.
  const isLengthKnown = context.req.header('content-length') !== undefined
  try {
    return await (isLengthKnown ? readWhole(context, maxBytes) : readChunks(context, maxBytes))
  } catch (error) {
    if (error instanceof HttpError) throw error
    // It must not look like an error of ours, such as a lost connection to the database.
    throw new RequestAborted()
  }
}

async function readChunks(context: Context, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of context.req.raw.body ?? []) {
    length += chunk.length
    if (length > maxBytes) throwTooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

async function readWhole(context: Context, maxBytes: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(await context.req.raw.arrayBuffer())
  return bytes.length > maxBytes ? throwTooLarge() : bytes
}
