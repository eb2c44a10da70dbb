import type { Damage, Inspected } from './inspected.ts'
import { readOrientation } from './orientation.ts'

interface Size {
  readonly width: number
  readonly height: number
}

const ANIMATED: ReadonlySet<string> = new Set(['ANIM', 'ANMF'])
const CHUNK_HEAD = 8
/** Bytes of a chunk in which its width and height are. */
const SIZE_BYTES = 10

/** Follows the chunks of the file. The frame and the canvas may give sizes of their own: the larger counts. */
export function inspectWebp(bytes: Buffer): Inspected | Damage {
  const end = bytes.length < 12 ? 0 : bytes.readUInt32LE(4) + 8
  if (end > bytes.length) return 'cut off'
  let canvas: Size = { width: 0, height: 0 }
  let hasFrame = false
  let turned: Pick<Inspected, 'orientation'> = {}
  for (let at = 12; at + CHUNK_HEAD <= end; ) {
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
