import { DateTime } from '../../ui/date-time.tsx'
import type { ListedPicture } from './contract.ts'
import { describeBytes, namePicture } from './describe.ts'
import { Thumbnail } from './thumbnail.tsx'
import { UseList } from './use-list.tsx'

interface PictureCardProps {
  readonly picture: ListedPicture
  readonly mayEdit: boolean
  readonly onDelete: () => void
}

/** A picture of the library: what it is, whose it is and where it is used. */
export function PictureCard({ picture, mayEdit, onDelete }: PictureCardProps) {
  const { width, height, bytes, uploadedBy, createdAt, uses } = picture
  const isNeeded = uses.some(use => use.isNeeded)
  return (
    <li className="pictures-card">
      <Thumbnail {...picture} className="pictures-thumbnail" alt={namePicture(picture)} />
      <p>
        {width} × {height} <span className="pictures-quiet">{describeBytes(bytes)}</span>
      </p>
      <p className="pictures-quiet">
        {uploadedBy}, <DateTime iso={createdAt} />
      </p>
      <UseList uses={uses} />
      {mayEdit && !isNeeded && (
        <p>
          <button
            type="button"
            className="button button-danger-quiet"
            aria-label={`Delete: ${namePicture(picture)}`}
            onClick={onDelete}
          >
            Delete
          </button>
        </p>
      )}
    </li>
  )
}
