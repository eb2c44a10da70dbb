import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMayCall } from '../../portal/use-may-call.ts'
import { EmptyState, ErrorState, SkeletonRows } from '../../ui/list-states.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { ScreenHead } from '../../ui/screen-head.tsx'
import { showToast } from '../../ui/toast.ts'
import { useReadFailure } from '../../ui/use-read-failure.ts'
import { useResetPages } from '../../ui/use-reset-pages.ts'
import { type ListedPicture, pictures } from './contract.ts'
import { DeletePictureDialog } from './delete-picture-dialog.tsx'
import { describeBytes } from './describe.ts'
import { DropArea } from './drop-area.tsx'
import { PictureCard } from './picture-card.tsx'
import { picturesQuery } from './queries.ts'
import { UploadStatus } from './upload-status.tsx'
import { useUpload } from './use-upload.ts'

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
      <p className="pictures-crumb">
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
    <p className="pictures-space">
      <meter aria-label="Space used" min={0} max={quota} value={usedBytes} />
      {describeBytes(usedBytes)} of {describeBytes(quota)} used
    </p>
  )
}
