import { encode } from '@jsquash/png/codec/pkg/squoosh_png.js'
import { decoders, encodeSizes } from './encode-sizes.ts'
import type { EncodedFile, Outcome } from './encoded.ts'
import type { Inspected } from './inspect-picture.ts'
import { type Pixels, reduce } from './reduce.ts'
import { LOGO_SHARED, logoSizes, SMALLEST_ICON } from './sizes.ts'

/** A part of an icon: what is outside of it, a system may cut off. */
const SAFE = 0.72
/** Of 255. A logo whose colours are lighter on the average cannot be seen on white. */
const LIGHT = 215
const WHITE = [255, 255, 255] as const
/** Ocean, as in `ui/styles/tokens.css`. */
const DARK = [15, 46, 61] as const

type Ground = typeof WHITE | typeof DARK

/** Makes all sizes of a logo: those of a picture, for the library, and PNGs, which keep its transparency and its edges. */
export async function encodeLogo(inspected: Inspected, bytes: Uint8Array<ArrayBuffer>): Promise<Outcome> {
  const outcome = await encodeSizes(inspected, bytes)
  const pixels = 'refused' in outcome ? null : await decoders.png(bytes).catch(() => null)
  if ('refused' in outcome) return outcome
  if (!pixels) return { refused: 'unreadable' }
  const files = logoSizes.map((size): EncodedFile => {
    return toPng(size < SMALLEST_ICON ? fit(pixels, size) : drawIcon(pixels, { width: size, height: size }))
  })
  return { ...outcome, files: [...outcome.files, ...files, toPng(drawIcon(pixels, LOGO_SHARED))] }
}

function toPng({ data, width, height }: Pixels): EncodedFile {
  return { width, format: 'png', bytes: encode(new Uint8Array(data), width, height, 8) }
}

/** No larger than it is: a small logo stays small rather than blurred. */
function fit(pixels: Pixels, size: number): Pixels {
  const side = Math.min(size, pixels.width)
  const small = side === pixels.width ? pixels : reduce(pixels, side, side)
  const data = new Uint8ClampedArray(size * size * 4)
  return side === size ? small : onto({ data, width: size, height: size }, small)
}

/** On a ground of its own, unless it fills its square. */
function drawIcon(pixels: Pixels, { width, height }: Omit<Pixels, 'data'>): Pixels {
  const data = new Uint8ClampedArray(width * height * 4)
  const [ground] = new Uint32Array(Uint8Array.of(...groundOf(pixels), 255).buffer)
  new Uint32Array(data.buffer).fill(ground ?? 0)
  const fills = width === height && isOpaque(pixels)
  return onto({ data, width, height }, fit(pixels, Math.round(fills ? height : height * SAFE)))
}

/** Draws a square in the middle of what is larger. */
function onto({ data, width, height }: Pixels, square: Pixels): Pixels {
  const [left, top] = [(width - square.width) >> 1, (height - square.width) >> 1]
  for (let y = 0; y < square.height; y++)
    for (let x = 0; x < square.width; x++) {
      const from = (y * square.width + x) * 4
      const to = ((y + top) * width + x + left) * 4
      const alpha = (square.data[from + 3] ?? 0) / 255
      for (let channel = 0; channel < 3; channel++)
        data[to + channel] =
          (square.data[from + channel] ?? 0) * alpha + (data[to + channel] ?? 0) * (1 - alpha)
      data[to + 3] = Math.max(data[to + 3] ?? 0, square.data[from + 3] ?? 0)
    }
  return { data, width, height }
}

function isOpaque({ data }: Pixels): boolean {
  for (let at = 3; at < data.length; at += 4) if (data[at] !== 255) return false
  return true
}

function groundOf({ data }: Pixels): Ground {
  let [sum, weight] = [0, 0]
  for (let at = 0; at < data.length; at += 4) {
    const alpha = data[at + 3] ?? 0
    sum += (((data[at] ?? 0) + (data[at + 1] ?? 0) + (data[at + 2] ?? 0)) / 3) * alpha
    weight += alpha
  }
  return weight > 0 && sum / weight > LIGHT ? DARK : WHITE
}
