import { useSyncExternalStore } from 'react'

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

export const useStore = <State>({ read, subscribe }: Pick<StateStore<State>, 'read' | 'subscribe'>): State =>
  useSyncExternalStore(subscribe, read)
