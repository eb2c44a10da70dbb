import type { Damage, Inspected } from './inspected.ts'

/** Baseline, extended and progressive: what cameras and browsers write. Others are lossless or arithmetic. */
const FRAMES: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2])
const END = 0xd9
const SCAN = 0xda

/** Follows the segments to the end marker; what comes after that is not read. */
export function inspectJpeg(bytes: Buffer): Inspected | Damage {
  let frame: Inspected | null = null
  for (let at = 2; at + 4 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return 'damaged'
    const marker = bytes[at + 1] ?? 0
    // Any number of these bytes may come before a marker.
    if (marker === 0xff) {
      at++
      continue
    }
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
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at
  }
  return bytes.length
}
