import { type ReactNode, type Ref, useEffect, useRef, useState } from 'react'
import { Icon, type IconName } from './icon.tsx'
import { Key } from './key.tsx'

interface ToolMenuProps {
  readonly label: string
  /** The key that opens it. */
  readonly shortcut?: string
  readonly icon?: IconName
  readonly menu?: Ref<HTMLDetailsElement>
  readonly children: ReactNode
}

/** A button of the toolbar that opens a menu, whose first control then has the focus. */
export function ToolMenu({ label, shortcut, icon, menu, children }: ToolMenuProps) {
  const [isOpen, setOpen] = useState(false)
  const panel = useRef<HTMLDivElement>(null)
  function follow(details: HTMLDetailsElement) {
    setOpen(details.open)
    // What had the focus in it is gone, unless it has led to somewhere else.
    const isLost = document.activeElement === document.body || panel.current?.contains(document.activeElement)
    if (!details.open && isLost) details.querySelector('summary')?.focus()
  }

  useEffect(() => {
    if (isOpen) panel.current?.querySelector<HTMLElement>('button, input, select')?.focus()
  }, [isOpen])

  return (
    <details className="menu inbox-tool" data-menu ref={menu} onToggle={event => follow(event.currentTarget)}>
      <summary
        className="button button-quiet"
        aria-keyshortcuts={shortcut}
        {...(!icon && { 'aria-label': label, title: label })}
      >
        {icon && <Icon name={icon} />}
        {icon ? label : '…'}
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

interface MenuItemProps {
  readonly isCurrent?: boolean
  readonly onChoose: () => void
  readonly children: ReactNode
}

export function MenuItem({ isCurrent = false, onChoose, children }: MenuItemProps) {
  return (
    <button
      type="button"
      className="menu-item inbox-tool-item"
      aria-current={isCurrent ? 'true' : undefined}
      onClick={onChoose}
    >
      {children}
    </button>
  )
}
