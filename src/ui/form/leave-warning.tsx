import { useEffect, useRef, useState } from 'react'
import { ConfirmDialog } from '../dialog/dialog.tsx'
import { useLeaveBlocker } from './use-leave-blocker.ts'

interface LeaveWarningProps {
  readonly title: string
  readonly question: string
  readonly action: string
  /** Whether there is something to lose. */
  readonly isDirty?: boolean
  /** Tries to save first. @returns whether everything is saved, so that nobody has to be asked */
  readonly save?: () => Promise<boolean>
}

/** While there is something to lose, a change to another screen asks first, and so does the browser before another document. */
export function LeaveWarning({ isDirty = true, ...props }: LeaveWarningProps) {
  // Somebody who leaves waits until it is saved.
  const [isHeld, setHeld] = useState(false)
  return (isDirty || isHeld) && <ActiveWarning {...props} isDirty={isDirty} onHold={setHeld} />
}

interface ActiveWarningProps extends LeaveWarningProps {
  readonly onHold: (isHeld: boolean) => void
}

function ActiveWarning({ isDirty, save, onHold, ...texts }: ActiveWarningProps) {
  const blocker = useLeaveBlocker(
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname,
    isDirty,
  )
  const [isAsking, setAsking] = useState(false)
  const latest = useRef({ blocker, save })
  latest.current = { blocker, save }
  const isBlocked = blocker.state === 'blocked'
  useEffect(() => onHold(isBlocked), [isBlocked, onHold])
  useEffect(() => {
    if (!isBlocked) return
    const decide = async () => {
      const isSaved = (await latest.current.save?.()) ?? false
      if (isSaved) latest.current.blocker.proceed?.()
      else setAsking(true)
    }
    decide()
    return () => setAsking(false)
  }, [isBlocked])

  if (blocker.state !== 'blocked' || !isAsking) return null
  return <ConfirmDialog {...texts} onConfirm={() => blocker.proceed()} onClose={() => blocker.reset()} />
}
