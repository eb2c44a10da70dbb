import { crc32, deflateSync } from 'node:zlib'
import jpegEncoder from '@jsquash/jpeg/codec/enc/mozjpeg_enc.js'
import { defaultOptions } from '@jsquash/jpeg/meta.js'
import { openEncoder, start } from '../../src/pictures/encode-sizes.ts'
import type { Pixels } from '../../src/pictures/reduce.ts'
import type { Browser } from './browser.ts'
import { randomFrom } from './random.ts'

/** Pictures differ, and are the same in each run. */
const random = randomFrom('pictures')

/** A gradient with noise, which is different for each picture. The corner at the top left is red. */
export function drawPixels(width: number, height: number, grain = 12): Pixels {
  const data = new Uint8ClampedArray(width * height * 4)
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at += 4) {
      const noise = random() * grain
      const isCorner = x < width * 0.3 && y < height * 0.3
      data[at] = noise + (isCorner ? 230 : 60 + (x / width) * 120)
      data[at + 1] = noise + (isCorner ? 20 : 90 + (y / height) * 100)
      data[at + 2] = noise + (isCorner ? 20 : 140)
      data[at + 3] = 255
    }
  return { data, width, height }
}

export async function drawJpeg(width: number, height: number): Promise<Buffer> {
  const encoder = await jpegEncoder(start('jpeg/codec/enc/mozjpeg_enc.wasm'))
  const { data } = drawPixels(width, height)
  return Buffer.from(encoder.encode(new Uint8Array(data), width, height, { ...defaultOptions, quality: 85 }))
}

export async function drawWebp(width: number, height: number): Promise<Buffer> {
  return Buffer.from((await openEncoder('webp'))(drawPixels(width, height), 80))
}

/** @param grain 0 for the same picture each time, which is encoded in a moment */
export function drawPng(width: number, height: number, grain?: number): Buffer {
  const { data } = drawPixels(width, height, grain)
  const rows = Array.from({ length: height }, (_, y) => [
    Buffer.from([0]),
    Buffer.from(data.subarray(y * width * 4, (y + 1) * width * 4)),
  ])
  return toPng([header(width, height), ['IDAT', deflateSync(Buffer.concat(rows.flat()))], END])
}

export type PngChunk = readonly [type: string, data: Buffer]

export const END: PngChunk = ['IEND', Buffer.alloc(0)]

/** Eight bits of red, green, blue and alpha. */
export function header(width: number, height: number): PngChunk {
  const data = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 6, 0, 0, 0])
  data.writeUInt32BE(width, 0)
  data.writeUInt32BE(height, 4)
  return ['IHDR', data]
}

export function toPng(chunks: readonly PngChunk[]): Buffer {
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([signature, ...chunks.map(toChunk)])
}

function toChunk([type, data]: PngChunk): Buffer {
  const named = Buffer.concat([Buffer.from(type), data])
  const chunk = Buffer.alloc(named.length + 8)
  chunk.writeUInt32BE(data.length)
  named.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(named), named.length + 4)
  return chunk
}

/** A file of RIFF with these chunks, as WebP is. */
export function toWebp(chunks: readonly (readonly [type: string, data: Buffer])[]): Buffer {
  const body = Buffer.concat(
    chunks.flatMap(([type, data]) => {
      const length = Buffer.alloc(4)
      length.writeUInt32LE(data.length)
      return [Buffer.from(type), length, data, Buffer.alloc(data.length % 2)]
    }),
  )
  const length = Buffer.alloc(4)
  length.writeUInt32LE(body.length + 4)
  return Buffer.concat([Buffer.from('RIFF'), length, Buffer.from('WEBP'), body])
}

/** Where the photograph was taken, and that it is to be turned to the right: big-endian TIFF with two entries. */
export function withPosition(jpeg: Buffer): Buffer {
  const tiff = Buffer.from(
    // Orientation 6; the place of the position; the position: a reference and a text that a search finds.
    '4d4d002a00000008000201120003000000010006000088250004000000010000002600000000' +
      '0001000200020000000a534543524554504c41' +
      '00',
    'hex',
  )
  const exif = Buffer.concat([Buffer.from('Exif\0\0'), tiff, Buffer.from('SECRET-PLACE 33.8568S 151.2153E')])
  const head = Buffer.from([0xff, 0xe1, 0, 0])
  head.writeUInt16BE(exif.length + 2, 2)
  return Buffer.concat([jpeg.subarray(0, 2), head, exif, jpeg.subarray(2)])
}

/** Big-endian TIFF with nothing but an orientation. */
export function exifOf(orientation: number): Buffer {
  const tiff = Buffer.from('4d4d002a00000008000101120003000000010000000000000000', 'hex')
  tiff.writeUInt16BE(orientation, 18)
  return tiff
}

/** With metadata after the header. */
export function turnedPng(png: Buffer, orientation: number): Buffer {
  const header = 33
  return Buffer.concat([
    png.subarray(0, header),
    toChunk(['eXIf', exifOf(orientation)]),
    png.subarray(header),
  ])
}

/** With metadata after the pixels. @param webp of one chunk, 64 by 48 pixels */
export function turnedWebp(webp: Buffer, orientation: number): Buffer {
  const canvas = Buffer.from('080000003f00002f0000', 'hex')
  const frame = webp.subarray(20, 20 + webp.readUInt32LE(16))
  return toWebp([
    ['VP8X', canvas],
    [webp.toString('latin1', 12, 16), frame],
    ['EXIF', exifOf(orientation)],
  ])
}

/** Uploads a file as the portal does. */
export async function upload(
  browser: Browser,
  bytes: Uint8Array,
  path = '/api/content/pictures',
): Promise<Response> {
  const { csrfToken } = await (await browser.fetch('/api/csrf-token')).json()
  const headers = {
    'x-csrf-token': csrfToken,
    'content-type': 'application/octet-stream',
    'content-length': String(bytes.length),
  }
  const body = new Uint8Array(bytes)
  return await browser.fetch(path, { method: 'POST', headers, body })
}

/** @returns the id of a small picture that was not there before */
export async function addPicture(browser: Browser): Promise<string> {
  const reply = await upload(browser, drawPng(32, 24))
  return (await reply.json()).picture.id
}
