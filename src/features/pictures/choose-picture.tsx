import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { CancelButton, Dialog } from '../../ui/dialog/dialog.tsx'
import { EmptyState, ErrorState, SkeletonRows } from '../../ui/list/list-states.tsx'
import { LoadMore } from '../../ui/list/load-more.tsx'
import type { Picture } from './contract.ts'
import { namePicture, picturesQuery, Thumbnail } from './thumbnail.tsx'
import { DropArea, UploadStatus, useUpload } from './upload.tsx'

interface ChoosePictureProps {
  /** Whether there is one now, which stays until another one is there. */
  readonly hasPicture: boolean
  readonly onChoose: (picture: Picture) => void
  readonly onRemove: () => void
}

export function ChoosePicture({ hasPicture, onChoose, onRemove }: ChoosePictureProps) {
  const [isChoosing, setChoosing] = useState(false)
  const upload = useUpload(onChoose)
  return (
    <>
      <DropArea
        label={hasPicture ? 'Replace' : 'Upload a picture'}
        isBusy={upload.isBusy}
        onFile={upload.start}
        className={hasPicture ? '' : 'pictures-empty'}
      >
        <Button onClick={() => setChoosing(true)}>Choose from the library</Button>
        {hasPicture && (
          <Button kind="quiet" onClick={onRemove}>
            Remove
          </Button>
        )}
        {!hasPicture && <p className="field-hint">Or drop a file here.</p>}
      </DropArea>
      <UploadStatus upload={upload} />
      {isChoosing && (
        <PictureDialog
          onClose={() => setChoosing(false)}
          onChoose={picture => {
            setChoosing(false)
            upload.cancel()
            onChoose(picture)
          }}
        />
      )}
    </>
  )
}

interface PictureDialogProps {
  readonly onChoose: (picture: Picture) => void
  readonly onClose: () => void
}

function PictureDialog({ onChoose, onClose }: PictureDialogProps) {
  const list = useInfiniteQuery(picturesQuery)
  const shown = list.data?.pages.flatMap(page => page.pictures) ?? []
  return (
    <Dialog title="Choose a picture" onClose={onClose} actions={<CancelButton />}>
      {list.isPending && <SkeletonRows count={3} />}
      {list.isError && !list.data && (
        <ErrorState title="Failed to fetch the pictures" error={list.error} onRetry={() => list.refetch()} />
      )}
      {list.isSuccess && shown.length === 0 && (
        <EmptyState title="No pictures yet" hint="Pictures that somebody uploads can be chosen here." />
      )}
      <ul className="pictures-grid pictures-choices">
        {shown.map(picture => (
          <li key={picture.id}>
            <button type="button" className="pictures-choice" onClick={() => onChoose(picture)}>
              <Thumbnail {...picture} className="pictures-thumbnail" alt={namePicture(picture)} />
            </button>
          </li>
        ))}
      </ul>
      <LoadMore list={list} />
    </Dialog>
  )
}
