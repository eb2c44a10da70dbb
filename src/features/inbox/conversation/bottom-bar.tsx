import type { Message } from '../contract.ts'
import { Icon } from './icon.tsx'
import { nextStatus } from './status-changes.ts'
import type { ChangeRequest } from './use-change.ts'

interface BottomBarProps {
  readonly message: Message
  readonly onWrite: (kind: 'reply' | 'note') => void
  readonly onChange: (change: ChangeRequest) => void
}

/** The three steps of a phone. */
export function BottomBar({ message, onWrite, onChange }: BottomBarProps) {
  const next = nextStatus(message)
  return (
    <>
      <button type="button" className="button button-primary" onClick={() => onWrite('reply')}>
        <Icon name="reply" /> Reply
      </button>
      <button type="button" className="button inbox-note-button" onClick={() => onWrite('note')}>
        <Icon name="note" /> Note
      </button>
      <button type="button" className="button" aria-label={next.label} onClick={() => onChange(next.change)}>
        {next.label.replace(' enquiry', '')}
      </button>
    </>
  )
}
