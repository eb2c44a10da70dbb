import type { Context } from 'hono'
import type * as z from 'zod/mini'
import type { Access, Endpoint, Schema } from './endpoint.ts'
import { HttpError, throwHttpError } from './http-error.ts'
import { type JsonObject, parseJsonObject } from './json.ts'
import { MAX_BODY_BYTES, throwTooLarge } from './request-checks.ts'

/** Query or body, and the named parts of the path, as the contract's input. @throws {HttpError} 400 with the first error of each field. */
export async function readInput<Input extends Schema>(
  context: Context,
  contract: Endpoint<Access, Input>,
): Promise<z.output<Input>> {
  const given = contract.method === 'GET' ? readQuery(context) : await readBody(context)
  const parts = context.req.param() as Record<string, string>
  for (const name of Object.keys(parts))
    if (name in given) throwHttpError(400, `"${name}" belongs in the address only`)
  const result = contract.input.safeParse({ ...given, ...parts })
  if (result.success) return result.data
  return throwHttpError(400, result.error.issues[0]?.message ?? 'Please correct the fields', {
    errors: fieldErrors(result.error.issues),
  })
}

function readQuery(context: Context): JsonObject {
  // Without a prototype, so that `__proto__` is a name like any other, and refused like any other unknown one.
  const query: JsonObject = Object.create(null)
  for (const [name, values] of Object.entries(context.req.queries())) {
    if (values.length > 1)
      throwHttpError(400, `"${name}" is given twice`, { errors: { [name]: 'Give this once' } })
    query[name] = values[0]
  }
  return query
}

async function readBody(context: Context): Promise<JsonObject> {
  const bytes = await readBytes(context)
  return bytes.length > 0 ? parseJsonObject(bytes) : {}
}

/** Whoever sent it has gone, or was too slow: nobody will read what it is answered. */
export class RequestAborted extends HttpError {
  constructor() {
    super(400, 'The request ended before its body did')
  }
}

/** Reads at most the largest body allowed, whatever length the request claimed. @throws {RequestAborted} */
export async function readBytes(context: Context): Promise<Uint8Array> {
  // Node reads no more than the length that was claimed, and `refuseBody` has seen that it is not too large.
  const isLengthKnown = context.req.header('content-length') !== undefined
  try {
    return await (isLengthKnown ? readAtOnce(context) : readPieces(context))
  } catch (error) {
    if (error instanceof HttpError) throw error
    // It must not look like a fault of ours, least of all a lost connection to the database.
    throw new RequestAborted()
  }
}

async function readPieces(context: Context): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of context.req.raw.body ?? []) {
    length += chunk.length
    if (length > MAX_BODY_BYTES) throwTooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

async function readAtOnce(context: Context): Promise<Uint8Array> {
  const bytes = new Uint8Array(await context.req.raw.arrayBuffer())
  return bytes.length > MAX_BODY_BYTES ? throwTooLarge() : bytes
}

/** The first thing wrong with each field. */
export function fieldErrors(
  issues: readonly { path: readonly PropertyKey[]; message: string; keys?: unknown }[],
) {
  const errors: Record<string, string> = {}
  for (const { path, message } of issues) errors[path.map(String).join('.') || 'body'] ??= message
  return errors
}
