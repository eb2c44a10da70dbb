import type { RowAction } from '../../ui/row-actions.tsx'
import type { Message } from './contract.ts'
import { assign, nextStatus } from './conversation/status-changes.ts'
import type { ChangeRequest } from './conversation/use-change.ts'

/** What the actions of a row do. Undefined is what the user may not do. */
export interface RowHandlers {
  readonly onView: (message: Message) => void
  readonly onReply: ((message: Message) => void) | undefined
  readonly onChange: ((change: ChangeRequest) => void) | undefined
  readonly onForward: ((message: Message) => void) | undefined
  readonly onDelete: ((message: Message) => void) | undefined
  /** The user. */
  readonly myId: string | undefined
}

/** All are in the menu. Beside an open message, the buttons are those of answering one after the other. */
export function actionsOf(message: Message, handlers: RowHandlers, isBeside: boolean): RowAction[] {
  const { onView, onReply, onForward, onDelete } = handlers
  const about = `message from ${message.name}`
  const action = (
    label: string,
    act: ((message: Message) => void) | undefined,
    more: Partial<RowAction> = {},
  ) => (act ? [{ label, name: `${label} ${about}`, onChoose: () => act(message), ...more }] : [])
  return [
    // The row itself opens the message.
    ...action('View', onView, { isRare: true }),
    ...action('Reply', onReply, { name: `Reply to ${about}`, kind: isBeside ? 'quiet' : 'primary' }),
    ...changesOf(message, handlers).map(change => ({ ...change, isRare: !isBeside })),
    ...action('Forward', onForward, { isRare: isBeside }),
    ...action('Delete', onDelete, { isRare: isBeside, kind: 'danger-quiet' }),
  ]
}

function changesOf(message: Message, { onChange, myId }: RowHandlers): RowAction[] {
  if (!onChange) return []
  const about = `message from ${message.name}`
  const next = nextStatus(message)
  const take = myId !== undefined && myId !== message.assignee?.id && assign(message, myId, 'Assigned to you')
  return [
    ...(take ? [{ label: 'Assign', name: `Assign ${about} to me`, onChoose: () => onChange(take) }] : []),
    {
      label: next.label.replace(' enquiry', ''),
      name: `${next.label}: ${about}`,
      onChoose: () => onChange(next.change),
    },
  ]
}
