import { useEffect, useState, useSyncExternalStore } from 'react'
import { formatClock } from '../../../ui/dates.ts'
import type { DraftSession, DraftState } from './draft-session.ts'

/** Whether what is typed is saved. */
export function DraftLine({ status, savedAt, failure }: DraftState) {
  const reason = useReason(status, failure)
  if (reason)
    return (
      <p className="quiet small inbox-draft-line" role="status">
        Not saved: {reason}.
        {status !== 'refused' && status !== 'conflict' && ' It is kept in this window and saved by itself.'}
      </p>
    )
  return (
    <p className="quiet small inbox-draft-line">
      {status === 'saved' ? savedLine(savedAt) : 'Saving draft …'}
    </p>
  )
}

/** Milliseconds after which a save without an answer is none: a connection that is lost may say so only minutes later. */
const SLOW = 5000

/** Why it is not saved; nothing while it is, or soon will be. */
function useReason(status: DraftState['status'], failure: string): string | undefined {
  const isOnline = useSyncExternalStore(followLine, () => navigator.onLine)
  const isSaving = status === 'saving'
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    setSlow(false)
    if (!isSaving) return
    const timer = setTimeout(() => setSlow(true), SLOW)
    return () => clearTimeout(timer)
  }, [isSaving])
  if (status === 'conflict') return 'choose which of the two texts stays'
  if (status === 'refused') return failure
  if (status !== 'saved' && !isOnline) return 'offline'
  if (status === 'failed') return failure
  return isSaving && isSlow ? 'the server does not answer' : undefined
}

function followLine(onChange: () => void): () => void {
  const stop = new AbortController()
  for (const name of ['online', 'offline']) addEventListener(name, onChange, { signal: stop.signal })
  return () => stop.abort()
}

const savedLine = (savedAt: string | null) => (savedAt ? `Draft saved ${formatClock(savedAt)}` : '')

/** Asks which of two texts stays, when the same person has written another one in another window. */
export function DraftConflict({ session, other }: { session: DraftSession; other: string | null }) {
  if (other === null) return null
  return (
    <div className="warning small inbox-composer-notice" role="alert">
      <p>You have changed this draft in another window. There it says:</p>
      <p className="break inbox-text inbox-composer-quote" dir="auto">
        {other}
      </p>
      <div className="line wrap">
        <button type="button" className="button" onClick={session.takeOther}>
          Use that text
        </button>
        <button type="button" className="button" onClick={session.keepMine}>
          Keep the text below
        </button>
      </div>
    </div>
  )
}
