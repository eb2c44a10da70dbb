import type { LogLevel } from '../../log-levels.ts'
import { formatPreciseTime } from '../../ui/dates.ts'
import { moveBetweenRows } from '../../ui/row-keys.ts'
import { WindowedRows } from '../../ui/windowed-rows.tsx'
import { type LogEntry, levelLabels } from './contract.ts'

const headings = ['Level', 'Source', 'Message', 'Date', 'Actions']

interface LogTableProps {
  readonly entries: readonly LogEntry[]
  readonly onView: (entry: LogEntry) => void
}

/** A row a line of the log; on a phone each row is a card. The arrow keys go from row to row. */
export function LogTable({ entries, onView }: LogTableProps) {
  return (
    <table className="table log-table" onKeyDown={moveBetweenRows}>
      <thead>
        <tr>
          {headings.map(heading => (
            <th key={heading} scope="col">
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <WindowedRows rows={entries} columns={headings.length}>
        {entry => <Row key={entry.id} entry={entry} onView={onView} />}
      </WindowedRows>
    </table>
  )
}

function Row({ entry, onView }: { entry: LogEntry; onView: (entry: LogEntry) => void }) {
  return (
    <tr>
      <td className="cell-title">
        <Level level={entry.level} />
      </td>
      <td className="cell-aside">{entry.source}</td>
      <td className="log-message">{entry.message}</td>
      <td className="log-date">{formatPreciseTime(entry.createdAt)}</td>
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

const levelKinds: Record<LogLevel, string> = {
  debug: 'quiet',
  info: 'plain',
  warning: 'warning',
  error: 'danger',
  critical: 'alarm',
}

export function Level({ level }: Pick<LogEntry, 'level'>) {
  return (
    <span className="badge" data-kind={levelKinds[level]}>
      {levelLabels[level]}
    </span>
  )
}
