import { useQuery } from '@tanstack/react-query'
import { ConfirmDialog, type ReturnsFocus } from '../../../ui/dialog/dialog.tsx'
import type { Message, OpenMessage } from '../contract.ts'
import type { MessageFilter } from '../messages/filter-contract.ts'
import { messageQuery, useDelete } from '../queries.ts'
import { toAsciiEmail } from './format.ts'

/** Asks, deletes, and closes whether or not that worked. */
export function DeleteDialog({
  message,
  filter,
  onDeleted,
  onClose,
  returnTo,
}: ReturnsFocus & {
  message: Message
  filter: MessageFilter
  onDeleted: () => void
  onClose: () => void
}) {
  const remove = useDelete()
  const merged = useQuery(messageQuery(message.id, filter, undefined)).data?.merged ?? []
  return (
    <ConfirmDialog
      title="Delete Message"
      question={`Are you sure you want to delete this message from ${message.name}? This action cannot be undone.`}
      action="Delete"
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate(message, { onSuccess: onDeleted, onSettled: onClose })}
      onClose={onClose}
      returnTo={returnTo}
    >
      {merged.length > 0 && <WhatIsMerged merged={merged} />}
    </ConfirmDialog>
  )
}

/** What goes with it, and what stays because it came from another address. */
function WhatIsMerged({ merged }: { readonly merged: NonNullable<OpenMessage['merged']> }) {
  const others = merged.filter(({ isSameAddress }) => !isSameAddress)
  const same = merged.length - others.length
  const addresses = [...new Set(others.map(({ email }) => toAsciiEmail(email)))].join(', ')
  return (
    <>
      {same > 0 && (
        <p>
          {same === 1
            ? 'The enquiry from the same address that is merged into it is deleted with it.'
            : `The ${same} enquiries from the same address that are merged into it are deleted with it.`}
        </p>
      )}
      {others.length > 0 && (
        <p>
          {others.length === 1 ? 'The merged enquiry' : `The ${others.length} merged enquiries`} from{' '}
          {addresses}{' '}
          {others.length === 1
            ? 'is not deleted: it becomes an enquiry of its own again.'
            : 'are not deleted: they become enquiries of their own again.'}
        </p>
      )}
    </>
  )
}
