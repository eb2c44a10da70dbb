import { type ApiRouter, serve } from '../http/api-router.ts'
import { eventStreamFormat } from '../http/event-stream-format.ts'
import { live } from './contract.ts'

/** Serves the event stream. Who hears of a message reads it by the calls of the inbox, which decide who may. */
export function serveEvents(router: ApiRouter): void {
  const { streams } = router.services
  serve(
    router,
    live.events,
    async (_input, { grant, header }) => await streams.open(grant, header('last-event-id')),
    {},
    eventStreamFormat,
  )
}
