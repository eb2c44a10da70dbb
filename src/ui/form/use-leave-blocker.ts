import { useEffect } from 'react'
import { type Blocker, useBlocker } from 'react-router'
import { hasSessionEnded } from './input-backup.ts'

/** Whether a navigation within the portal would lose something. */
type LeaveRule = Exclude<Parameters<typeof useBlocker>[0], boolean>

/**
 * Holds back someone who would lose something: the router waits for an answer to the returned blocker, and the browser
 * itself asks before another document. Render it only while there is something to lose: the router asks one blocker, the
 * last that was rendered.
 */
export function useLeaveBlocker(isLost: LeaveRule, isDirty = true): Blocker {
  useEffect(() => {
    if (!isDirty) return
    const ask = (event: BeforeUnloadEvent) => {
      if (!hasSessionEnded()) event.preventDefault()
    }
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isDirty])
  return useBlocker(change => isDirty && isLost(change))
}
