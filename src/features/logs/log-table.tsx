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
