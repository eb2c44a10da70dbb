import type { Pixels } from './reduce.ts'

/** How a picture is shown, as Exif numbers it: 1 as it is stored, 2 to 8 mirrored or turned. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8

const TAG = 0x0112
const ENTRY_BYTES = 12
/** Entries of the first directory. Cameras write some twenty. */
const MAX_ENTRIES = 100

/** Reads the metadata of a PNG or WebP file, and never throws: what cannot be read turns nothing. @param exif a TIFF file */
export function readOrientation(exif: Buffer): Orientation {
  const tiff = exif.toString('latin1', 0, 6) === 'Exif\0\0' ? exif.subarray(6) : exif
  const order = tiff.toString('latin1', 0, 2)
  if (tiff.length < 8 || (order !== 'II' && order !== 'MM')) return 1
  const read16 = (at: number) => (order === 'II' ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const directory = order === 'II' ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  if (directory + 2 > tiff.length) return 1
  const entries = Math.min(read16(directory), MAX_ENTRIES)
  for (let entry = 0; entry < entries; entry++) {
    const at = directory + 2 + entry * ENTRY_BYTES
    if (at + ENTRY_BYTES > tiff.length) return 1
    if (read16(at) === TAG) return toOrientation(read16(at + 8))
  }
  return 1
}

function toOrientation(value: number): Orientation {
  return ([2, 3, 4, 5, 6, 7, 8] as const).find(each => each === value) ?? 1
}

/** Whether the width of what is stored is the height of what is shown. */
export const isSideways = (orientation: Orientation) => orientation >= 5

/** Where a pixel that is shown is stored, in a picture of this width and height. */
type Place = (x: number, y: number, width: number, height: number) => readonly [x: number, y: number]

const places: Record<Orientation, Place> = {
  1: (x, y) => [x, y],
  2: (x, y, width) => [width - 1 - x, y],
  3: (x, y, width, height) => [width - 1 - x, height - 1 - y],
  4: (x, y, _, height) => [x, height - 1 - y],
  5: (x, y) => [y, x],
  6: (x, y, _, height) => [y, height - 1 - x],
  7: (x, y, width, height) => [width - 1 - y, height - 1 - x],
  8: (x, y, width) => [width - 1 - y, x],
}

/** Turns a picture as its metadata says. */
export function turn(stored: Pixels, orientation: Orientation): Pixels {
  if (orientation === 1) return stored
  const { width, height, data } = stored
  const shown = isSideways(orientation) ? { width: height, height: width } : { width, height }
  const place = places[orientation]
  const [from, to] = [new Uint32Array(data.slice().buffer), new Uint32Array(width * height)]
  for (let y = 0, at = 0; y < shown.height; y++)
    for (let x = 0; x < shown.width; x++, at++) {
      const [storedX, storedY] = place(x, y, width, height)
      to[at] = from[storedY * width + storedX] ?? 0
    }
  return { data: new Uint8ClampedArray(to.buffer), ...shown }
}
