import { Dialog, type ReturnsFocus } from '../../ui/dialog.tsx'
import type { LogEntry } from './contract.ts'
import { LogDetails } from './log-details.tsx'

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
        <button type="button" className="button button-primary" onClick={onClose}>
          Close
        </button>
      }
    >
      <LogDetails entry={entry} />
    </Dialog>
  )
}
