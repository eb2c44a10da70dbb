import { useEffect, useState, useSyncExternalStore } from 'react'
import { seconds } from '../../platform/clock.ts'
import type { AutosaveState } from './autosave.ts'

/** After this a save without an answer is none: a connection that is lost may say so only minutes later. */
const SLOW = seconds(5)

type Saving = Pick<AutosaveState<unknown, unknown>, 'status' | 'failure' | 'conflicts'>

/**
 * Says that what is typed is not saved, and why; undefined while it is, or soon will be.
 * @param whileTried what it says besides while it is tried again
 */
export function useUnsaved({ status, failure, conflicts }: Saving, whileTried: string): string | undefined {
  const isOnline = useSyncExternalStore(followLine, () => navigator.onLine)
  const isSaving = status === 'saving'
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    setSlow(false)
    if (!isSaving) return
    const timer = setTimeout(() => setSlow(true), SLOW)
    return () => clearTimeout(timer)
  }, [isSaving])
  const isOver = conflicts.length > 0 || status === 'refused'
  let reason = ''
  if (conflicts.length > 0) reason = 'choose which text to keep'
  else if (status !== 'saved' && status !== 'refused' && !isOnline) reason = 'offline'
  else if (status === 'failed' || status === 'refused') reason = failure
  else if (isSaving && isSlow) reason = 'the server does not answer'
  return reason ? `Not saved: ${reason}${isOver ? '' : whileTried}` : undefined
}

/** @returns what ends it */
export function listen(events: readonly string[], onEvent: () => void): () => void {
  for (const name of events) addEventListener(name, onEvent)
  return () => {
    for (const name of events) removeEventListener(name, onEvent)
  }
}

const followLine = (onChange: () => void) => listen(['online', 'offline'], onChange)

/** Saves what is typed when the page is hidden, and when the line is back: the next attempt of its own may be half a minute away. */
export function useSaveOnLeaving(save: () => void) {
  useEffect(() => listen(['visibilitychange', 'online'], save), [save])
}
