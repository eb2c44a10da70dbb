import { useEffect, useLayoutEffect, useRef } from 'react'
import { browserChoice } from './browser-choice.ts'

/**
 * What keys do on a screen: `r`, `#`, `Enter`. An undefined one does nothing now. They are in lower case, and also
 * work with Shift. One that returns false has done nothing, so that another part of the screen may.
 */
export type Shortcuts = Readonly<Record<string, (() => unknown) | undefined>>

/**
 * Handles keys anywhere on the screen, unless a field, a menu, or a dialog over the screen has the focus. A dialog with
 * `data-shortcuts` is part of the screen.
 */
export function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts)
  latest.current = shortcuts
  // Before the first paint: what is on the screen can be pressed.
  useLayoutEffect(() => {
    const handle = (event: KeyboardEvent) => {
      const { key } = event
      const run = latest.current[isCharacter(key) ? key.toLowerCase() : key]
      // A key that is held down is pressed once.
      if (!run || event.repeat || !isShortcut(event) || isForRow(event)) return
      if (run() !== false) event.preventDefault()
    }
    document.addEventListener('keydown', handle)
    return () => document.removeEventListener('keydown', handle)
  }, [])
}

/**
 * Handles a key with Ctrl or ⌘, also while somebody types.
 * @param run undefined while it does nothing; it returns false where it has done nothing
 */
export function useControlKey(key: string, run: (() => unknown) | undefined): void {
  const latest = useRef(run)
  latest.current = run
  useEffect(() => {
    const handle = (event: KeyboardEvent) => {
      const isKey = event.key === key || (event.key.toLowerCase() === key && !event.shiftKey)
      if (!isKey || !(event.ctrlKey || event.metaKey) || event.altKey || event.repeat) return
      if (latest.current && latest.current() !== false) event.preventDefault()
    }
    document.addEventListener('keydown', handle)
    return () => document.removeEventListener('keydown', handle)
  }, [key])
}

/** Whether a key that was pressed may be a shortcut of the screen. */
export function isShortcut(event: KeyboardEvent): boolean {
  const { key, target, ctrlKey, metaKey, altKey } = event
  if (event.defaultPrevented || event.isComposing || ctrlKey || metaKey || altKey) return false
  if (isCharacter(key) && !singleKeys.read()) return false
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

/**
 * Whether shortcuts of one character are on, and a function to switch them: people who speak to the computer, or often press a
 * key by mistake, can do without them (WCAG 2.1.4).
 */
const singleKeys = browserChoice('landfall-single-key-shortcuts')
export const useSingleKeys = singleKeys.use
