import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import avifEncoder, { type AVIFModule } from '@jsquash/avif/codec/enc/avif_enc.js'
import { defaultOptions as avifDefaults } from '@jsquash/avif/meta.js'
import jpegDecoder from '@jsquash/jpeg/codec/dec/mozjpeg_dec.js'
import jpegEncoder from '@jsquash/jpeg/codec/enc/mozjpeg_enc.js'
import { defaultOptions as jpegDefaults } from '@jsquash/jpeg/meta.js'
import { decode as decodePng, initSync as initPng } from '@jsquash/png/codec/pkg/squoosh_png.js'
import webpDecoder from '@jsquash/webp/codec/dec/webp_dec.js'
import type { WebPModule } from '@jsquash/webp/codec/enc/webp_enc.js'
import webpEncoder from '@jsquash/webp/codec/enc/webp_enc_simd.js'
import { defaultOptions as webpDefaults } from '@jsquash/webp/meta.js'
import type { EncodedFile, Outcome } from './encoded.ts'
import type { Inspected } from './inspect-picture.ts'
import { isSideways, type Orientation, turn } from './orientation.ts'
import { type Pixels, reduce } from './reduce.ts'
import { type PictureFormat, PREVIEW_WIDTH, pictureFormats, sharedSize, widths } from './sizes.ts'

/**
 * Bytes of a picture at most so many pixels wide. The first picture of a page decides how soon the page is there on a
 * phone, and any picture may be the first.
 */
const BUDGETS = [
  { width: 480, bytes: 14_000 },
  { width: 960, bytes: 36_000 },
]
/** Pixels. A higher one would take more memory than the process has, and nobody sees all of it at once. */
const MAX_HEIGHT = 2400
/** From 0 to 100. Above `best`, nobody sees a difference; below `worst`, everybody does. */
const QUALITIES: Record<PictureFormat, { readonly best: number; readonly worst: number }> = {
  avif: { best: 60, worst: 25 },
  webp: { best: 78, worst: 25 },
}
/** Steps of quality between which nobody sees a difference. */
const CLOSE_ENOUGH = 3

/** Makes all sizes of a picture. Without the metadata of the file, since only its pixels are encoded. */
export async function encodeSizes(
  { format, orientation = 1 }: Inspected,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Outcome> {
  const sizes = resizeAll(await decoders[format](bytes).catch(() => null), orientation)
  // The largest picture and its decoder take more memory than there is beside an encoder.
  globalThis.gc?.()
  const largest = sizes[0]
  if (!largest) return { refused: 'unreadable' }
  const files: EncodedFile[] = []
  for (const each of pictureFormats) {
    const encoded = await encodeAll(each, sizes)
    if (!encoded) return { refused: 'too detailed' }
    files.push(...encoded)
  }
  files.push(await encodeShared(largest))
  return { width: largest.width, height: largest.height, files }
}

/** One size, as WebP, for staff to see what a file is. A scanned page must stay readable, so it has no budget. */
export async function encodePreview(
  { format, orientation = 1 }: Inspected,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Outcome> {
  const decoded = await decoders[format](bytes).catch(() => null)
  const [pixels] = resizeAll(decoded, orientation, width => [Math.min(width, PREVIEW_WIDTH)])
  globalThis.gc?.()
  if (!pixels) return { refused: 'unreadable' }
  const encode = await openEncoder('webp')
  const { width, height } = pixels
  const file = { width, format: 'webp', bytes: encode(pixels, QUALITIES.webp.best) } as const
  return { width, height, files: [file] }
}

/** Bytes above which messengers show no picture, with room to spare. */
const MAX_SHARED = 250_000

/** The file for those who share a page and read neither AVIF nor WebP. */
async function encodeShared(largest: Pixels): Promise<EncodedFile> {
  const encoder = await jpegEncoder(start('jpeg/codec/enc/mozjpeg_enc.wasm'))
  const { data, width, height } = cropForSharing(largest)
  for (let quality = 80; ; quality -= 20) {
    const options = { ...jpegDefaults, quality, chroma_quality: quality }
    const bytes = orThrow(encoder.encode(new Uint8Array(data), width, height, options))
    if (bytes.length <= MAX_SHARED || quality <= 20) return { width, format: 'jpg', bytes }
  }
}

/** The middle of a picture, on white, because a JPEG has no transparency. */
function cropForSharing(picture: Pixels): Pixels {
  const size = sharedSize(picture)
  const scale = Math.min(picture.width / size.width, picture.height / size.height)
  const part = {
    width: Math.min(picture.width, Math.round(size.width * scale)),
    height: Math.min(picture.height, Math.round(size.height * scale)),
  }
  const left = (picture.width - part.width) >> 1
  const top = (picture.height - part.height) >> 1
  const data = new Uint8ClampedArray(part.width * part.height * 4)
  for (let y = 0; y < part.height; y++) {
    const from = ((top + y) * picture.width + left) * 4
    data.set(picture.data.subarray(from, from + part.width * 4), y * part.width * 4)
  }
  const cropped = resize({ data, ...part }, size)
  for (let at = 0; at < cropped.data.length; at += 4) {
    const alpha = (cropped.data[at + 3] ?? 0) / 255
    for (let channel = at; channel < at + 3; channel++)
      cropped.data[channel] = (cropped.data[channel] ?? 0) * alpha + 255 * (1 - alpha)
    cropped.data[at + 3] = 255
  }
  return cropped
}

/** The largest first, from which the others are made. It is turned once it is small, because that takes a copy. */
function resizeAll(decoded: Pixels | null, orientation: Orientation, widthsOf = widths): Pixels[] {
  if (!decoded) return []
  const shown = isSideways(orientation) ? swapped(decoded) : decoded
  const scale = Math.min(1, MAX_HEIGHT / shown.height)
  const [largest = 1, ...others] = widthsOf(Math.max(1, Math.round(shown.width * scale))).toReversed()
  const size = { width: largest, height: heightOf(shown, largest) }
  const reduced = resize(decoded, isSideways(orientation) ? swapped(size) : size)
  const sizes = [turn(reduced, orientation)]
  for (const width of others)
    sizes.push(resize(sizes.at(-1) ?? decoded, { width, height: heightOf(shown, width) }))
  return sizes
}

type Size = Pick<Pixels, 'width' | 'height'>

const swapped = ({ width, height }: Size): Size => ({ width: height, height: width })
const heightOf = (shown: Size, width: number) => Math.max(1, Math.round((shown.height * width) / shown.width))

function resize(from: Pixels, { width, height }: Size): Pixels {
  return width === from.width && height === from.height ? from : reduce(from, width, height)
}

/** From the smallest, whose budget is the tightest: no size gets a better quality than the one before it. */
async function encodeAll(format: PictureFormat, sizes: readonly Pixels[]): Promise<EncodedFile[] | null> {
  const encode = await openEncoder(format)
  const files: EncodedFile[] = []
  let { best } = QUALITIES[format]
  for (const pixels of sizes.toReversed()) {
    const fitting = encodeToFit(encode, format, pixels, best)
    // Only old browsers get WebP, and theirs may be larger.
    if (!fitting.fits && format === 'avif') return null
    files.push({ width: pixels.width, format, bytes: fitting.bytes })
    best = Math.max(fitting.quality, QUALITIES[format].worst)
  }
  return files
}

/** Looks for the best quality whose result fits, by halving what is left between one that fits and one that does not. */
function encodeToFit(encode: Encode, format: PictureFormat, pixels: Pixels, best: number) {
  const budget = BUDGETS.find(({ width }) => pixels.width <= width)?.bytes ?? Number.POSITIVE_INFINITY
  const attempt = (quality: number) => {
    const bytes = encode(pixels, quality)
    return { quality, bytes, fits: bytes.length <= budget }
  }
  const first = attempt(best)
  if (first.fits) return first
  let found = attempt(QUALITIES[format].worst)
  for (let tooBig = best; found.fits && tooBig - found.quality > CLOSE_ENOUGH; ) {
    const next = attempt(Math.round((tooBig + found.quality) / 2))
    if (next.fits) found = next
    else tooBig = next.quality
  }
  return found
}

/** From 0 to 10. Slower ones take twice as long for files that are a few hundredths smaller. */
const AVIF_SPEED = 7

/** Encodes at a quality from 0 to 100. */
type Encode = (pixels: Pixels, quality: number) => Uint8Array

/** Two folders above both the sources and the built server. */
const PACKAGES = join(import.meta.dirname, '../../node_modules/@jsquash')

function load(file: string): WebAssembly.Module {
  return new WebAssembly.Module(readFileSync(join(PACKAGES, file)))
}

/** What Emscripten asks for to start a module. @param file in the packages of the codecs */
export function start(file: string): NonNullable<Parameters<typeof avifEncoder>[0]> {
  return {
    noInitialRun: true,
    instantiateWasm(imports: WebAssembly.Imports, succeed: (instance: WebAssembly.Instance) => void) {
      const instance = new WebAssembly.Instance(load(file), imports)
      succeed(instance)
      return instance.exports
    },
  }
}

/** Decodes. That of JPEG turns the picture as its metadata says. A new instance for each, so that its memory can be freed. */
export const decoders: Record<
  Inspected['format'],
  (bytes: Uint8Array<ArrayBuffer>) => Promise<Pixels | null>
> = {
  async jpeg(bytes) {
    return (await jpegDecoder(start('jpeg/codec/dec/mozjpeg_dec.wasm'))).decode(bytes, true)
  },
  async webp(bytes) {
    return (await webpDecoder(start('webp/codec/dec/webp_dec.wasm'))).decode(bytes)
  },
  async png(bytes) {
    initPng(load('png/codec/pkg/squoosh_png_bg.wasm'))
    return decodePng(bytes)
  },
}

export async function openEncoder(format: PictureFormat): Promise<Encode> {
  if (format === 'avif') return encodeAvif(await avifEncoder(start('avif/codec/enc/avif_enc.wasm')))
  return encodeWebp(await webpEncoder(start('webp/codec/enc/webp_enc_simd.wasm')))
}

const encodeAvif =
  (encoder: AVIFModule): Encode =>
  ({ data, width, height }, quality) =>
    orThrow(
      encoder.encode(new Uint8Array(data), width, height, { ...avifDefaults, speed: AVIF_SPEED, quality }),
    )

const encodeWebp =
  (encoder: WebPModule): Encode =>
  ({ data, width, height }, quality) =>
    orThrow(encoder.encode(new Uint8Array(data), width, height, { ...webpDefaults, quality }))

function orThrow(bytes: Uint8Array | null): Uint8Array {
  if (!bytes) throw new Error('The encoder gave nothing')
  return bytes
}
