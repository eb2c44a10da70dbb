import { useInfiniteQuery } from '@tanstack/react-query'
import { CancelButton, Dialog } from '../../ui/dialog.tsx'
import { EmptyState, ErrorState, SkeletonRows } from '../../ui/list-states.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import type { Picture } from './contract.ts'
import { namePicture } from './describe.ts'
import { picturesQuery } from './queries.ts'
import { Thumbnail } from './thumbnail.tsx'

interface PictureDialogProps {
  readonly onChoose: (picture: Picture) => void
  readonly onClose: () => void
}

/** Chooses a picture that somebody has uploaded before. */
export function PictureDialog({ onChoose, onClose }: PictureDialogProps) {
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
