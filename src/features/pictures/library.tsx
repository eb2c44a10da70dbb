import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../http/api-client.ts'
import { Button } from '../../ui/button.tsx'
import { ShortTime } from '../../ui/date-time.tsx'
import { describeBytes } from '../../ui/describe-bytes.ts'
import { CancelButton, ConfirmDialog, Dialog } from '../../ui/dialog/dialog.tsx'
import { EmptyState, ErrorState, SkeletonRows, useReadFailure } from '../../ui/list/list-states.tsx'
import { LoadMore, useResetPages } from '../../ui/list/load-more.tsx'
import { useMayCall } from '../../ui/me-query.ts'
import { ScreenHead } from '../../ui/screen-head.tsx'
import { showFailure, showToast } from '../../ui/toast/toast.ts'
import { useChange } from '../../ui/use-call.ts'
import { type ListedPicture, type PictureUse, PictureUses, pictures } from './contract.ts'
import { namePicture, picturesQuery, Thumbnail } from './thumbnail.tsx'
import { DropArea, UploadStatus, useUpload } from './upload.tsx'

/** All pictures that were uploaded, newest first, and where each is used. */
export function Library() {
  const list = useInfiniteQuery(picturesQuery)
  useResetPages(picturesQuery.queryKey)
  useReadFailure(list.error, 'Failed to fetch the pictures')
  const mayEdit = useMayCall()(pictures.upload)
  const [deleting, setDeleting] = useState<ListedPicture | null>(null)
  const shown = list.data?.pages.flatMap(page => page.pictures) ?? []
  const space = list.data?.pages.at(-1)
  return (
    <>
      <p className="quiet small">
        <a href="/content">Content</a> /
      </p>
      <ScreenHead title="Pictures" />
      {mayEdit && <Upload />}
      {space && <Space usedBytes={space.usedBytes} quota={space.quota} />}
      {list.isPending && <SkeletonRows />}
      {list.isError && !list.data && (
        <ErrorState title="Failed to fetch the pictures" error={list.error} onRetry={() => list.refetch()} />
      )}
      {list.isSuccess && shown.length === 0 && (
        <EmptyState
          title="No pictures yet"
          hint="Pictures of slides, portraits and pages are listed here once somebody has uploaded them."
        />
      )}
      <ul className="pictures-grid">
        {shown.map(picture => (
          <PictureCard
            key={picture.id}
            picture={picture}
            mayEdit={mayEdit}
            onDelete={() => setDeleting(picture)}
          />
        ))}
      </ul>
      <LoadMore list={list} />
      {deleting && <DeletePictureDialog picture={deleting} onClose={() => setDeleting(null)} />}
    </>
  )
}

function Upload() {
  const upload = useUpload(() =>
    showToast({ title: 'Picture Uploaded', description: 'It can be chosen in every document now.' }),
  )
  return (
    <div className="pictures-upload">
      <DropArea
        label="Upload a picture"
        isBusy={upload.isBusy}
        onFile={upload.start}
        className="pictures-empty"
      >
        <p className="field-hint">Or drop a file here.</p>
      </DropArea>
      <UploadStatus upload={upload} />
    </div>
  )
}

function Space({ usedBytes, quota }: { usedBytes: number; quota: number }) {
  return (
    <p className="line figures quiet small pictures-space">
      <meter aria-label="Space used" min={0} max={quota} value={usedBytes} />
      {describeBytes(usedBytes)} of {describeBytes(quota)} used
    </p>
  )
}

interface PictureCardProps {
  readonly picture: ListedPicture
  readonly mayEdit: boolean
  readonly onDelete: () => void
}

function PictureCard({ picture, mayEdit, onDelete }: PictureCardProps) {
  const { width, height, bytes, uploadedBy, createdAt, uses } = picture
  const isNeeded = uses.some(use => use.isNeeded)
  return (
    <li className="pictures-card">
      <Thumbnail {...picture} className="pictures-thumbnail" alt={namePicture(picture)} />
      <p>
        {width} × {height} <span className="quiet small">{describeBytes(bytes)}</span>
      </p>
      <p className="quiet small">
        {uploadedBy}, <ShortTime iso={createdAt} />
      </p>
      <UseList uses={uses} />
      {mayEdit && !isNeeded && (
        <p>
          <Button kind="danger-quiet" aria-label={`Delete: ${namePicture(picture)}`} onClick={onDelete}>
            Delete
          </Button>
        </p>
      )}
    </li>
  )
}

interface DeletePictureDialogProps {
  readonly picture: ListedPicture
  readonly onClose: () => void
}

/** Asks before a picture is deleted. Somebody may have used it since the list was read: then it says where. */
function DeletePictureDialog({ picture, onClose }: DeletePictureDialogProps) {
  const [error, setError] = useState<ApiError | null>(null)
  const remove = useChange(pictures.delete, {
    done: () => ({ title: 'Picture Deleted', description: 'Its space is free again.' }),
  })

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
      onConfirm={() => remove.mutate({ id: picture.id }, { onSuccess: onClose, onError: fail })}
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

function UseList({ uses }: { uses: readonly PictureUse[] }) {
  if (uses.length === 0) return <p className="quiet small">Not used</p>
  return (
    <ul className="small break pictures-uses">
      {uses.map(use => (
        <li key={use.documentId}>
          <a href={`/content/${use.documentId}`}>{use.title}</a>{' '}
          <span className="quiet small">{describeUse(use)}</span>
        </li>
      ))}
    </ul>
  )
}

function describeUse({ isLive, isNeeded }: PictureUse): string {
  if (isLive) return 'live'
  return isNeeded ? 'in the draft' : 'in an old version'
}
