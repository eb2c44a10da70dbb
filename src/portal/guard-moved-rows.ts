/** Milliseconds in which somebody presses what they saw before the rows moved. */
const REACTION = 400

/**
 * Rows that move by themselves bring another message under the pointer. A press that is too quick to be meant for it does
 * nothing. The keyboard stays with its row.
 */
export function guardMovedRows(signal: AbortSignal) {
  let armedUntil = 0
  const swallow = (event: MouseEvent) => {
    const isByPointer = event.type !== 'click' || event.detail > 0
    const isOnRow = event.target instanceof Element && event.target.closest('[data-row]') !== null
    if (!isByPointer || !isOnRow || performance.now() > armedUntil) return
    event.preventDefault()
    event.stopPropagation()
  }
  for (const type of ['click', 'auxclick', 'dblclick'] as const)
    document.addEventListener(type, swallow, { capture: true, signal })
  return {
    /** Rows are about to move. */
    arm() {
      armedUntil = performance.now() + REACTION
    },
  }
}
