import type { Damage, Inspected } from './inspected.ts'
import { readOrientation } from './orientation.ts'

/** Length, type and checksum of a chunk. */
const CHUNK_FRAME = 12
const HEADER_LENGTH = 13

/** Follows the chunks to the last one; what comes after that is not read. */
export function inspectPng(bytes: Buffer): Inspected | Damage {
  let header: Inspected | null = null
  for (let at = 8; at + CHUNK_FRAME <= bytes.length; ) {
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
