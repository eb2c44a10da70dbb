import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  type UseQueryOptions,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import type * as z from 'zod/mini'
import type { Access, Endpoint, Schema } from '../http/endpoint.ts'
import { call } from './client.ts'
import { useWrite } from './form/use-write.ts'
import { showFailure, showToast, type Toast } from './toast/toast.ts'

/** Under which the replies of a call are kept: below that of `/api/users` are those of `/api/users/:id/work`. */
export const keyOf = ({ path }: Pick<Endpoint, 'path'>) => path.split('/').slice(2)

/** What a call replies, kept under its path and what was asked for. */
export function callQuery<Input extends Schema, Reply extends Schema>(
  contract: Endpoint<Access, Input, Reply>,
  input: z.input<Input>,
) {
  const queryKey: readonly unknown[] = [...keyOf(contract), input]
  return queryOptions({ queryKey, queryFn: () => call(contract, input) })
}

export function useCall<Input extends Schema, Reply extends Schema>(
  contract: Endpoint<Access, Input, Reply>,
  input: z.input<Input>,
  options: Omit<UseQueryOptions<z.output<Reply>>, 'queryKey' | 'queryFn'> = {},
) {
  return useQuery({ ...options, ...callQuery(contract, input) })
}

/** A list in pages. @param read one page, after this cursor */
export function pagesQuery<Page extends { readonly nextCursor?: string | null | undefined }>(
  queryKey: readonly unknown[],
  read: (cursor: string | undefined) => Promise<Page>,
) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam }) => read(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: page => page.nextCursor ?? undefined,
  })
}

interface Outcome<Sent, Reply> {
  /** Called before anything is read again. @returns what is said about it */
  readonly done?: (reply: Reply, sent: Sent, client: QueryClient) => Toast | undefined
  /** Called after that, and before anything is read again. */
  readonly then?: ((reply: Reply) => unknown) | undefined
  /** What is said about a failure: the title, and a text where the server has none. */
  readonly failed?: readonly [title: string, fallback: string]
  /** Whether a failure is dealt with where the call was made, so that nothing is said about it. */
  readonly isExpected?: (error: Error) => boolean
  /** Whether nothing is read again after a failure. */
  readonly isFreshAfterFailure?: boolean
  /** Identifies what it is about, where it may run for several things concurrently. */
  readonly laneOf?: (sent: Sent) => string
  /** 0 for a reply that has a secret. */
  readonly gcTime?: number
}

/** A call that changes something. What its contract calls stale is read again, also after a failure: it may be out of date. */
export function useChange<Input extends Schema, Reply extends Schema>(
  contract: Endpoint<Access, Input, Reply>,
  outcome: Outcome<z.input<Input>, z.output<Reply>> = {},
) {
  const { done, then, failed, isExpected, isFreshAfterFailure = false, laneOf, ...options } = outcome
  const client = useQueryClient()
  return useWrite<z.output<Reply>, z.input<Input>>(
    {
      ...options,
      mutationFn: input => call(contract, input),
      onSuccess(reply, sent) {
        const toast = done?.(reply, sent, client)
        if (toast) showToast(toast)
        return then?.(reply)
      },
      onError: error => failed && !isExpected?.(error) && showFailure(failed[0], error, failed[1]),
      onSettled: (_reply, error) => (error && isFreshAfterFailure ? undefined : readStale(client, contract)),
    },
    laneOf,
  )
}

/** Reads again what a call has made out of date. */
export async function readStale(client: QueryClient, { stale = [] }: Pick<Endpoint, 'stale'>): Promise<void> {
  await Promise.all(stale.map(path => client.invalidateQueries({ queryKey: keyOf({ path }) })))
}
