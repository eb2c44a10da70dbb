/** A value that components can follow with `useSyncExternalStore`. It outlives them. */
export interface StateStore<State> {
  read(): State
  set(change: Partial<State>): void
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
