import type * as z from 'zod/mini'
import type { Connection } from './api-router.ts'
import type { EventStream } from './event-stream.ts'
import type { ReplyFormat } from './reply-format.ts'
import { errorResponse, standardHeaders } from './responses.ts'
import { exemptFromWriteTimeout } from './slow-readers.ts'

/** Sends an event stream as it is, past caches, compression and buffers of proxies, for as long as the client wants it. */
export const eventStreamFormat: ReplyFormat<z.ZodMiniType<EventStream, EventStream>> = {
  reply(context, stream, call) {
    const { outgoing }: Connection = context.env
    const { signal } = context.req.raw
    if (outgoing) exemptFromWriteTimeout(outgoing)
    stream.onDrop = () => outgoing?.destroy()
    signal.addEventListener('abort', () => stream.end(), { once: true })
    // Nobody reads the body of a HEAD, so nobody would end it.
    if (signal.aborted || context.req.method === 'HEAD') stream.end()
    return context.body(stream.body, 200, {
      ...standardHeaders(call),
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-store, no-transform',
      'X-Accel-Buffering': 'no',
    })
  },
  error: (context, error, call) => errorResponse(context, error, call.requestId),
}
