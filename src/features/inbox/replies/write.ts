import type { QueryClient } from '@tanstack/react-query'

/** A call that outlives the component that made it. The portal learns of its failure as of that of every other write. */
export async function write<Reply>(client: QueryClient, run: () => Promise<Reply>): Promise<Reply> {
  return await client.getMutationCache().build(client, { mutationFn: run }).execute(undefined)
}

/** Reads a message again where it is shown, and the figures that it is part of. Nobody waits for that. */
export function refreshMessage(client: QueryClient, id: string) {
  void client.invalidateQueries({ queryKey: ['messages', 'open', id] })
  void client.invalidateQueries({ queryKey: ['dashboard'] })
}
