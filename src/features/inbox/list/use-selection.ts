import { useState } from 'react'

interface State extends Pick<Selection, 'ids' | 'versions'> {
  /** Identifies the list; another one begins without a selection. */
  readonly list: string
  /** What was selected last, where a range begins. */
  readonly last: string | null
}

/** What messages had when they were selected without anybody having looked at them, by id. */
export type Versions = Readonly<Record<string, number>>

export interface Selection {
  readonly ids: ReadonlySet<string>
  readonly versions: Versions
  /** @param isRange whether everything since the last one becomes as this one */
  readonly toggle: (id: string, isRange: boolean) => void
  /** Selects these and no others. */
  readonly replace: (ids: readonly string[], versions?: Versions) => void
}

/**
 * Which messages are selected: by their ids, so that new messages and a refetch change nothing, until the filter changes.
 * @param shown the ids of the list, in its order
 */
export function useSelection(list: string, shown: readonly string[]): Selection {
  const [stored, setStored] = useState<State>(() => emptyState(list))
  const here = (all: State) => (all.list === list ? all : emptyState(list))

  return {
    ...here(stored),
    toggle: (id, isRange) =>
      setStored(all => toggled(here(all), isRange ? rangeOf(shown, here(all).last, id) : [id], id)),
    replace: (some, known = {}) => setStored({ list, ids: new Set(some), last: null, versions: known }),
  }
}

const emptyState = (list: string): State => ({ list, ids: new Set(), last: null, versions: {} })

/** @param some become as the last of them */
export function toggled({ ids, versions, ...state }: State, some: readonly string[], last: string): State {
  const [next, known] = [new Set(ids), { ...versions }]
  for (const id of some) {
    if (!ids.has(last)) next.add(id)
    else if (next.delete(id)) delete known[id] // Who selects it again has looked at it.
  }
  return { ...state, ids: next, versions: known, last }
}

/** From one to the other, whichever is first; only the other when the one is not shown. */
export function rangeOf(shown: readonly string[], from: string | null, to: string): readonly string[] {
  const [start, end] = [shown.indexOf(from ?? ''), shown.indexOf(to)]
  return start < 0 || end < 0 ? [to] : shown.slice(Math.min(start, end), Math.max(start, end) + 1)
}
