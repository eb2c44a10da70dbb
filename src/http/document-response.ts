import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import type { Endpoint, Schema } from './endpoint.ts'

interface DocumentText {
  readonly text: string
  readonly etag: string
}

/** Documents that were sent before: checking, serialising and hashing one costs ten times the rest of the response. */
const documents = new WeakMap<object, DocumentText>()

/** Sends a document. `reply` must be the same object each time while nothing has changed, because it is the cache key. */
export function documentResponse(
  context: Context,
  { reply: schema }: Pick<Endpoint, 'reply'>,
  reply: object,
  headers: Record<string, string>,
): Response {
  const { text, etag: tag } = documents.get(reply) ?? serializeDocument(schema, reply)
  return context.body(text, 200, { ...headers, 'Content-Type': 'application/json', ETag: tag })
}

function serializeDocument(schema: Schema, reply: object): DocumentText {
  const text = JSON.stringify(schema.parse(reply))
  const written = { text, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` }
  documents.set(reply, written)
  return written
}
