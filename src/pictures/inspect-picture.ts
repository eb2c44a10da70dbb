import { inspectJpeg } from './inspect-jpeg.ts'
import { inspectPng } from './inspect-png.ts'
import { inspectWebp } from './inspect-webp.ts'
import type { Damage, Inspected } from './inspected.ts'

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
