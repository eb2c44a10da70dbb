import type * as z from 'zod/mini'
import { type ApiRouter, serve } from '../http/api-router.ts'
import type { EventStream } from '../http/event-stream.ts'
import { exemptFromWriteTimeout } from '../http/limits/slow-readers.ts'
import { errorResponse, type ReplyFormat, standardHeaders } from '../http/responses.ts'
import { live } from './contract.ts'

/** Serves the event stream. Who hears of a message reads it by the calls of the inbox, which decide who may. */
export function serveEvents(router: ApiRouter): void {
  const { streams } = router.services
  serve(
    router,
    live.events,
    async (_input, { grant, user, header }) =>
      await streams.open({ grant, userId: user.id }, header('last-event-id')),
    {},
    eventStreamFormat,
  )
}

/** Sends an event stream as it is, past caches, compression and buffers of proxies, for as long as the client wants it. */
const eventStreamFormat: ReplyFormat<z.ZodMiniType<EventStream, EventStream>> = {
  reply(context, stream, call) {
    const { outgoing } = context.env
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
