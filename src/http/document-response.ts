import type { Context } from 'hono'
import type { Endpoint, Schema } from './endpoint.ts'
import { encodeResponse, type Representation, respond } from './representation.ts'

/** Documents that were sent before: checking, serialising and compressing one costs many times the rest of the response. */
const encoded = new WeakMap<object, Promise<Representation>>()

/** Sends a document. `reply` must be the same object each time while nothing has changed, because it is the cache key. */
export async function documentResponse(
  context: Context,
  { reply: schema }: Pick<Endpoint, 'reply'>,
  reply: object,
  headers: Record<string, string>,
): Promise<Response> {
  const document = encoded.get(reply) ?? encodeDocument(schema, reply)
  encoded.set(reply, document)
  const response = respond(context.req.raw, await document)
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
  return response
}

async function encodeDocument(schema: Schema, reply: object): Promise<Representation> {
  return await encodeResponse(JSON.stringify(schema.parse(reply)), { 'Content-Type': 'application/json' })
}
