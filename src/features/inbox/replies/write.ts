import type { QueryClient } from '@tanstack/react-query'

/** Reads a message again where it is shown, and the figures that it is part of. Nobody waits for that. */
export function refreshMessage(client: QueryClient, id: string) {
  void client.invalidateQueries({ queryKey: ['messages', 'open', id] })
  void client.invalidateQueries({ queryKey: ['dashboard'] })
}
