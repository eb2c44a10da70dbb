import { ConfirmDialog } from '../../../ui/dialog/dialog.tsx'
import { useChange } from '../../../ui/use-call.ts'
import { conversation } from './contract.ts'

interface RevokeDialogProps {
  readonly id: string
  readonly onClose: () => void
}

/** A visitor whose link has ended finds that out alone, so who ends it is asked first, and reads what else ends. */
export function RevokeDialog({ id, onClose }: RevokeDialogProps) {
  const { mutate, isPending } = useChange(conversation.revokeLinks, {
    done: ({ revoked }) => ({
      title: revoked === 0 ? 'There was no link' : 'Links revoked',
      description: 'The next reply has a new one',
    }),
    failed: ['Links Not Revoked', 'The server failed.'],
  })
  return (
    <ConfirmDialog
      title="Revoke the link"
      question="All links to the page of this enquiry end at once, in whichever email they are. The visitor can ask for another one with the reference and the email address."
      action="Revoke"
      isBusy={isPending}
      onConfirm={() => mutate({ id }, { onSettled: onClose })}
      onClose={onClose}
    />
  )
}
