import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect } from 'react'
import { isShortcut } from '../shortcuts.ts'
import { findRow } from './row-actions.tsx'

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 }

/** The arrow keys, `j` and `k` move the focus to the same control in the row above or below. */
function moveBetweenRows(event: KeyboardEvent<HTMLTableElement>): void {
  const step = steps[event.key]
  const focused = document.activeElement
  const row = focused?.closest('tbody tr')
  if (!step || !(focused instanceof HTMLElement) || !row) return
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
  if (focused.closest('details[open]') || (event.key.length === 1 && !isShortcut(event.nativeEvent))) return
  event.preventDefault()
  const rows = [...event.currentTarget.querySelectorAll('tbody tr')]
  const next = rows[rows.indexOf(row) + step]
  // The focused row was scrolled far away: its neighbours are rendered once it is in view again.
  if (next?.classList.contains('table-gap')) row.scrollIntoView({ block: 'center' })
  else if (next) focusLike(next, controlsOf(row).indexOf(focused))
}

/** The keys of a table: ↓ from the page or a search box goes to its rows, `j` from the page, and ↑ ↓ or `k` and `j` from row to row. */
export function useRowKeys(table: RefObject<HTMLTableElement | null>) {
  useEffect(() => {
    const enter = (event: globalThis.KeyboardEvent) => {
      const isLetter = event.key === 'j' && isShortcut(event) && !document.querySelector('dialog[open]')
      if ((event.key !== 'ArrowDown' && !isLetter) || event.defaultPrevented || !isFromOutside(event)) return
      const row = table.current && firstInSight(table.current)
      if (!row) return
      event.preventDefault()
      focusLike(row, 0)
    }
    document.addEventListener('keydown', enter)
    return () => document.removeEventListener('keydown', enter)
  }, [table])
  return { ref: table, onKeyDown: moveBetweenRows }
}

/** Keeps the focus on its row when rows before that come or go, and the browser gets another element for it. */
export function useFocusStays() {
  const focused = document.activeElement
  const row = focused?.closest('[data-row]')
  const index = row && focused instanceof HTMLElement ? controlsOf(row).indexOf(focused) : -1
  useLayoutEffect(() => {
    const moved = focused?.isConnected ? null : findRow(row?.getAttribute('data-row') ?? undefined)
    if (moved) focusLike(moved, index)
  })
}

/** Whether no other control, dialog or menu handles the key. */
function isFromOutside({ target, ctrlKey, metaKey, altKey, shiftKey }: globalThis.KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || shiftKey || !(target instanceof Element)) return false
  if (document.querySelector('dialog:modal, details[data-menu][open]')) return false
  return target === document.body || target.id === 'main' || target.matches('h1, input[type=search]')
}

/** The first row in view, since the page may have been scrolled before a key was pressed. */
function firstInSight(table: HTMLTableElement): Element | undefined {
  const rows = [...table.querySelectorAll('tbody tr:not(.table-gap)')]
  return rows.find(row => row.getBoundingClientRect().top >= 0) ?? rows[0]
}

/** Focuses the control at this index. Rows may have fewer controls, some of them hidden; then the last one gets the focus. */
function focusLike(row: Element, index: number) {
  const controls = controlsOf(row)
  controls[Math.min(index, controls.length - 1)]?.focus()
}

const controlsOf = (row: Element) =>
  [...row.querySelectorAll<HTMLElement>('a, button, summary')].filter(control => control.checkVisibility())
