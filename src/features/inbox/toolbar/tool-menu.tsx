import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useShortcuts } from '../../../ui/shortcuts.ts'
import { Icon, type IconName, Key } from './icon.tsx'

interface ToolMenuProps {
  readonly label: string
  readonly shortcut?: string
  readonly icon?: IconName
  readonly children: ReactNode
}

/** A button of the toolbar that opens a menu, whose first control then has the focus. */
export function ToolMenu({ label, shortcut, icon, children }: ToolMenuProps) {
  const [isOpen, setOpen] = useState(false)
  const menu = useRef<HTMLDetailsElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  useShortcuts({ [shortcut?.toLowerCase() ?? '']: () => menu.current?.setAttribute('open', '') })
  function follow(details: HTMLDetailsElement) {
    setOpen(details.open)
    // What had the focus in it is gone, unless it has led to somewhere else.
    const isLost = document.activeElement === document.body || panel.current?.contains(document.activeElement)
    if (!details.open && isLost) details.querySelector('summary')?.focus()
  }

  useEffect(() => {
    // On a phone, a field would bring the keyboard over the menu.
    const first = matchMedia('(hover: none)').matches ? 'button' : 'button, input, select'
    if (isOpen) panel.current?.querySelector<HTMLElement>(first)?.focus()
  }, [isOpen])

  return (
    <details
      className="menu inbox-tool"
      data-menu
      ref={menu}
      onToggle={event => follow(event.currentTarget)}
      onKeyDown={event => moveInMenu(event, panel.current)}
    >
      <summary
        className="button button-quiet"
        aria-keyshortcuts={shortcut}
        title={label}
        {...(!icon && { 'aria-label': label })}
      >
        {icon && <Icon name={icon} />}
        {icon ? <span>{label}</span> : '…'}
        {shortcut && <Key name={shortcut} />}
      </summary>
      {isOpen && (
        <div className="menu-panel" ref={panel}>
          {children}
        </div>
      )}
    </details>
  )
}

/** The arrow keys lead from the field of a menu to its choices. */
function moveInMenu(event: KeyboardEvent, panel: HTMLElement | null) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  const controls = [...(panel?.querySelectorAll<HTMLElement>('input:not([type]), .menu-item') ?? [])]
  const at = controls.findIndex(control => control.matches(':focus'))
  if (step === undefined || at < 0) return
  event.preventDefault()
  controls[at + step]?.focus()
}

interface MenuItemProps {
  readonly isCurrent?: boolean
  /** Apart from the others, at the end of its menu. */
  readonly isDanger?: boolean
  readonly onChoose: () => void
  readonly children: ReactNode
}

export function MenuItem({ isCurrent = false, isDanger = false, onChoose, children }: MenuItemProps) {
  return (
    <button
      type="button"
      className="menu-item wrap between inbox-tool-item"
      aria-current={isCurrent ? 'true' : undefined}
      data-danger={isDanger ? '' : undefined}
      onClick={({ currentTarget }) => {
        // The item goes with its menu. A dialog that it opens gives the focus back to the button of the menu.
        currentTarget.closest('details')?.querySelector('summary')?.focus()
        onChoose()
      }}
    >
      {children}
    </button>
  )
}
