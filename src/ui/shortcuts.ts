import { useEffect, useRef, useSyncExternalStore } from 'react'

/**
 * What keys do on a screen: `r`, `#`, `Enter`. An undefined one does nothing now. They are in lower case, and also
 * work with Shift.
 */
export type Shortcuts = Readonly<Record<string, (() => void) | undefined>>

/**
 * Handles keys anywhere on the screen, unless a field, a menu, or a dialog over the screen has the focus. A dialog with
 * `data-shortcuts` is part of the screen.
 */
export function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts)
  latest.current = shortcuts
  useEffect(() => {
    const handle = (event: KeyboardEvent) => {
      const { key } = event
      const run = latest.current[isCharacter(key) ? key.toLowerCase() : key]
      // A key that is held down is pressed once.
      if (!run || event.repeat || !isShortcut(event) || isForRow(event)) return
      event.preventDefault()
      run()
    }
    document.addEventListener('keydown', handle)
    return () => document.removeEventListener('keydown', handle)
  }, [])
}

/** Whether a key that was pressed may be a shortcut of the screen. */
export function isShortcut(event: KeyboardEvent): boolean {
  const { key, target, ctrlKey, metaKey, altKey } = event
  if (event.defaultPrevented || event.isComposing || ctrlKey || metaKey || altKey) return false
  if (isCharacter(key) && !areCharactersOn()) return false
  return !isTyping(target) && !document.querySelector(OVER_THE_SCREEN)
}

/** Nothing is done to what the screen shows by a key that was pressed on the row of something else. */
function isForRow({ key, target }: KeyboardEvent): boolean {
  if (!isCharacter(key) || KEYS_OF_SCREEN.includes(key)) return false
  return target instanceof Element && target.closest('[data-row]:not([aria-current])') !== null
}

/** Keys that lead elsewhere and change nothing. */
const KEYS_OF_SCREEN = ['/', '?']

const OVER_THE_SCREEN = 'dialog:modal:not([data-shortcuts]), details[data-menu][open]'

/** Whether keys are for the field that has the focus. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches(TEXT_FIELDS))
}

const TEXT_FIELDS = 'input:not([type=checkbox], [type=radio]), textarea, select'

const isCharacter = (key: string) => key.length === 1

/** The `localStorage` key, and whether shortcuts of one character work, where the browser denies access to it. */
const KEY = 'landfall-single-key-shortcuts'
let isOnHere = true

/**
 * Whether shortcuts of one character are on, and a function to switch them: people who speak to the computer, or often press a
 * key by mistake, can do without them (WCAG 2.1.4).
 */
export function useSingleKeys(): [isOn: boolean, set: (isOn: boolean) => void] {
  return [useSyncExternalStore(subscribe, areCharactersOn), switchSingleKeys]
}

function areCharactersOn(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'off'
  } catch {
    return isOnHere
  }
}

function switchSingleKeys(isOn: boolean): void {
  isOnHere = isOn
  try {
    localStorage.setItem(KEY, isOn ? 'on' : 'off')
  } catch {
    // Until the next reload.
  }
  // The browser itself notifies only the other tabs.
  dispatchEvent(new StorageEvent('storage'))
}

function subscribe(onChange: () => void): () => void {
  addEventListener('storage', onChange)
  return () => removeEventListener('storage', onChange)
}
