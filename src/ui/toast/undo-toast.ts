import { hideToast, showToast, type Toast } from './toast.ts'

interface Undoable extends Pick<Toast, 'title' | 'description'> {
  readonly undo: () => void
  /** The key that does it, on a screen with keys. */
  readonly shortcut?: string
}

/** Says what was done and offers to undo it, until something else is done. */
export function showUndoToast({ undo, shortcut, ...toast }: Undoable) {
  const action = document.createElement('button')
  action.type = 'button'
  action.className = 'button toast-action'
  action.append('Undo')
  if (shortcut) {
    const key = document.createElement('kbd')
    key.textContent = shortcut
    key.ariaHidden = 'true'
    action.append(key)
    action.setAttribute('aria-keyshortcuts', shortcut.toLowerCase())
  }
  action.addEventListener('click', () => {
    hideToast()
    undo()
  })
  showToast({ ...toast, action })
}

/** Undoes what the toast is about. @returns false when it offers nothing */
export function undoLast(): boolean {
  const action = document.querySelector<HTMLElement>('#toast:popover-open .toast-action')
  action?.click()
  return action !== null
}
