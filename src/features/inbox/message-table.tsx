import { useRef } from 'react'
import { useFocusStays, useRowKeys } from '../../ui/table-navigation.ts'
import { useMedia } from '../../ui/use-media.ts'
import { FIRST_ROW, WindowedRows } from '../../ui/windowed-rows.tsx'
import type { Message } from './contract.ts'
import { MessageRow, type MessageRowProps } from './message-row.tsx'
import type { RowHandlers } from './row-actions-of.ts'
import { SelectAllBox } from './select-cell.tsx'
import { useMovedRows } from './use-moved-rows.ts'

type RowProps = Pick<MessageRowProps, 'selection' | 'hrefOf' | 'onPress' | keyof RowHandlers>

interface MessageTableProps extends RowProps {
  readonly messages: readonly Message[]
  readonly openId: string | null
  /** The index of the open message, whose row gets the focus when it closes. */
  readonly openAt: number
  /** Whether these are all messages of the list. */
  readonly isWhole: boolean
  /** Whether the list of another filter is still shown. */
  readonly isPrevious: boolean
}

const COLUMNS = ['Date', 'Name', 'Email', 'Type', 'Status', 'Actions']

/**
 * One row per message: six columns, beside an open message two lines, on a phone three lines. Unread messages are bold and
 * have a badge. The page holds only the rows that are visible or nearly so, however long the list is.
 */
export function MessageTable({
  messages,
  openId,
  openAt,
  isWhole,
  isPrevious,
  ...actions
}: MessageTableProps) {
  const keys = useRowKeys(useRef(null))
  const guard = useMovedRows(messages, openId !== null, isPrevious)
  useFocusStays()
  const isNarrow = useMedia('(width < 800px)')
  return (
    <table className="table inbox" aria-rowcount={isWhole ? messages.length + 1 : -1} {...keys} {...guard}>
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
            isBrief={openId !== null || isNarrow}
            {...actions}
          />
        )}
      </WindowedRows>
    </table>
  )
}
