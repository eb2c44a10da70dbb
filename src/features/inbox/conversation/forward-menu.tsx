import type { Ref } from 'react'
import { MenuItem, ToolMenu } from './tool-menu.tsx'

interface ForwardMenuProps {
  readonly menu: Ref<HTMLDetailsElement>
  readonly isForwarding: boolean
  readonly onForward: () => void
  readonly onForwardTo: () => void
}

/** Sends the enquiry to the office's address, or to a colleague. */
export function ForwardMenu({ menu, isForwarding, onForward, onForwardTo }: ForwardMenuProps) {
  return (
    <ToolMenu label={isForwarding ? 'Forwarding …' : 'Forward'} shortcut="F" icon="forward" menu={menu}>
      <MenuItem onChoose={() => !isForwarding && onForward()}>Forward by email</MenuItem>
      <MenuItem onChoose={onForwardTo}>To a colleague …</MenuItem>
    </ToolMenu>
  )
}
