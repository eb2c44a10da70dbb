import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../ui/client.ts'
import { ConfirmDialog, Dialog } from '../../../ui/dialog/dialog.tsx'
import { useWrite } from '../../../ui/form/use-write.ts'
import { showFailure } from '../../../ui/toast/toast.ts'
import { type CannedReply, type CannedReplyChange, cannedReplies, MAX_CANNED_REPLIES } from './contract.ts'
import { cannedQuery } from './queries.ts'

interface CannedManagerProps {
  /** Opens one to change it, or a new one. */
  readonly onWrite: (reply?: CannedReply) => void
  readonly onClose: () => void
}

/** Where admins write canned replies and put them into an order. */
export function CannedManager({ onWrite, onClose }: CannedManagerProps) {
  const replies = useQuery(cannedQuery).data?.cannedReplies ?? []
  const [deleting, setDeleting] = useState<CannedReply | null>(null)
  const move = useMoveCanned()

  return (
    <Dialog
      title="Edit canned replies"
      onClose={onClose}
      actions={
        <>
          <button
            type="button"
            className="button"
            aria-disabled={replies.length >= MAX_CANNED_REPLIES}
            onClick={() => replies.length < MAX_CANNED_REPLIES && onWrite()}
          >
            Add a canned reply
          </button>
          <button type="button" className="button button-primary" onClick={onClose}>
            Done
          </button>
        </>
      }
    >
      {replies.length === 0 && <p>Nobody has written one yet.</p>}
      <ol className="inbox-canned-edit">
        {replies.map((reply, position) => (
          <li key={reply.id} className="line wrap">
            <span>{reply.title}</span>
            <MoveButton
              label={`Move ${reply.title} up`}
              sign="↑"
              isPossible={position > 0}
              onMove={() => move.mutate({ id: reply.id, position: position - 1 })}
            />
            <MoveButton
              label={`Move ${reply.title} down`}
              sign="↓"
              isPossible={position < replies.length - 1}
              onMove={() => move.mutate({ id: reply.id, position: position + 1 })}
            />
            <button type="button" className="button" onClick={() => onWrite(reply)}>
              Edit<span className="visually-hidden"> {reply.title}</span>
            </button>
            <button type="button" className="button button-danger-quiet" onClick={() => setDeleting(reply)}>
              Delete<span className="visually-hidden"> {reply.title}</span>
            </button>
          </li>
        ))}
      </ol>
      {deleting && <DeleteCanned reply={deleting} onClose={() => setDeleting(null)} />}
    </Dialog>
  )
}

interface MoveButtonProps {
  readonly label: string
  readonly sign: string
  readonly isPossible: boolean
  readonly onMove: () => void
}

function MoveButton({ label, sign, isPossible, onMove }: MoveButtonProps) {
  return (
    <button
      type="button"
      className="button button-quiet"
      aria-label={label}
      aria-disabled={!isPossible}
      onClick={() => isPossible && onMove()}
    >
      {sign}
    </button>
  )
}

function DeleteCanned({ reply, onClose }: { readonly reply: CannedReply; readonly onClose: () => void }) {
  const remove = useDeleteCanned(onClose)
  return (
    <ConfirmDialog
      title="Delete Canned Reply"
      question={`Delete “${reply.title}”? Replies that were sent with it stay as they are.`}
      action="Delete"
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate(reply.id)}
      onClose={onClose}
    />
  )
}

export function useMoveCanned() {
  const client = useQueryClient()
  return useWrite<unknown, Required<Pick<CannedReplyChange, 'id' | 'position'>>>({
    mutationFn: move => call(cannedReplies.change, move),
    onError: error => showFailure('Canned Reply Not Moved', error, 'The server failed.'),
    onSettled: () => client.invalidateQueries({ queryKey: cannedQuery.queryKey }),
  })
}

export function useDeleteCanned(onSettled: () => void) {
  const client = useQueryClient()
  return useWrite<unknown, string>({
    mutationFn: id => call(cannedReplies.delete, { id }),
    onError: error => showFailure('Canned Reply Not Deleted', error, 'The server failed.'),
    onSettled() {
      onSettled()
      return client.invalidateQueries({ queryKey: cannedQuery.queryKey })
    },
  })
}
