import type { Context } from 'hono'
import type * as z from 'zod/mini'
import type { Access, Endpoint, Schema } from './endpoint.ts'
import type { HttpError } from './http-error.ts'
import type { JsonObject } from './json.ts'
import { errorResponse, standardHeaders } from './responses.ts'

interface Call {
  readonly requestId: string
}

/** How the replies of an endpoint and its errors are sent: as JSON, or as a page to a browser that posts a form. */
export interface ReplyFormat<Reply extends Schema = Schema> {
  reply(context: Context, reply: z.input<Reply>, call: Call): Response | Promise<Response>
  /** @param fields what was sent; null when the body was not read, or when the reply must cost little */
  error(
    context: Context,
    error: HttpError,
    call: Call,
    fields: JsonObject | null,
  ): Response | Promise<Response>
}

export function jsonFormat<Reply extends Schema>(
  contract: Endpoint<Access, Schema, Reply>,
): ReplyFormat<Reply> {
  return {
    async reply(context, reply, call) {
      const headers = standardHeaders(call)
      const body: unknown = reply
      if (body instanceof ReadableStream)
        return context.body(body, 200, { ...headers, ...typeHeader(contract) })
      const fields = contract.reply.parse(reply)
      return context.json({ success: true, ...fields }, contract.status ?? 200, headers)
    },
    error: (context, error, call) => errorResponse(context, error, call.requestId),
  }
}

function typeHeader({ mediaType }: Endpoint): Record<string, string> {
  return mediaType === undefined ? {} : { 'Content-Type': `${mediaType}; charset=utf-8` }
}
