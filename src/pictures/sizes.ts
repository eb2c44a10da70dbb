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

/** The address of a picture in one of its widths. */
export function pictureUrl(id: string, width: number, format: PictureFormat): string {
  return `/pictures/${id}-${width}.${format}`
}
