import { type MutateOptions, type UseMutationOptions, useMutation } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { ApiError } from '../../http/api-client.ts'
import { usePressGuard } from './press-guard.ts'

/**
 * A call that changes something on the server. All writes of the portal use it, so that a double click, or Enter pressed
 * twice, sends one request.
 * @param laneOf identifies what the call is about, where it may run for several things concurrently, such as list rows
 */
export function useWrite<Reply, Input = void, Before = unknown>(
  options: UseMutationOptions<Reply, Error, Input, Before>,
  laneOf?: (input: Input) => string,
) {
  const once = usePressGuard()
  const { mutateAsync, isPending, data, error } = useMutation(options)

  function mutate(input: Input, callbacks: MutateOptions<Reply, Error, Input, Before> = {}) {
    const lane = laneOf?.(input)
    // The callbacks handle the error.
    const run = () => mutateAsync(input, callbacks).catch(() => {})
    once(run, lane ?? JSON.stringify(input), lane)
  }

  return { mutate, isPending, data, error }
}

/** What comes with the code of a refusal; undefined for any other error. */
export function fieldsOf<Fields>(error: unknown, code: string, schema: z.ZodMiniType<Fields>) {
  return error instanceof ApiError && error.code === code ? schema.safeParse(error.body).data : undefined
}
