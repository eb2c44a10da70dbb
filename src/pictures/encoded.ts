import type { PictureFormat } from './sizes.ts'

/** A picture in all its sizes, as the child process writes it to its output. */

export interface EncodedFile {
  readonly width: number
  readonly format: PictureFormat
  readonly bytes: Uint8Array
}

export interface EncodedPicture {
  /** Pixels of the largest size. */
  readonly width: number
  readonly height: number
  readonly files: readonly EncodedFile[]
}

/** Why the child process has made none: the decoder fails, or the picture does not fit even in the lowest quality. */
export type Refused = 'unreadable' | 'too detailed'

export type Outcome = EncodedPicture | { readonly refused: Refused }

/** Bytes of the length of the head. */
export const LENGTH_BYTES = 4

/** The length of a head in JSON, that head, then the files in its order. */
export function writeOutcome(outcome: Outcome): Buffer {
  if ('refused' in outcome) return withHead(outcome, [])
  const { width, height, files } = outcome
  const list = files.map(file => ({ width: file.width, format: file.format, length: file.bytes.length }))
  return withHead(
    { width, height, files: list },
    files.map(({ bytes }) => bytes),
  )
}

function withHead(head: object, files: readonly Uint8Array[]): Buffer {
  const json = Buffer.from(JSON.stringify(head))
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32BE(json.length)
  return Buffer.concat([length, json, ...files])
}
