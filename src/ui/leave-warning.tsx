import { ConfirmDialog } from './dialog.tsx'
import { useLeaveBlocker } from './use-leave-blocker.ts'

interface LeaveWarningProps {
  readonly title: string
  readonly question: string
  readonly action: string
}

/** While it is rendered, a change to another screen asks first, and so does the browser before another document. */
export function LeaveWarning(texts: LeaveWarningProps) {
  const blocker = useLeaveBlocker(
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname,
  )
  if (blocker.state !== 'blocked') return null
  return (
    <ConfirmDialog
      {...texts}
      isBusy={false}
      onConfirm={() => blocker.proceed()}
      onClose={() => blocker.reset()}
    />
  )
}
