import type { QueryClient } from '@tanstack/react-query'
import { createApiClient } from '../http/api-client.ts'

let prepare = (init: RequestInit) => init

/** @param change what each request from here on is changed to before it is sent */
export function prepareRequests(change: typeof prepare): void {
  prepare = change
}

/** Calls the API from the browser, with its cookies. */
export const call = createApiClient((path, init) => fetch(path, prepare(init)))

/** A call that outlives the component that made it. The portal learns of its failure as of that of every other write. */
export async function write<Reply>(client: QueryClient, run: () => Promise<Reply>): Promise<Reply> {
  return await client.getMutationCache().build(client, { mutationFn: run }).execute(undefined)
}
