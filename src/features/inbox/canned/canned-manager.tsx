import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { call } from '../../../ui/client.ts'
import { ConfirmDialog, Dialog } from '../../../ui/dialog/dialog.tsx'
import { useWrite } from '../../../ui/form/use-write.ts'
import { showFailure } from '../../../ui/toast/toast.ts'
import { type CannedReply, cannedReplies } from './contract.ts'
import { cannedQuery } from './queries.ts'

interface CannedManagerProps {
  readonly add: ReactNode
  readonly replies: readonly CannedReply[]
  readonly onEdit: (reply: CannedReply) => void
  readonly onClose: () => void
}

/** Where admins write canned replies and put them into an order. */
export function CannedManager({ add, replies, onEdit, onClose }: CannedManagerProps) {
  const client = useQueryClient()
  const [deleting, setDeleting] = useState<CannedReply | null>(null)
  const refresh = () => client.invalidateQueries({ queryKey: cannedQuery.queryKey })
  const move = useWrite<unknown, { id: string; position: number }>({
    mutationFn: change => call(cannedReplies.change, change),
    onError: error => showFailure('Canned Reply Not Moved', error, 'The server failed.'),
    onSettled: refresh,
  })
  const remove = useWrite<unknown, string>({
    mutationFn: id => call(cannedReplies.delete, { id }),
    onError: error => showFailure('Canned Reply Not Deleted', error, 'The server failed.'),
    onSettled() {
      setDeleting(null)
      return refresh()
    },
  })
  const moveButton = ({ id, title }: CannedReply, position: number, way: 'up' | 'down') => (
    <Button
      kind="quiet"
      aria-label={`Move ${title} ${way}`}
      isIdle={replies[position] === undefined}
      onClick={() => move.mutate({ id, position })}
    >
      {way === 'up' ? '↑' : '↓'}
    </Button>
  )

  return (
    <Dialog
      title="Edit canned replies"
      onClose={onClose}
      actions={
        <>
          {add}
          <Button kind="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      {replies.length === 0 && <p>Nobody has written one yet.</p>}
      <ol className="inbox-canned-edit">
        {replies.map((reply, position) => (
          <li key={reply.id} className="line wrap">
            <span>{reply.title}</span>
            {moveButton(reply, position - 1, 'up')}
            {moveButton(reply, position + 1, 'down')}
            <Button onClick={() => onEdit(reply)}>
              Edit<span className="visually-hidden"> {reply.title}</span>
            </Button>
            <Button kind="danger-quiet" onClick={() => setDeleting(reply)}>
              Delete<span className="visually-hidden"> {reply.title}</span>
            </Button>
          </li>
        ))}
      </ol>
      {deleting && (
        <ConfirmDialog
          title="Delete Canned Reply"
          question={`Delete “${deleting.title}”? Replies that were sent with it stay as they are.`}
          action="Delete"
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate(deleting.id)}
          onClose={() => setDeleting(null)}
        />
      )}
    </Dialog>
  )
}
