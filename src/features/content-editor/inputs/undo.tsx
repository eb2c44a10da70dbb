import { useRef, useState } from 'react'
import { Button } from '../../../ui/button.tsx'

interface Done {
  readonly text: string
  readonly undo: () => void
}

/** Changes of a value, the last of which can be undone, also after others have changed the value. */
export function useUndo<Value>(value: Value, change: (value: Value) => void) {
  const [done, setDone] = useState<Done | null>(null)
  /** At the time of the undo. */
  const latest = useRef(value)
  latest.current = value

  /** @param undo null for what cannot be undone, which is not said either @param onUndone is called after it */
  function apply(next: Value, text: string, undo: ((now: Value) => Value) | null, onUndone = () => {}) {
    change(next)
    setDone(
      undo && {
        text,
        undo() {
          change(undo(latest.current))
          setDone(null)
          onUndone()
        },
      },
    )
  }

  return { done, apply }
}

export function DoneLine({ done }: { done: Done | null }) {
  return (
    <p className="line quiet small content-editor-done" role="status">
      {done?.text}
      {done && (
        <Button kind="link" onClick={done.undo}>
          Undo
        </Button>
      )}
    </p>
  )
}
