import { pictureUrl, widths } from '../../pictures/sizes.ts'
import { call } from '../../ui/client.ts'
import { formatDateTime } from '../../ui/dates.ts'
import { keyOf, pagesQuery } from '../../ui/use-call.ts'
import { type ListedPicture, pictures } from './contract.ts'

export const picturesQuery = pagesQuery(keyOf(pictures.list), after => call(pictures.list, { after }))

interface ThumbnailProps {
  readonly id: string
  readonly width: number
  readonly height: number
  readonly alt: string
  readonly className: string
}

/** A picture in the portal, in its smallest size. */
export function Thumbnail({ id, width, height, alt, className }: ThumbnailProps) {
  const src = pictureUrl(id, widths(width)[0] ?? width, 'webp')
  return (
    <img
      className={className}
      src={src}
      alt={alt}
      width={width}
      height={height}
      loading="lazy"
      decoding="async"
    />
  )
}

/** Pictures have no names, so these are the words for one that somebody does not see. */
export function namePicture({ width, height, uploadedBy, createdAt }: ListedPicture): string {
  return `Picture of ${width} × ${height} pixels, uploaded by ${uploadedBy} on ${formatDateTime(createdAt)}`
}
