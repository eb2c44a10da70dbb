import { pictureUrl, widths } from '../../pictures/sizes.ts'

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
