import type { QueryClient } from '@tanstack/react-query'

/** A call that outlives the component that made it. The portal learns of its failure as of that of every other write. */
export async function write<Reply>(client: QueryClient, run: () => Promise<Reply>): Promise<Reply> {
  return await client.getMutationCache().build(client, { mutationFn: run }).execute(undefined)
}
