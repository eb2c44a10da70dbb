import { formatPreciseTime } from '../../ui/dates.ts'
import { Detail } from '../../ui/detail.tsx'
import { Dialog, type ReturnsFocus } from '../../ui/dialog.tsx'
import type { LogEntry } from './contract.ts'
import { Level } from './log-table.tsx'

interface LogDialogProps extends ReturnsFocus {
  readonly entry: LogEntry
  readonly onClose: () => void
}

export function LogDialog({ entry, onClose, returnTo }: LogDialogProps) {
  return (
    <Dialog
      title="Log Details"
      onClose={onClose}
      returnTo={returnTo}
      actions={
        <button type="button" className="button button-primary" onClick={onClose}>
          Close
        </button>
      }
    >
      <dl className="details">
        <Detail label="Level">
          <Level level={entry.level} />
        </Detail>
        <Detail label="Source">{entry.source}</Detail>
        <Detail label="Date">{formatPreciseTime(entry.createdAt)}</Detail>
        <Detail label="Message">{entry.message}</Detail>
        {entry.ipAddress && <Detail label="IP Address">{entry.ipAddress}</Detail>}
        {entry.userId && <Detail label="User ID">{entry.userId}</Detail>}
        {entry.userAgent && <Detail label="User Agent">{entry.userAgent}</Detail>}
      </dl>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <section className="logs-details" aria-label="Details" tabIndex={0}>
        <pre>{JSON.stringify(entry.details, null, 2)}</pre>
      </section>
    </Dialog>
  )
}
