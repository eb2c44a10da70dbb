import type { QueryClient } from '@tanstack/react-query'
import type { Message, OpenMessage } from '../contract.ts'
import { replaceInLists } from '../queries.ts'

/** Reads a message again where it is shown, and the figures that it is part of. Nobody waits for that. */
export function refreshMessage(client: QueryClient, id: string) {
  void client.invalidateQueries({ queryKey: ['messages', 'open', id] })
  void client.invalidateQueries({ queryKey: ['dashboard'] })
}

/**
 * What somebody has written themselves makes nothing on their screen out of date, so that they need not wait before they change
 * the message. Copies that do not show what others have done before keep their version.
 */
export function raiseVersion(client: QueryClient, id: string, version: number | undefined) {
  const raise = (message: Message) => (message.version + 1 === version ? { ...message, version } : message)
  replaceInLists(client, id, message => [raise(message)])
  client.setQueriesData<OpenMessage>({ queryKey: ['messages', 'open', id] }, open => {
    return open && { ...open, message: raise(open.message) }
  })
}
