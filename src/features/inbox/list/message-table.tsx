import { type MouseEvent, useLayoutEffect, useMemo, useRef } from 'react'
import { browserChoice } from '../../../ui/browser-choice.ts'
import { useFocusStays, useRowKeys } from '../../../ui/list/table-navigation.ts'
import { FIRST_ROW, WindowedRows } from '../../../ui/list/windowed-rows.tsx'
import { useMedia } from '../../../ui/use-media.ts'
import type { Message } from '../contract.ts'
import { REACTION_TIME } from '../toolbar/next-enquiry.ts'
import { MessageRow, type MessageRowProps, type RowHandlers, SelectAllBox } from './message-row.tsx'

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

/** Rows with the words of the visitor, where there are six columns. */
export const roomyRows = browserChoice('landfall-roomy-rows')

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
  const [isRoomy] = roomyRows.use()
  const isNarrow = useMedia('(width < 800px)')
  // The words say what a search has found.
  const isCompact = !isRoomy && !messages.some(({ match }) => match)
  return (
    <table
      className="table table-links inbox"
      data-compact={isCompact ? '' : undefined}
      aria-rowcount={isWhole ? messages.length + 1 : -1}
      {...keys}
      {...guard}
    >
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
            isBrief={openId !== null || isNarrow || isCompact}
            {...actions}
          />
        )}
      </WindowedRows>
    </table>
  )
}

/**
 * Rows that come and go bring another message under the pointer. A press on a row that is too quick to be meant for it does
 * nothing. The keyboard stays with its row.
 * @param isBeside whether they are beside an open message, where they have another height and other buttons
 * @param isPrevious whether the list of the filter before is still shown: what takes its place was asked for
 * @returns the handlers of the table
 */
function useMovedRows(messages: readonly Message[], isBeside: boolean, isPrevious: boolean) {
  const shown = useRef({ order: '', isBeside, isPrevious, guardedUntil: 0 })
  const order = useMemo(() => messages.map(({ id }) => id).join(), [messages])
  useLayoutEffect(() => {
    const { order: last, isBeside: wasBeside, isPrevious: wasPrevious } = shown.current
    // More rows at the end move nothing.
    if ((!order.startsWith(last) && !wasPrevious) || (isBeside && !wasBeside))
      shown.current.guardedUntil = performance.now() + REACTION_TIME
    Object.assign(shown.current, { order, isBeside, isPrevious })
  }, [order, isBeside, isPrevious])

  function ignoreTooQuick(event: MouseEvent) {
    const isByPointer = event.type === 'auxclick' || event.detail > 0
    const isOnRow = event.target instanceof Element && event.target.closest('[data-row]')
    if (!isByPointer || !isOnRow || performance.now() > shown.current.guardedUntil) return
    event.preventDefault()
    event.stopPropagation()
  }
  return { onClickCapture: ignoreTooQuick, onAuxClickCapture: ignoreTooQuick }
}
