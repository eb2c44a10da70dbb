import type { ReactNode } from 'react'
import { Key } from './key.tsx'
import { outgoing, type StatusAfter, useOutgoing } from './outgoing.ts'

const statusLabels: Readonly<Record<StatusAfter, string>> = {
  waiting: 'Waiting',
  open: 'Open',
  closed: 'Closed',
}
const statuses = ['waiting', 'open', 'closed'] as const

interface SendRowProps {
  /** Of the message. */
  readonly id: string
  readonly label: string
  readonly isDisabled: boolean
  readonly onSend: () => void
  readonly children: ReactNode
}

/** The foot of a reply: whether its draft is saved, the status afterwards, and the button that sends it. */
export function SendRow({ id, label, isDisabled, onSend, children }: SendRowProps) {
  const { after } = useOutgoing(id)
  return (
    <div className="inbox-composer-foot">
      {children}
      <label className="inbox-then">
        <span className="inbox-quiet">then</span>
        <select
          className="control"
          aria-label="then, the status after sending"
          value={after}
          onChange={({ target }) => {
            const chosen = statuses.find(status => status === target.value)
            if (chosen) outgoing(id).set({ after: chosen })
          }}
        >
          {statuses.map(status => (
            <option key={status} value={status}>
              {statusLabels[status]}
            </option>
          ))}
        </select>
      </label>
      <button type="button" className="button button-primary" aria-disabled={isDisabled} onClick={onSend}>
        {label}
        <Key name="Ctrl ↵" />
      </button>
    </div>
  )
}
