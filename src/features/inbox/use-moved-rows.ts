import { type MouseEvent, useLayoutEffect, useMemo, useRef } from 'react'
import type { Message } from './contract.ts'

/** Milliseconds in which somebody presses what they saw before the rows moved. */
const REACTION_TIME = 400

/**
 * Rows that come and go bring another message under the pointer. A press on a row that is too quick to be meant for it does
 * nothing. The keyboard stays with its row.
 * @param isPrevious whether the list of the filter before is still shown: what takes its place was asked for
 * @returns the handlers of the table
 */
export function useMovedRows(messages: readonly Message[], isPrevious: boolean) {
  const shown = useRef({ order: '', isPrevious, guardedUntil: 0 })
  const order = useMemo(() => messages.map(({ id }) => id).join(), [messages])
  useLayoutEffect(() => {
    const { order: last, isPrevious: wasPrevious } = shown.current
    // More rows at the end move nothing.
    if (!order.startsWith(last) && !wasPrevious)
      shown.current.guardedUntil = performance.now() + REACTION_TIME
    Object.assign(shown.current, { order, isPrevious })
  }, [order, isPrevious])

  function ignoreTooQuick(event: MouseEvent) {
    const isByPointer = event.type === 'auxclick' || event.detail > 0
    const isOnRow = event.target instanceof Element && event.target.closest('[data-row]')
    if (!isByPointer || !isOnRow || performance.now() > shown.current.guardedUntil) return
    event.preventDefault()
    event.stopPropagation()
  }
  return { onClickCapture: ignoreTooQuick, onAuxClickCapture: ignoreTooQuick }
}
