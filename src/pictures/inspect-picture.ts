import { type Orientation, readOrientation } from './orientation.ts'

/** What the bytes of a file say before anything is decoded. */
export interface Inspected {
  readonly format: 'jpeg' | 'png' | 'webp'
  /** Pixels as they are stored, perhaps turned by the metadata. */
  readonly width: number
  readonly height: number
  /** How to turn the pixels; the decoder of a JPEG does it by itself. */
  readonly orientation?: Orientation
}

/** The 12 megapixels of most phones are 4032 × 3024. In memory each pixel is four bytes, several times over. */
export const MAX_PIXELS = 12 * 1024 * 1024
/** How many times as long as the other a side may be. A smaller size of a thinner picture would be a line. */
export const MAX_PROPORTION = 10

/** Why a file cannot be a picture of this format. */
export type Damage = 'cut off' | 'animated' | 'damaged'

/**
 * Reads the structure of a JPEG, PNG or WebP file, in one pass without copies. It never throws, whatever the bytes are.
 * @returns null for any other format
 */
export function inspectPicture(bytes: Uint8Array): Inspected | Damage | null {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (startsWith(view, 'ffd8ff')) return inspectJpeg(view)
  if (startsWith(view, '89504e470d0a1a0a')) return inspectPng(view)
  if (startsWith(view, '52494646') && view.toString('latin1', 8, 12) === 'WEBP') return inspectWebp(view)
  return null
}

function startsWith(bytes: Buffer, hex: string): boolean {
  return bytes.toString('hex', 0, hex.length / 2) === hex
}

/** Baseline, extended and progressive: what cameras and browsers write. Others are lossless or arithmetic. */
const FRAMES: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2])
const END = 0xd9
const SCAN = 0xda

/** Segments, scans or chunks of a file: cameras and programs write some hundreds at most, and each costs a little. */
const MAX_PARTS = 10_000

/** Follows the segments to the end marker; what comes after that is not read. */
function inspectJpeg(bytes: Buffer): Inspected | Damage {
  let frame: Inspected | null = null
  let parts = 0
  for (let at = 2; at + 4 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return 'damaged'
    const marker = bytes[at + 1] ?? 0
    // Any number of these bytes may come before a marker.
    if (marker === 0xff) {
      at++
      continue
    }
    if (++parts > MAX_PARTS) return 'damaged'
    const length = bytes.readUInt16BE(at + 2)
    if (!hasLength(marker) || length < 2) return 'damaged'
    if (isFrame(marker)) {
      // The memory of a second frame would not have been counted.
      if (frame || !FRAMES.has(marker) || length < 8 || at + 9 > bytes.length) return 'damaged'
      const [height, width] = [bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7)]
      frame = { format: 'jpeg', width, height }
    }
    at += 2 + length
    if (marker !== SCAN) continue
    if (!frame) return 'damaged'
    at = findMarker(bytes, at)
    if (bytes[at + 1] === END) return frame
  }
  return 'cut off'
}

/**
 * Others stand alone. A decoder goes on right behind them, so a length read there would hide from us what it decodes: a
 * frame of any size.
 */
function hasLength(marker: number): boolean {
  return marker >= 0xc0 && (marker < 0xd0 || marker > END)
}

/** Start of frame, whatever its coding; three numbers between them are other segments. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}

/** @returns where the compressed data of a scan ends: at the next marker that is neither a stuffed byte nor a restart */
function findMarker(bytes: Buffer, from: number): number {
  // Byte by byte: every second one may be stuffed, and a search for each of them would cost far more.
  for (let at = from; at < bytes.length; at++) {
    if (bytes[at] !== 0xff) continue
    const next = bytes[at + 1] ?? 0
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at
  }
  return bytes.length
}

/** Length, type and checksum of a chunk. */
const CHUNK_FRAME = 12
const HEADER_LENGTH = 13

/** Follows the chunks to the last one; what comes after that is not read. */
function inspectPng(bytes: Buffer): Inspected | Damage {
  let header: Inspected | null = null
  let parts = 0
  for (let at = 8; at + CHUNK_FRAME <= bytes.length; ) {
    if (++parts > MAX_PARTS) return 'damaged'
    const length = bytes.readUInt32BE(at)
    const type = bytes.toString('latin1', at + 4, at + 8)
    const next = at + CHUNK_FRAME + length
    if (next > bytes.length) return 'cut off'
    if ((type === 'IHDR') !== (header === null)) return 'damaged'
    if (type === 'acTL') return 'animated'
    if (type === 'IEND') return header ?? 'damaged'
    if (!header) {
      if (length !== HEADER_LENGTH) return 'damaged'
      header = { format: 'png', width: bytes.readUInt32BE(at + 8), height: bytes.readUInt32BE(at + 12) }
    }
    if (type === 'eXIf')
      header = { ...header, orientation: readOrientation(bytes.subarray(at + 8, at + 8 + length)) }
    at = next
  }
  return 'cut off'
}

interface Size {
  readonly width: number
  readonly height: number
}

const ANIMATED: ReadonlySet<string> = new Set(['ANIM', 'ANMF'])
const CHUNK_HEAD = 8
/** Bytes of a chunk in which its width and height are. */
const SIZE_BYTES = 10

/** Follows the chunks of the file. The frame and the canvas may give sizes of their own: the larger counts. */
function inspectWebp(bytes: Buffer): Inspected | Damage {
  const end = bytes.length < 12 ? 0 : bytes.readUInt32LE(4) + 8
  if (end > bytes.length) return 'cut off'
  let canvas: Size = { width: 0, height: 0 }
  let hasFrame = false
  let turned: Pick<Inspected, 'orientation'> = {}
  let parts = 0
  for (let at = 12; at + CHUNK_HEAD <= end; ) {
    if (++parts > MAX_PARTS) return 'damaged'
    const type = bytes.toString('latin1', at, at + 4)
    const length = bytes.readUInt32LE(at + 4)
    const data = at + CHUNK_HEAD
    if (data + length > end) return 'cut off'
    if (ANIMATED.has(type)) return 'animated'
    if (type === 'EXIF') turned = { orientation: readOrientation(bytes.subarray(data, data + length)) }
    if (isSized(type)) {
      const size = length < SIZE_BYTES ? null : readSize(type, bytes.subarray(data, data + SIZE_BYTES))
      if (!size) return 'damaged'
      canvas = largest(canvas, size)
      hasFrame ||= type !== 'VP8X'
    }
    at = data + length + (length % 2)
  }
  return hasFrame ? { format: 'webp', ...canvas, ...turned } : 'damaged'
}

const isSized = (type: string) => type === 'VP8X' || type === 'VP8 ' || type === 'VP8L'

function readSize(type: string, data: Buffer): Size | null {
  if (type === 'VP8X') return { width: data.readUIntLE(4, 3) + 1, height: data.readUIntLE(7, 3) + 1 }
  if (type === 'VP8L') return data[0] === 0x2f ? readLosslessSize(data.readUInt32LE(1)) : null
  if (data.toString('hex', 3, 6) !== '9d012a') return null
  return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff }
}

/** Two numbers of 14 bits. */
function readLosslessSize(bits: number): Size {
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}

function largest(one: Size, other: Size): Size {
  return { width: Math.max(one.width, other.width), height: Math.max(one.height, other.height) }
}
