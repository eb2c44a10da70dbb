/** Pixels. A phone, a tablet or half a page, and a page on a wide screen. */
const WIDTHS = [480, 960, 1600] as const

/** The best first, for browsers that choose the first they can show. */
export const pictureFormats = ['avif', 'webp'] as const
export type PictureFormat = (typeof pictureFormats)[number]

/** The widths in which a picture of this width is served, in ascending order. The last one is its own. */
export function widths(width: number): number[] {
  const largest = WIDTHS[2]
  return [...WIDTHS.filter(each => each < Math.min(width, largest)), Math.min(width, largest)]
}

/**
 * Pixels of each side of a logo, which is square and a PNG: tab, tab on a fine screen, header, icon of a phone, icons of an app.
 * The icons have a ground, because systems put transparent ones on black.
 */
export const logoSizes = [16, 32, 64, 180, 192, 512] as const
export type LogoSize = (typeof logoSizes)[number]
export const SMALLEST_ICON = 180

/** What is made of an upload. A logo is a picture that has its own sizes as well. */
export type PictureKind = 'picture' | 'logo'
export type FileFormat = PictureFormat | 'png'

/** The files of a picture of this width, in their order. */
export function filesOf(kind: PictureKind, width: number): readonly { width: number; format: FileFormat }[] {
  const files = pictureFormats.flatMap(format => widths(width).map(each => ({ width: each, format })))
  return kind === 'picture'
    ? files
    : [...files, ...logoSizes.map(size => ({ width: size, format: 'png' as const }))]
}

/** The address of a logo in one of its sizes. */
export function logoUrl(id: string, size: LogoSize): string {
  return `/pictures/${id}-${size}.png`
}

/** The address of a picture in one of its widths. */
export function pictureUrl(id: string, width: number, format: PictureFormat): string {
  return `/pictures/${id}-${width}.${format}`
}
