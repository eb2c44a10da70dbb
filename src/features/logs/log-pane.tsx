import { useEffect, useId, useRef } from 'react'
import type { ReturnsFocus } from '../../ui/dialog.tsx'
import { KeyHints } from '../../ui/key-hints.tsx'
import type { LogEntry } from './contract.ts'
import { LogDetails } from './log-details.tsx'

interface LogPaneProps extends Required<ReturnsFocus> {
  readonly entry: LogEntry
  readonly onClose: () => void
}

/** The details of an entry beside the list, which stays in use: the focus stays in the row. Escape closes it. */
export function LogPane({ entry, onClose, returnTo }: LogPaneProps) {
  const pane = useRef<HTMLElement>(null)
  const id = useId()

  function close() {
    if (pane.current?.contains(document.activeElement)) returnTo?.(null)?.focus()
    onClose()
  }
  useEscape(close)

  return (
    <aside ref={pane} className="logs-pane" aria-labelledby={id}>
      <div className="logs-pane-head">
        <h2 id={id}>Log Details</h2>
        <KeyHints keys={[['Esc', 'close']]} />
        <button type="button" className="button button-quiet" aria-label="Close" onClick={close}>
          ✕
        </button>
      </div>
      <LogDetails entry={entry} />
    </aside>
  )
}

/** Calls back on Escape, unless a field, a menu or a dialog handles it. */
function useEscape(onEscape: () => void) {
  const latest = useRef(onEscape)
  latest.current = onEscape
  useEffect(() => {
    const handle = ({ key, defaultPrevented, target }: KeyboardEvent) => {
      if (key !== 'Escape' || defaultPrevented) return
      if (document.querySelector('dialog:modal, details[data-menu][open]')) return
      if (target instanceof Element && target.matches('input, select, textarea')) return
      latest.current()
    }
    document.addEventListener('keydown', handle)
    return () => document.removeEventListener('keydown', handle)
  }, [])
}
