import { useRef } from 'react'
import { useFocusStays, useRowKeys } from '../../ui/table-navigation.ts'
import { FIRST_ROW, WindowedRows } from '../../ui/windowed-rows.tsx'
import type { Message } from './contract.ts'
import { MessageRow, type MessageRowProps } from './message-row.tsx'
import { SelectAllBox } from './select-cell.tsx'

type RowProps = Pick<MessageRowProps, 'selection' | 'hrefOf' | 'onView' | 'onForward' | 'onDelete'>

interface MessageTableProps extends RowProps {
  readonly messages: readonly Message[]
  readonly openId: string | null
  /** The index of the open message, whose row gets the focus when it closes. */
  readonly openAt: number
  /** Whether these are all messages of the list. */
  readonly isWhole: boolean
}

const COLUMNS = ['Date', 'Name', 'Email', 'Type', 'Status', 'Actions']

/**
 * One row per message: six columns, beside an open message two lines, on a phone three lines. Unread messages are bold and
 * have a badge. The page holds only the rows that are visible or nearly so, however long the list is.
 */
export function MessageTable({ messages, openId, openAt, isWhole, ...actions }: MessageTableProps) {
  const keys = useRowKeys(useRef(null))
  const wasMoved = useWasMoved(messages)
  useFocusStays()
  return (
    <table className="table inbox" aria-rowcount={isWhole ? messages.length + 1 : -1} {...keys}>
      <thead>
        <tr aria-rowindex={1}>
          {COLUMNS.map(column => (
            <th key={column} scope="col">
              {column === 'Date' && actions.selection && (
                <SelectAllBox ids={messages.map(({ id }) => id)} selection={actions.selection} />
              )}
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <WindowedRows rows={messages} columns={COLUMNS.length} needed={openAt}>
        {(message, index) => (
          <MessageRow
            key={message.id}
            rowIndex={index + FIRST_ROW}
            message={message}
            isOpen={message.id === openId}
            isOtherOpen={openId !== null && message.id !== openId}
            wasMoved={wasMoved}
            {...actions}
          />
        )}
      </WindowedRows>
    </table>
  )
}

/** Milliseconds between the decision to press a button and the press. */
const REACTION_TIME = 400

/** Returns a function that says whether rows have just changed places, so that a press may be for what was there before. */
function useWasMoved(messages: readonly Message[]): () => boolean {
  const moved = useRef({ order: '', at: Number.NEGATIVE_INFINITY })
  const order = messages.map(({ id }) => id).join()
  // More rows at the end move nothing.
  if (!order.startsWith(moved.current.order)) moved.current.at = performance.now()
  moved.current.order = order
  return () => performance.now() - moved.current.at < REACTION_TIME
}
