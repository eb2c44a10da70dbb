/** Pixels. A phone, a tablet or half a page, and a page on a wide screen. */
const WIDTHS = [480, 960, 1600] as const

/** The best first, for browsers that choose the first they can show. */
export const pictureFormats = ['avif', 'webp'] as const
export type PictureFormat = (typeof pictureFormats)[number]

/** Of the stored files: JPEG is for programs that read neither, PNG for logos. */
export const fileFormats = [...pictureFormats, 'jpg', 'png'] as const
export type FileFormat = (typeof fileFormats)[number]

/** Pixels of a picture where a page is shared, as Open Graph and its readers want it: https://ogp.me */
const SHARED = { width: 1200, height: 630 } as const

/** What of a picture is shared: its middle, and no larger than it is. */
export function sharedSize({ width, height }: { readonly width: number; readonly height: number }) {
  const cropped = Math.min(width, SHARED.width, Math.floor((height * SHARED.width) / SHARED.height))
  return {
    width: Math.max(1, cropped),
    height: Math.max(1, Math.round((cropped * SHARED.height) / SHARED.width)),
  }
}

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

/** Of a logo, what is shared of pages that have no picture: in the middle of a ground. One that was uploaded earlier has none. */
export const LOGO_SHARED = SHARED

/** Pixels of the width of a preview: enough to read a scanned page. */
export const PREVIEW_WIDTH = 960

/** What is made of a file. A logo is a picture that has its own sizes as well; a preview has one size. */
export type PictureKind = 'picture' | 'logo' | 'preview'

/** The files of a picture of this size, in their order. */
export function filesOf(kind: PictureKind, size: { readonly width: number; readonly height: number }) {
  if (kind === 'preview')
    return [{ width: Math.min(size.width, PREVIEW_WIDTH), format: 'webp' as FileFormat }]
  const all: { readonly width: number; readonly format: FileFormat }[] = []
  for (const format of pictureFormats) all.push(...widths(size.width).map(width => ({ width, format })))
  all.push({ width: sharedSize(size).width, format: 'jpg' })
  if (kind === 'logo')
    all.push(...[...logoSizes, LOGO_SHARED.width].map(width => ({ width, format: 'png' as const })))
  return all
}

/** The address of a logo in one of its sizes. */
export function logoUrl(id: string, size: LogoSize | typeof LOGO_SHARED.width): string {
  return `/pictures/${id}-${size}.png`
}

/** The address of a picture in one of its widths. */
export function pictureUrl(id: string, width: number, format: FileFormat): string {
  return `/pictures/${id}-${width}.${format}`
}
