import { useEffect, useId, useRef } from 'react'
import { Button } from '../../ui/button.tsx'
import { formatDateTime } from '../../ui/dates.ts'
import { Detail } from '../../ui/detail.tsx'
import { Dialog, type ReturnsFocus } from '../../ui/dialog/dialog.tsx'
import { KeyHints } from '../../ui/screen-head.tsx'
import { showToast } from '../../ui/toast/toast.ts'
import { roleLabels } from '../users/contract.ts'
import type { LogEntry } from './contract.ts'
import { Level, Person } from './log-table.tsx'

export function LogDetails({ entry }: { entry: LogEntry }) {
  const json = JSON.stringify(entry.details, null, 2)
  return (
    <>
      <dl className="details">
        <Detail label="Level">
          <Level level={entry.level} />
        </Detail>
        <Detail label="Source">{entry.source}</Detail>
        <Detail label="Date">{formatDateTime(entry.createdAt, true)}</Detail>
        {entry.userId && (
          <Detail label="Person">
            <PersonDetails entry={entry} userId={entry.userId} />
          </Detail>
        )}
        <Detail label="Message">{entry.message}</Detail>
        {entry.ipAddress && <Detail label="IP Address">{entry.ipAddress}</Detail>}
        {entry.userId && <Detail label="User ID">{entry.userId}</Detail>}
        {entry.userAgent && <Detail label="User Agent">{entry.userAgent}</Detail>}
      </dl>
      <div className="line logs-details-head">
        <h3>Details</h3>
        <CopyButton text={json} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <section className="logs-details" aria-label="Details" tabIndex={0}>
        <pre>{json}</pre>
      </section>
    </>
  )
}

function PersonDetails({ entry, userId }: { entry: LogEntry; userId: string }) {
  return (
    <>
      <Person entry={entry} />
      {entry.user && `, ${roleLabels[entry.user.role]}`}
      {entry.user && <span className="quiet logs-email">{entry.user.email}</span>}
      <a className="logs-only" href={`/logs?userId=${encodeURIComponent(userId)}`}>
        Only what this person did
      </a>
    </>
  )
}

/** Browsers give access to the clipboard on https and on this machine only. */
function CopyButton({ text }: { text: string }) {
  if (!navigator.clipboard) return null
  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      showToast({ title: 'Details copied' })
    } catch {
      showToast({ title: 'Your browser did not allow copying', kind: 'error' })
    }
  }
  return (
    <Button kind="quiet" onClick={copy}>
      Copy
    </Button>
  )
}

interface LogDialogProps extends ReturnsFocus {
  readonly entry: LogEntry
  readonly onClose: () => void
}

/** The details of an entry, where there is no room for them beside the list. */
export function LogDialog({ entry, onClose, returnTo }: LogDialogProps) {
  return (
    <Dialog
      title="Log Details"
      onClose={onClose}
      returnTo={returnTo}
      actions={
        <Button kind="primary" onClick={onClose}>
          Close
        </Button>
      }
    >
      <LogDetails entry={entry} />
    </Dialog>
  )
}

/** The details of an entry beside the list, which stays in use: the focus stays in the row. Escape closes it. */
export function LogPane({ entry, onClose, returnTo }: LogDialogProps) {
  const pane = useRef<HTMLElement>(null)
  const id = useId()

  function close() {
    if (pane.current?.contains(document.activeElement)) returnTo?.(null)?.focus()
    onClose()
  }
  useEscape(close)

  return (
    <aside ref={pane} className="logs-pane" aria-labelledby={id}>
      <div className="line tiny logs-pane-head">
        <h2 id={id}>Log Details</h2>
        <KeyHints keys={[['Esc', 'close']]} />
        <Button kind="quiet" aria-label="Close" onClick={close}>
          ✕
        </Button>
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
