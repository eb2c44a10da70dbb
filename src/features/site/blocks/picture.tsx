import type { PageBody } from '../../../content/page-bodies.ts'
import type { PictureUse } from '../../../content/picture-use.ts'
import type { SiteBody } from '../../../content/site-body.ts'
import { type PictureFormat, pictureUrl, sharedSize, widths } from '../../../pictures/sizes.ts'
import harbour from '../scenes/harbour.svg'
import rainforestCoast from '../scenes/rainforest-coast.svg'
import redCentre from '../scenes/red-centre.svg'

interface PictureProps {
  readonly use: PictureUse
  /** How wide it is shown: https://html.spec.whatwg.org/multipage/images.html#sizes-attributes */
  readonly sizes: string
  /** Of the hero, which is seen first; every other picture waits until it is near. */
  readonly priority?: 'high' | 'low' | undefined
  readonly className: string
  readonly 'data-edit'?: string
}

/** An uploaded picture in the sizes that a screen needs, cropped to its focal point where it is cropped. */
export function Picture({ use, sizes, priority, className, ...attributes }: PictureProps) {
  const { width, height, focus } = use
  const waits = priority !== 'high'
  return (
    <picture className="site-picture">
      <source type="image/avif" srcSet={srcSet(use, 'avif')} sizes={sizes} />
      <img
        {...attributes}
        className={`${className} site-focus-${focus}`}
        src={pictureUrl(use.picture, width, 'webp')}
        srcSet={srcSet(use, 'webp')}
        sizes={sizes}
        alt={altOf(use)}
        width={width}
        height={height}
        loading={waits ? 'lazy' : undefined}
        decoding={waits ? 'async' : undefined}
        fetchPriority={priority}
      />
    </picture>
  )
}

/** What somebody reads who does not see the picture. */
export const altOf = ({ alt, decoration }: PictureUse) => (decoration ? '' : alt)

/** The largest one that is stored, for programs that take one only. */
export function largest(use: PictureUse) {
  const width = widths(use.width).at(-1) ?? use.width
  return {
    src: pictureUrl(use.picture, width, 'webp'),
    width,
    height: Math.round((use.height * width) / use.width),
  }
}

/** The file for those who share a page, some of whom read JPEG only. */
export function sharedFile(use: PictureUse) {
  const width = widths(use.width).at(-1) ?? use.width
  const size = sharedSize({ width, height: Math.round((use.height * width) / use.width) })
  return { src: pictureUrl(use.picture, size.width, 'jpg'), ...size }
}

/** The one that stands for a page where it is shared. */
export function sharedPicture({ socialPicture, blocks }: Pick<PageBody, 'socialPicture' | 'blocks'>) {
  return socialPicture ?? blocks.find(block => block.type === 'picture')?.picture ?? undefined
}

function srcSet({ picture, width }: PictureUse, format: PictureFormat): string {
  return widths(width)
    .map(each => `${pictureUrl(picture, each, format)} ${each}w`)
    .join(', ')
}

/** The landscapes by name, with the URLs from the build. */
export const slideImages: Readonly<Record<SiteBody['slides'][number]['image'], string>> = {
  harbour,
  'red-centre': redCentre,
  'rainforest-coast': rainforestCoast,
}

/** One of the landscapes, always the same for an address, so that pages beside each other differ. */
export function landscapeAt(path: string): string {
  const landscapes = Object.values(slideImages)
  const sum = [...path].reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0)
  return landscapes[sum % landscapes.length] ?? harbour
}
