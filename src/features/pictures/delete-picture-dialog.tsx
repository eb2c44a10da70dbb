import { useState } from 'react'
import { ApiError } from '../../http/api-client.ts'
import { CancelButton, ConfirmDialog, Dialog } from '../../ui/dialog.tsx'
import { showFailure } from '../../ui/toast.ts'
import { type ListedPicture, PictureUses } from './contract.ts'
import { useDeletePicture } from './queries.ts'
import { UseList } from './use-list.tsx'

interface DeletePictureDialogProps {
  readonly picture: ListedPicture
  readonly onClose: () => void
}

/** Asks before a picture is deleted. Somebody may have used it since the list was read: then it says where. */
export function DeletePictureDialog({ picture, onClose }: DeletePictureDialogProps) {
  const [error, setError] = useState<ApiError | null>(null)
  const remove = useDeletePicture()

  function fail(error: Error) {
    if (error instanceof ApiError && error.code === 'picture_in_use') return setError(error)
    showFailure('Error', error, 'The picture could not be deleted')
    onClose()
  }

  if (error) return <InUse error={error} onClose={onClose} />
  return (
    <ConfirmDialog
      title="Delete this picture?"
      question={picture.uses.length > 0 ? IN_OLD_VERSIONS : 'No document uses it. It cannot be brought back.'}
      action="Delete"
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate(picture.id, { onSuccess: onClose, onError: fail })}
      onClose={onClose}
    />
  )
}

const IN_OLD_VERSIONS =
  'Old versions show it. If one of them is restored, its picture is missing. It cannot be brought back.'

function InUse({ error, onClose }: { error: ApiError; onClose: () => void }) {
  const { data: uses = [] } = PictureUses.safeParse(error.body.uses)
  return (
    <Dialog title="The picture is in use" onClose={onClose} actions={<CancelButton label="Close" />}>
      <p>{error.message}</p>
      <UseList uses={uses} />
    </Dialog>
  )
}
