import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { Button } from '../../ui/button.tsx'
import { ShortTime } from '../../ui/date-time.tsx'
import { findRow, RowActions, rowAttribute } from '../../ui/list/row-actions.tsx'
import { useRowKeys } from '../../ui/list/table-navigation.ts'
import { FIRST_ROW, WindowedRows } from '../../ui/list/windowed-rows.tsx'
import { useMayCall } from '../../ui/me-query.ts'
import { archive, type ContentDocument, content } from './contract.ts'
import { kindLabels, StateBadge } from './labels.tsx'
import { takeLastOpened } from './last-opened.ts'
import { useDuplicate, useRestoreDocument } from './queries.ts'

const COLUMNS = ['Title', 'Kind', 'State', 'Last edited', 'Actions']

interface DocumentTableProps {
  readonly documents: readonly ContentDocument[]
  readonly isWhole: boolean
}

/** One row per document; on a phone each row is a card. ↑ and ↓ move between rows, Enter opens one. */
export function DocumentTable({ documents, isWhole }: DocumentTableProps) {
  const keys = useRowKeys(useRef(null))
  useReturnedFocus()
  return (
    <table
      className="table table-links content-editor-list"
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

/** Somebody who comes back to the list from a document is at its row, unless something else has the focus. */
function useReturnedFocus() {
  useEffect(() => {
    const id = takeLastOpened()
    const row = id === null ? null : findRow(id)
    const isFree = document.activeElement === document.body || document.activeElement?.matches('h1')
    if (isFree) row?.querySelector<HTMLElement>('a, button')?.focus()
  }, [])
}

function Row({ rowIndex, document }: { rowIndex: number; document: ContentDocument }) {
  const { id, kind, path, state, updatedAt, editedBy } = document
  const title = document.title || 'Without a title'
  const duplicate = useDuplicate()
  const isCopied = useMayCall()(content.duplicate) && kind !== 'site' && state !== 'deleted'
  return (
    <tr {...rowAttribute(id)} aria-rowindex={rowIndex}>
      <td className="cell-title">
        {state === 'deleted' ? <b>{title}</b> : <a href={`/content/${id}`}>{title}</a>}
        <span className="quiet tiny content-editor-path">{path}</span>
      </td>
      <td className="content-editor-kind">{kindLabels[kind]}</td>
      <td className="cell-aside">
        {state === 'deleted' ? <BringBack id={id} title={title} /> : <StateBadge state={state} />}
      </td>
      <td className="content-editor-edited">
        <ShortTime iso={updatedAt} /> <span className="quiet tiny content-editor-by">{editedBy}</span>
      </td>
      <td className={isCopied ? 'table-actions' : undefined}>
        {isCopied && (
          <RowActions
            about={title}
            actions={[
              {
                label: 'Duplicate',
                name: `Duplicate: ${title}`,
                onChoose: () => duplicate.isPending || duplicate.mutate({ id }),
              },
            ]}
          />
        )}
      </td>
    </tr>
  )
}

/** Leads to the document, since its row is gone from the list. */
function BringBack({ id, title }: { id: string; title: string }) {
  const navigate = useNavigate()
  const restore = useRestoreDocument(({ document }) => navigate(`/content/${document.id}`))
  if (!useMayCall()(archive.restore)) return <StateBadge state="deleted" />
  return (
    <Button kind="quiet" isIdle={restore.isPending} onClick={() => restore.mutate({ id })}>
      Bring back<span className="visually-hidden"> {title}</span>
    </Button>
  )
}
