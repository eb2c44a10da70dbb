import { type MutateOptions, type UseMutationOptions, useMutation } from '@tanstack/react-query'
import { usePressGuard } from './press-guard.ts'

/**
 * A call that changes something on the server. All of the portal's go through here, so that a double click, or Enter
 * pressed twice, sends one.
 * @param laneOf what the call is about, where it may run for several things at once: a row of a list
 */
export function useWrite<Reply, Input = void, Before = unknown>(
  options: UseMutationOptions<Reply, Error, Input, Before>,
  laneOf?: (input: Input) => string,
) {
  const once = usePressGuard()
  const { mutateAsync, isPending, data, error } = useMutation(options)

  function mutate(input: Input, callbacks: MutateOptions<Reply, Error, Input, Before> = {}) {
    const lane = laneOf?.(input)
    // Whoever waits for the outcome has it from the callbacks.
    const run = () => mutateAsync(input, callbacks).catch(() => {})
    once(run, lane ?? JSON.stringify(input), lane)
  }

  return { mutate, isPending, data, error }
}
