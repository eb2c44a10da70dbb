import type { Context } from 'hono'
import type { Endpoint, Schema } from './endpoint.ts'
import { encodeResponse, type Representation, respond } from './representation.ts'

/** Encoded documents: checking, writing and compressing one costs many times the rest of the response. */
const encoded = new WeakMap<object, Promise<Representation>>()

/** Responds with a document; its handler returns the same object as long as nothing has changed. */
export async function answerDocument(
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
