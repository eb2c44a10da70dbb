import { useLayoutEffect, useReducer, useSyncExternalStore } from 'react'

/** A value that components can follow. It outlives them. */
export interface StateStore<State> {
  read(): State
  set(change: Partial<State>): void
  /** @returns what ends it */
  subscribe(listener: () => void): () => void
}

export function createStateStore<State extends object>(first: State): StateStore<State> {
  let state = first
  const listeners = new Set<() => void>()
  return {
    read: () => state,
    set(change) {
      state = { ...state, ...change }
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

export function useStore<State>({ read, subscribe }: Pick<StateStore<State>, 'read' | 'subscribe'>): State {
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  // React itself subscribes a moment after it has drawn: of two keys that come before that, a text field would lose the first.
  useLayoutEffect(() => subscribe(redraw), [subscribe])
  return useSyncExternalStore(subscribe, read, read)
}
