import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import type { OpenMessage } from '../contract.ts'
import type { Entry } from '../conversation/contract.ts'
import { refreshMessage } from '../queries.ts'
import { Icon, Key } from '../toolbar/icon.tsx'
import { undoTimeLeft } from './undo-time-left.ts'

/** Milliseconds between two looks at the clock. */
const TICK = 250

/** Counts down until a reply goes out. It covers nothing. */
export function UndoBar({ entry, onUndo }: { entry: Entry; onUndo: () => void }) {
  const [left, setLeft] = useState(() => undoTimeLeft(entry))
  useEffect(() => {
    const look = () => setLeft(undoTimeLeft(entry))
    look()
    const timer = setInterval(look, TICK)
    return () => clearInterval(timer)
  }, [entry])
  if (left <= 0) return null
  return (
    <div className="line inbox-undo" role="status">
      <Icon name="clock" />
      {/* Read out once, and not every second. */}
      <span className="visually-hidden">The reply goes out in a few seconds.</span>
      <span aria-hidden="true">Sending in {Math.ceil(left / 1000)} s</span>
      <Button aria-keyshortcuts="z" onClick={onUndo}>
        Undo
        <Key name="Z" />
      </Button>
    </div>
  )
}

/** The reply of this person that can be taken back, the newest if there are several, and a function that does it. */
export function useUndo({ message: { id }, entries }: OpenMessage, userId: string, onUndone: () => void) {
  const client = useQueryClient()
  const entry = entries.findLast(it => it.author?.id === userId && undoTimeLeft(it) > 0)
  const undo = async () => {
    if (!entry || undoTimeLeft(entry) === 0) return
    const { undoReply } = await import('./outgoing.ts')
    if (await undoReply(client, id, entry)) onUndone()
  }
  return entry && { entry, undo }
}

/** Milliseconds after which a reply that is due is looked at, doubled each time: most are sent in the first second. */
const FIRST_LOOK = 500
const LAST_LOOK = 30_000

/** Shows what became of a reply that waits to be sent. */
export function useDeliveryUpdates({ message: { id }, entries }: OpenMessage) {
  const client = useQueryClient()
  const waiting = entries.findLast(({ delivery }) => delivery === 'waiting')
  const waitingId = waiting?.id
  const due = waiting ? undoTimeLeft(waiting) : 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: the time is that of when the reply was first seen
  useEffect(() => {
    if (!waitingId) return
    let wait = FIRST_LOOK
    const look = () => {
      refreshMessage(client, id)
      wait *= 2
      if (wait <= LAST_LOOK) timer = setTimeout(look, wait)
    }
    let timer = setTimeout(look, due + wait)
    return () => clearTimeout(timer)
  }, [client, id, waitingId])
}
