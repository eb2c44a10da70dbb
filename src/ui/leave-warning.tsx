import { useEffect, useRef, useState } from 'react'
import { useBlocker } from 'react-router'
import { ConfirmDialog } from './dialog.tsx'
import { hasSessionEnded } from './input-backup.ts'

interface LeaveWarningProps {
  readonly isDirty: boolean
  readonly question: string
  /** Tries to save first. @returns whether everything is saved, so that nobody has to be asked */
  readonly save?: () => Promise<boolean>
}

/** Asks before unsaved changes are lost: with a dialog for another screen, by the browser for another document. */
export function LeaveWarning({ isDirty, question, save }: LeaveWarningProps) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isDirty && currentLocation.pathname !== nextLocation.pathname,
  )

  const [isAsking, setAsking] = useState(false)
  const latest = useRef({ blocker, save })
  latest.current = { blocker, save }
  const isBlocked = blocker.state === 'blocked'
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

  useEffect(() => {
    if (!isDirty) return
    const ask = (event: BeforeUnloadEvent) => {
      if (!hasSessionEnded()) event.preventDefault()
    }
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isDirty])

  if (blocker.state !== 'blocked' || !isAsking) return null
  return (
    <ConfirmDialog
      title="Unsaved changes"
      question={question}
      action="Leave without saving"
      isBusy={false}
      onConfirm={() => blocker.proceed()}
      onClose={() => blocker.reset()}
    />
  )
}
