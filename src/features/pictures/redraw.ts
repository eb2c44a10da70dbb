/** Pixels. Nothing larger is shown, also not on a screen with twice as many of them. */
const MAX_SIDE = 2560
/** Of 1. Higher, and the upload grows without a difference that anybody sees. */
const QUALITY = 0.92

/** What a file chooser offers. What else the browser can read may be dropped onto the field. */
export const ACCEPTED = 'image/jpeg,image/png,image/webp,image/avif,image/heic'

/** A file that this browser cannot show. */
export class UnreadablePicture extends Error {}

/** The largest size with the same proportions whose sides are at most `max`. */
export function fitWithin({ width, height }: Size, max = MAX_SIDE): Size {
  const scale = Math.min(1, max / Math.max(width, height))
  const side = (length: number) => Math.max(1, Math.round(length * scale))
  return { width: side(width), height: side(height) }
}

interface Size {
  readonly width: number
  readonly height: number
}

/**
 * A picture as the browser shows it, drawn again: no larger than needed, turned upright, and without what a camera notes, such
 * as where it was. @throws {UnreadablePicture}
 */
export async function redraw(file: Blob): Promise<Uint8Array<ArrayBuffer>> {
  const bitmap = await createImageBitmap(file).catch(() => null)
  const drawn = bitmap && (await toBlob(draw(bitmap), typeFor(file)))
  bitmap?.close()
  if (!drawn) throw new UnreadablePicture()
  return new Uint8Array(await drawn.arrayBuffer())
}

function draw(bitmap: ImageBitmap): HTMLCanvasElement {
  const canvas = Object.assign(document.createElement('canvas'), fitWithin(bitmap))
  const context = canvas.getContext('2d')
  if (!context) throw new UnreadablePicture()
  context.imageSmoothingQuality = 'high'
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  return canvas
}

/** A JPEG cannot be transparent. A browser that writes no WebP writes a PNG instead. */
function typeFor({ type }: Blob): string {
  return type === 'image/png' || type === 'image/webp' ? 'image/webp' : 'image/jpeg'
}

function toBlob(canvas: HTMLCanvasElement, type: string): Promise<Blob | null> {
  return new Promise(resolve => {
    canvas.toBlob(resolve, type, QUALITY)
  })
}
