import { useRef } from 'react'
import type { LogLevel } from '../../log/levels.ts'
import { Button } from '../../ui/button.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { rowAttribute } from '../../ui/list/row-actions.tsx'
import { useRowKeys } from '../../ui/list/table-navigation.ts'
import { FIRST_ROW, WindowedRows } from '../../ui/list/windowed-rows.tsx'
import { type LogEntry, levelLabels } from './contract.ts'

const headings = ['Level', 'Source', 'Message', 'Date', 'Actions']

interface LogTableProps {
  readonly entries: readonly LogEntry[]
  /** The index of the open entry, whose row gets the focus when it closes. */
  readonly openAt: number
  /** The entry whose details are beside the list. */
  readonly openId: string | undefined
  /** Whether these are all there are, as far as is known. */
  readonly isWhole: boolean
  readonly onView: (entry: LogEntry) => void
}

/** One row for each log entry; on a phone each row is a card. The arrow keys go from row to row. */
export function LogTable({ entries, openAt, openId, isWhole, onView }: LogTableProps) {
  const keys = useRowKeys(useRef(null))
  return (
    <table className="table logs-table" aria-rowcount={isWhole ? entries.length + 1 : -1} {...keys}>
      <thead>
        <tr aria-rowindex={1}>
          {headings.map(heading => (
            <th key={heading} scope="col">
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <WindowedRows rows={entries} columns={headings.length} needed={openAt}>
        {(entry, index) => (
          <Row
            key={entry.id}
            rowIndex={index + FIRST_ROW}
            entry={entry}
            isOpen={entry.id === openId}
            onView={onView}
          />
        )}
      </WindowedRows>
    </table>
  )
}

interface RowProps extends Pick<LogTableProps, 'onView'> {
  readonly rowIndex: number
  readonly entry: LogEntry
  readonly isOpen: boolean
}

function Row({ rowIndex, entry, isOpen, onView }: RowProps) {
  return (
    <tr {...rowAttribute(entry.id)} aria-rowindex={rowIndex} aria-current={isOpen || undefined}>
      <td className="cell-title">
        <Level level={entry.level} />
      </td>
      <td className="cell-aside">{entry.source}</td>
      <td className="logs-message">
        <div className="logs-text">
          <Person entry={entry} /> <span>{entry.message}</span>
        </div>
      </td>
      <td className="logs-date">
        <DateTime iso={entry.createdAt} precise />
      </td>
      <td className="table-actions">
        <Button kind="quiet" aria-label={`View Details of: ${entry.message}`} onClick={() => onView(entry)}>
          View Details
        </Button>
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

export const DELETED_USER = 'Deleted user'

export function Person({
  entry: { userId, user, formerUser },
}: {
  entry: Pick<LogEntry, 'userId' | 'user' | 'formerUser'>
}) {
  if (user) return <bdi className="logs-person">{user.name}</bdi>
  if (formerUser)
    return (
      <span className="logs-person">
        <bdi>{formerUser}</bdi> <span className="quiet">(deleted)</span>
      </span>
    )
  return userId ? <span className="logs-person quiet">{DELETED_USER}</span> : null
}
