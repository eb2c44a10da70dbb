import { ConfirmDialog, type ReturnsFocus } from '../../ui/dialog.tsx'
import type { Message } from './contract.ts'
import { useDelete } from './queries.ts'

/** Asks, deletes, and closes whether or not that worked. */
export function DeleteDialog({
  message,
  onDeleted,
  onClose,
  returnTo,
}: ReturnsFocus & {
  message: Message
  onDeleted: () => void
  onClose: () => void
}) {
  const remove = useDelete()
  return (
    <ConfirmDialog
      title="Delete Message"
      question={`Are you sure you want to delete this message from ${message.name}? This action cannot be undone.`}
      action="Delete"
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate(message, { onSuccess: onDeleted, onSettled: onClose })}
      onClose={onClose}
      returnTo={returnTo}
    />
  )
}
