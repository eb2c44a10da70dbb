import { useRef } from 'react'
import { useShortcuts } from '../../../ui/shortcuts.ts'
import type { Message } from '../contract.ts'
import { AssignMenu } from './assign-menu.tsx'
import { ForwardMenu } from './forward-menu.tsx'
import { Icon } from './icon.tsx'
import { Key } from './key.tsx'
import { SnoozeMenu } from './snooze-menu.tsx'
import { markAsSpam, markAsUnread, nextStatus } from './status-changes.ts'
import { TagMenu } from './tag-menu.tsx'
import { MenuItem, ToolMenu } from './tool-menu.tsx'
import type { ChangeRequest } from './use-change.ts'

interface ToolbarProps {
  readonly message: Message
  readonly isForwarding: boolean
  readonly onChange: (change: ChangeRequest) => void
  readonly onForward: () => void
  readonly onForwardTo: () => void
  readonly onPhoneCall: () => void
  /** Undefined when the user may not do it. */
  readonly onDelete: (() => void) | undefined
}

/** What can be done with the open message. */
export function Toolbar({ message, onChange, ...props }: ToolbarProps) {
  const assign = useRef<HTMLDetailsElement>(null)
  const snooze = useRef<HTMLDetailsElement>(null)
  const tag = useRef<HTMLDetailsElement>(null)
  const forward = useRef<HTMLDetailsElement>(null)
  const change = { message, onChange }
  const next = nextStatus(message)
  useShortcuts({
    a: () => open(assign.current),
    s: () => open(snooze.current),
    '#': () => open(tag.current),
    f: () => open(forward.current),
    e: () => onChange(next.change),
    '!': message.status === 'spam' ? undefined : () => onChange(markAsSpam(message)),
  })

  return (
    <>
      <AssignMenu {...change} menu={assign} />
      <SnoozeMenu {...change} menu={snooze} />
      <TagMenu {...change} menu={tag} />
      <button
        type="button"
        className="button button-quiet inbox-tool-close"
        aria-keyshortcuts="e"
        onClick={() => onChange(next.change)}
      >
        <Icon name="close" />
        {next.label}
        <Key name="E" />
      </button>
      <ForwardMenu menu={forward} {...props} />
      <ToolMenu label="More actions">
        {message.isRead && (
          <MenuItem onChoose={() => onChange(markAsUnread(message))}>Mark as unread</MenuItem>
        )}
        {message.status !== 'spam' && (
          <MenuItem onChoose={() => onChange(markAsSpam(message))}>Mark as spam</MenuItem>
        )}
        <MenuItem onChoose={props.onPhoneCall}>Add phone call</MenuItem>
        {props.onDelete && (
          <MenuItem isDanger onChoose={props.onDelete}>
            Delete …
          </MenuItem>
        )}
      </ToolMenu>
    </>
  )
}

function open(menu: HTMLDetailsElement | null) {
  if (menu) menu.open = true
}
