import type { KeyboardEvent } from 'react'
import { formatPreciseTime } from '../../ui/dates.ts'
import { type LogEntry, type LogPage, levelLabels } from './contract.ts'
import { WindowedPage } from './windowed-page.tsx'

const headings = ['Level', 'Source', 'Message', 'Date', 'Actions']
const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

interface LogTableProps {
  readonly pages: readonly LogPage[]
  readonly onView: (entry: LogEntry) => void
}

/** A row a line of the log; on a phone each row is a card. The arrow keys go from row to row. */
export function LogTable({ pages, onView }: LogTableProps) {
  return (
    <table className="table log-table" onKeyDown={moveFocus}>
      <thead>
        <tr>
          {headings.map(heading => (
            <th key={heading} scope="col">
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      {pages.map(({ logs }) => (
        <WindowedPage key={logs[0]?.id} columns={headings.length}>
          {() => logs.map(entry => <Row key={entry.id} entry={entry} onView={onView} />)}
        </WindowedPage>
      ))}
    </table>
  )
}

function Row({ entry, onView }: { entry: LogEntry; onView: (entry: LogEntry) => void }) {
  return (
    <tr>
      <td data-label="Level">
        <Level level={entry.level} />
      </td>
      <td data-label="Source" className="table-fixed">
        {entry.source}
      </td>
      <td data-label="Message" className="log-message">
        {entry.message}
      </td>
      <td data-label="Date" className="table-fixed">
        {formatPreciseTime(entry.createdAt)}
      </td>
      <td className="table-actions">
        <button
          type="button"
          className="button button-quiet"
          aria-label={`View Details of: ${entry.message}`}
          onClick={() => onView(entry)}
        >
          View Details
        </button>
      </td>
    </tr>
  )
}

export function Level({ level }: Pick<LogEntry, 'level'>) {
  return (
    <span className="badge" data-level={level}>
      {levelLabels[level]}
    </span>
  )
}

function moveFocus(event: KeyboardEvent<HTMLTableElement>) {
  const step = steps[event.key]
  const focused = document.activeElement
  if (!step || !focused) return
  const buttons = [...event.currentTarget.querySelectorAll('tbody button')]
  const at = buttons.indexOf(focused)
  const next = at < 0 ? undefined : buttons[at + step]
  if (!(next instanceof HTMLElement)) return
  event.preventDefault()
  next.focus()
}
