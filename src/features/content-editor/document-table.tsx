import { useRef } from 'react'
import { DateTime } from '../../ui/date-time.tsx'
import { rowAttribute } from '../../ui/row-focus.ts'
import { useRowKeys } from '../../ui/table-navigation.ts'
import { FIRST_ROW, WindowedRows } from '../../ui/windowed-rows.tsx'
import type { ContentDocument } from './contract.ts'
import { kindLabels } from './labels.ts'
import { StateBadge } from './state-badge.tsx'

const COLUMNS = ['Title', 'Kind', 'State', 'Last edited']

interface DocumentTableProps {
  readonly documents: readonly ContentDocument[]
  /** Whether these are all documents of the list. */
  readonly isWhole: boolean
}

/** One row per document; on a phone each row is a card. ↑ and ↓ move between rows, Enter opens one. */
export function DocumentTable({ documents, isWhole }: DocumentTableProps) {
  const keys = useRowKeys(useRef(null))
  return (
    <table
      className="table content-editor-list"
      aria-rowcount={isWhole ? documents.length + 1 : -1}
      {...keys}
    >
      <thead>
        <tr aria-rowindex={1}>
          {COLUMNS.map(column => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <WindowedRows rows={documents} columns={COLUMNS.length}>
        {(document, index) => <Row key={document.id} rowIndex={index + FIRST_ROW} document={document} />}
      </WindowedRows>
    </table>
  )
}

function Row({ rowIndex, document }: { rowIndex: number; document: ContentDocument }) {
  const { id, kind, title, path, state, updatedAt, editedBy } = document
  return (
    <tr {...rowAttribute(id)} aria-rowindex={rowIndex}>
      <td className="cell-title">
        <a href={`/content/${id}`}>{title || 'Without a title'}</a>
        <span className="content-editor-path">{path}</span>
      </td>
      <td className="content-editor-kind">{kindLabels[kind]}</td>
      <td className="cell-aside">
        <StateBadge state={state} />
      </td>
      <td className="content-editor-edited">
        <DateTime iso={updatedAt} /> <span className="content-editor-by">{editedBy}</span>
      </td>
    </tr>
  )
}
