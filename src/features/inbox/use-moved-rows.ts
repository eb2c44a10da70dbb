import { type MouseEvent, useLayoutEffect, useMemo, useRef } from 'react'
import type { Message } from './contract.ts'

/** Milliseconds in which somebody presses what they saw before the rows moved. */
const REACTION_TIME = 400

/**
 * Rows that come and go bring another message under the pointer. A press on a row that is too quick to be meant for it does
 * nothing. The keyboard stays with its row.
 * @param isBeside whether they are beside an open message, where they have another height and other buttons
 * @param isPrevious whether the list of the filter before is still shown: what takes its place was asked for
 * @returns the handlers of the table
 */
export function useMovedRows(messages: readonly Message[], isBeside: boolean, isPrevious: boolean) {
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
